// Runs that this command gave to the recorder, followed until all have ended. Ctrl-C stops them in order, a second one leaves them to the
// recorder. Main thread; blocks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/cli/runs/interrupt.h"
#include "app/cli/runs/progress_line.h"
#include "app/cli/terminal_prompts.h"
#include "app/cluster/recorder/client.h"

namespace paceline::cli {

struct FollowOptions {
  bool json = false;
  bool inProcess = false;  // the recorder as threads of this program
};

class FollowedRuns {
 public:
  FollowedRuns(std::string store, FollowOptions options);

  // In the order of the points; without those that were still waiting when the user stopped.
  std::vector<recorder::Entry> run(const recorder::Submission& submission);
  bool interrupted() const { return interrupt_.asked(); }

 private:
  void take(const recorder::Entry& entry);
  void lookAgain();
  void show();
  void stopAll();
  bool allEnded() const;

  std::string store_;
  FollowOptions options_;
  Interrupt interrupt_;
  TerminalPrompts prompts_;
  recorder::Client client_;
  std::vector<recorder::Entry> entries_;
  std::map<std::string, double> began_;  // run -> steady seconds
  std::optional<ProgressLine> line_;
};

// What a person at this terminal, or $PACELINE_ASKPASS, says; nullopt: nothing.
std::optional<std::string> answerTo(const recorder::Question& question, TerminalPrompts& prompts);

// One sentence for stderr when not all is well: throws Error{kStopped, kSpec}.
void refuseFailures(const FollowedRuns& runs, const std::vector<recorder::Entry>& ended, std::size_t planned);

}  // namespace paceline::cli
