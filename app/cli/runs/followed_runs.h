// Runs that this command gave to the recorder, followed until all have ended. Ctrl-C stops them in order, a second one leaves them to the
// recorder. Main thread; blocks.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/terminal_prompts.h"
#include "app/cluster/recorder/client.h"

namespace paceline::cli {

// Ctrl-C and SIGTERM as a stop token: the first asks to stop in order, the second ends this program at once (the supervisor ends
// what it was asked to end). SIGPIPE is ignored meanwhile. One at a time, made by main's thread before it starts long work; the destructor gives the signals
// back.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool asked() const { return source_.stop_requested(); }

 private:
  std::stop_source source_;
  std::thread thread_;  // reads the pipe that the signal handler writes to
};

// How far the runs of a command are, as their recorder tells it. Main thread.
std::string progressText(const recorder::Progress& progress);  // "43 %, round 120, accuracy 0.812, 1:10 to 1:30 left"

// One line that rewrites itself on a terminal; elsewhere a plain line for each change of state, and one every ten seconds.
class ProgressLine {
 public:
  enum class Style { kSilent, kPlain, kTerminal };
  static Style styleFor(bool json);  // what this program's stderr is

  ProgressLine(Style style, std::size_t runs) : style_(style), runs_(runs) {}
  void show(std::size_t index, const recorder::Entry& entry);
  void end(std::size_t index, const std::string& name, const std::string& text);  // the run's last line: "finished after 1:20"
  void tell(std::size_t index, const std::string& name, const std::string& text);  // a line of its own, whatever the style

 private:
  std::string prefix(std::size_t index, const std::string& name) const;
  std::string allText(std::size_t index, const recorder::Progress& progress) const;

  Style style_;
  std::size_t runs_, ended_ = 0;
  std::string said_;  // the state that was told last
  double drawn_ = 0, first_ = 0, began_ = 0;  // steady seconds; of all runs, of this one
};

struct FollowOptions {
  bool json = false, quiet = false;  // quiet: nothing on stderr but what went wrong
  bool verbose = false;              // what nodes and hosts say, as it is recorded
  bool inProcess = false;  // the recorder as threads of this program
};

void addFollowFlags(CLI::App& command, FollowOptions& options);  // -q, -v and --json

class FollowedRuns {
 public:
  FollowedRuns(std::string store, FollowOptions options);

  // In the order of the points; without those that were still waiting when the user stopped.
  std::vector<recorder::Entry> run(const recorder::Submission& submission);
  // To the end of the search; its suite's id. `runs`: at most so many; 0: not known.
  std::string search(const recorder::Submission& submission, std::size_t runs);
  bool interrupted() const { return interrupt_.asked(); }

 private:
  void follow();
  void adopt();
  void take(const recorder::Entry& entry);
  std::optional<recorder::Entry> successorOf(const std::string& run);  // that goes on instead of it, by itself
  void lookAgain();
  void show();
  void tellNotices();
  void stopAll();
  void stop(const std::string& run);
  bool allEnded() const;

  std::string store_;
  FollowOptions options_;
  Interrupt interrupt_;
  TerminalPrompts prompts_;
  recorder::Client client_;
  std::vector<recorder::Entry> entries_;
  std::string suite_;  // of a search, whose further runs are followed as they come; "": none
  std::map<std::string, double> began_;  // run -> steady seconds
  std::map<std::string, std::int64_t> told_;  // run -> its newest notice that was told
  std::optional<ProgressLine> line_;
};

// One sentence for stderr when not all is well: throws Error{kStopped, kSpec}.
void refuseFailures(const FollowedRuns& runs, const std::vector<recorder::Entry>& ended, std::size_t planned);

}  // namespace paceline::cli
