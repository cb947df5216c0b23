// What LibTorch throws, as our Error with the first line of its message. Engine/nn only.
#pragma once

#include <c10/util/Exception.h>

#include <string>

#include "engine/core/base/error.h"

namespace paceline {

template <class Call>
auto translated(Errc code, const char* doing, Call call) {
  try {
    return call();
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    throw Error(code, strCat(doing, ": LibTorch: ", text.substr(0, text.find('\n'))));
  }
}

}  // namespace paceline
