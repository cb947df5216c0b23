// Shows how far the runs of a command are, as their recorder tells it. Main thread.
#pragma once

#include <string>

#include "app/cluster/recorder/client.h"

namespace paceline::cli {

std::string progressText(const recorder::Progress& progress);  // "43 %, round 120, accuracy 0.812, 1:10 to 1:30 left"

// One line that rewrites itself on a terminal; elsewhere a plain line for each change of state, and one every ten seconds.
class ProgressLine {
 public:
  enum class Style { kSilent, kPlain, kTerminal };
  static Style styleFor(bool json);  // what this program's stderr is

  ProgressLine(Style style, std::size_t runs) : style_(style), runs_(runs) {}
  void show(std::size_t index, const recorder::Entry& entry);
  void end(std::size_t index, const std::string& name, const std::string& text);  // the run's last line: "finished after 1:20"

 private:
  std::string prefix(std::size_t index, const std::string& name) const;
  std::string allText(std::size_t index, const recorder::Progress& progress) const;

  Style style_;
  std::size_t runs_, ended_ = 0;
  std::string said_;  // the state that was told last
  double drawn_ = 0, first_ = 0, began_ = 0;  // steady seconds; of all runs, of this one
};

}  // namespace paceline::cli
