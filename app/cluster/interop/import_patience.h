// With a file that grows: it may be met while its last line is being written, so what is wrong with it is so for some looks. One a file; value.
#pragma once

#include "engine/core/base/error.h"

namespace paceline::interop {

class ImportPatience {
 public:
  void wasRead() { wrong_ = 0; }
  bool isOver(Errc problem) { return problem != Errc::kFormat || ++wrong_ > kLooks; }  // after a look that failed so

 private:
  static constexpr int kLooks = 5;
  int wrong_ = 0;
};

}  // namespace paceline::interop
