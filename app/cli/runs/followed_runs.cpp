#include "app/cli/runs/followed_runs.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <iostream>
#include <signal.h>
#include <unistd.h>

#include "app/cli/console.h"
#include "app/cluster/recorder/suites.h"
#include "app/cluster/run/run_session.h"
#include "engine/core/base/error.h"
#include "engine/core/base/clock.h"
#include "storage/store/store.h"

namespace paceline::cli {

namespace {

using recorder::Entry;

constexpr double kLookSeconds = 0.2;  // at Ctrl-C
constexpr int kBarCells = 24;
constexpr double kPlainSeconds = 10, kTerminalSeconds = 0.1;

std::string bar(double fraction) {
  const int full = static_cast<int>(std::lround(fraction * kBarCells));
  return strCat("[", std::string(static_cast<std::size_t>(full), '#'), std::string(static_cast<std::size_t>(kBarCells - full), '.'), "]");
}

std::string endText(const Entry& entry, double seconds) {
  std::string text = store::stateName(entry.state);
  if (entry.id == 0) return strCat(text, " before, as run ", entry.run);
  if (seconds > 0) text += strCat(" after ", durationText(seconds));
  if (!entry.text.empty()) return strCat(text, ": ", entry.text);
  return entry.reason.empty() ? text : strCat(text, " (", store::reasonText(entry.reason), ")");
}

bool wasTaken(const Entry& entry) { return !(entry.ended && entry.waiting); }

}  // namespace

std::string progressText(const recorder::Progress& progress) {
  std::string text = strCat(std::lround(progress.fraction * 100), " %");
  if (progress.round > 0) text += strCat(", round ", progress.round);
  if (progress.accuracy) text += strCat(", accuracy ", decimals(*progress.accuracy, 3));
  if (!progress.leftLowSeconds || !progress.leftHighSeconds) return text;
  const std::string low = durationText(*progress.leftLowSeconds), high = durationText(*progress.leftHighSeconds);
  return strCat(text, ", ", low == high ? strCat("about ", low) : strCat(low, " to ", high), " left");
}

ProgressLine::Style ProgressLine::styleFor(bool json) {
  if (isTerminal(STDERR_FILENO)) return Style::kTerminal;
  return json ? Style::kSilent : Style::kPlain;
}

std::string ProgressLine::prefix(std::size_t index, const std::string& name) const {
  return strCat(runs_ > 1 ? strCat("[", index + 1, "/", runs_, "] ") : "", name);
}

// The runs to come are taken for as long as those that ended.
std::string ProgressLine::allText(std::size_t index, const recorder::Progress& progress) const {
  if (runs_ < 2 || !progress.leftHighSeconds) return "";
  const double left = *progress.leftHighSeconds;
  const double perRun = ended_ > 0 ? (began_ - first_) / static_cast<double>(ended_) : steadySeconds() - began_ + left;
  return strCat(", all runs ", durationText(left + perRun * static_cast<double>(runs_ - index - 1)));
}

void ProgressLine::show(std::size_t index, const recorder::Entry& entry) {
  if (style_ == Style::kSilent) return;
  const bool running = entry.state == store::RunState::kRunning && entry.text.empty();
  const std::string state = entry.text.empty() ? store::stateName(entry.state) : entry.text, told = strCat(index, " ", state);
  const bool news = told != said_;
  if (first_ == 0) first_ = began_ = steadySeconds();
  if (!news && (!running || steadySeconds() - drawn_ < (style_ == Style::kTerminal ? kTerminalSeconds : kPlainSeconds))) return;
  said_ = told;
  drawn_ = steadySeconds();
  const std::string status = progressText(entry.progress) + allText(index, entry.progress);
  if (style_ == Style::kTerminal)
    eraseLine(), std::cerr << prefix(index, entry.name) << "  " << bar(entry.progress.fraction) << ' ' << (running ? status : state) << std::flush;
  else
    std::cerr << prefix(index, entry.name) << ": " << (news ? state : status) << std::endl;
}

void ProgressLine::tell(std::size_t index, const std::string& name, const std::string& text) {
  if (style_ == Style::kTerminal) eraseLine();
  std::cerr << prefix(index, name) << ": " << text << std::endl;
}

void ProgressLine::end(std::size_t index, const std::string& name, const std::string& text) {
  ++ended_;
  began_ = steadySeconds();
  if (style_ == Style::kTerminal) eraseLine();
  if (style_ != Style::kSilent) std::cerr << prefix(index, name) << ": " << text << std::endl;
}

void addFollowFlags(CLI::App& command, FollowOptions& options) {
  CLI::Option* quiet = command.add_flag("-q,--quiet", options.quiet, "only the result, and what went wrong");
  command.add_flag("-v,--verbose", options.verbose, "also what nodes and hosts say")->excludes(quiet);
  command.add_flag("--json", options.json, "print one JSON document and nothing else");
}

FollowedRuns::FollowedRuns(std::string store, FollowOptions options)
    : store_(std::move(store)), options_(options), prompts_(interrupt_.token()), client_(store_, {.inProcess = options.inProcess, .answers = true, .program = {}, .ask = [this](const recorder::Question& question) { return answerTo(question, prompts_); }}) {}

std::vector<Entry> FollowedRuns::run(const recorder::Submission& submission) {
  entries_ = client_.submit(submission);
  line_.emplace(options_.quiet ? ProgressLine::Style::kSilent : ProgressLine::styleFor(options_.json), entries_.size());
  for (const Entry& entry : std::vector<Entry>(entries_)) {
    const bool before = entry.ended;
    std::ranges::find(entries_, entry.run, &Entry::run)->ended = false;
    take(entry);
    if (!before && !entry.waiting) began_.try_emplace(entry.run, steadySeconds());
  }
  follow();
  tellNotices();  // of the end
  std::vector<Entry> taken = entries_;
  std::erase_if(taken, [](const Entry& entry) { return !wasTaken(entry); });
  return taken;
}

std::string FollowedRuns::search(const recorder::Submission& submission, std::size_t runs) {
  line_.emplace(options_.quiet ? ProgressLine::Style::kSilent : ProgressLine::styleFor(options_.json), runs);
  suite_ = client_.beginSearch(submission);
  adopt();
  follow();
  return suite_;
}

// What the queue has of the search and is not followed yet.
void FollowedRuns::adopt() {
  const store::SuiteRow suite = recorder::suiteOf(store::StoreReader(store_), suite_);
  for (const Entry& entry : client_.queue()) {
    const bool own = std::ranges::any_of(suite.cells, [&](const store::SuiteCell& cell) { return cell.runs.back() == entry.run; });
    if (!own || std::ranges::find(entries_, entry.run, &Entry::run) != entries_.end()) continue;
    entries_.push_back(entry);
    entries_.back().ended = false;
    take(entry);
  }
}

void FollowedRuns::follow() {
  for (bool stopping = false; !allEnded();) {
    if (interrupt_.asked() && !std::exchange(stopping, true)) stopAll();
    show();
    tellNotices();
    const auto notice = client_.next(kLookSeconds);
    if (!notice) continue;
    const auto* entry = std::get_if<Entry>(&*notice);
    if (entry != nullptr) take(*entry);
    if (entry != nullptr && !suite_.empty() && std::ranges::find(entries_, entry->run, &Entry::run) == entries_.end()) adopt();
    if (const auto* question = std::get_if<recorder::Question>(&*notice)) client_.answer(question->id, answerTo(*question, prompts_));
    if (std::holds_alternative<recorder::Lost>(*notice)) lookAgain();
    if (const auto* trouble = std::get_if<recorder::StoreTrouble>(&*notice); trouble != nullptr && !trouble->text.empty()) std::cerr << "paceline: " << trouble->text << '\n';
  }
}

void FollowedRuns::take(const Entry& entry) {
  const auto found = std::ranges::find(entries_, entry.run, &Entry::run);
  if (found == entries_.end() || found->ended) return;
  const bool waited = found->waiting;
  *found = entry;
  if (!entry.waiting) began_.try_emplace(entry.run, steadySeconds());
  if (!entry.ended) return;
  found->waiting = waited && entry.state == store::RunState::kStopped && entry.reason == "asked";  // taken out of the queue: it never began
  if (found->waiting) return;
  if (const auto next = entry.state == store::RunState::kFailed ? successorOf(entry.run) : std::nullopt) {
    tellNotices();
    line_->tell(static_cast<std::size_t>(found - entries_.begin()), entry.name, endText(entry, steadySeconds() - began_[entry.run]));
    *found = *next;
    found->ended = false;
    if (interrupt_.asked()) stop(next->run);  // the lost one was asked when it had ended
    return take(*next);
  }
  line_->end(static_cast<std::size_t>(found - entries_.begin()), entry.name, endText(entry, steadySeconds() - began_[entry.run]));
}

std::optional<Entry> FollowedRuns::successorOf(const std::string& run) {
  const std::vector<Entry> queue = client_.queue();
  const auto found = std::ranges::find(queue, run, &Entry::insteadOf);
  if (found != queue.end()) return *found;
  for (const store::RunRow& row : store::StoreReader(store_).runs())  // it ended under another recorder
    if (const auto of = run::goesOn(row); of && of->insteadOf == run)
      return Entry{.run = row.id, .name = row.name, .insteadOf = run, .state = row.state, .waiting = false, .ended = store::isEnded(row.state), .text = row.error, .reason = row.reason};
  return std::nullopt;
}

// With the next recorder. What it does not know any more has its end in the store, or is not followed.
void FollowedRuns::lookAgain() {
  const std::vector<Entry> queue = client_.queue();
  for (const Entry& own : std::vector<Entry>(entries_)) {
    const auto there = std::ranges::find(queue, own.run, &Entry::run);
    if (there != queue.end()) {
      take(*there);
      continue;
    }
    Entry last = own;
    last.ended = true;
    const auto row = store::StoreReader(store_).find(own.run);
    if (row && row->id == own.run) last.waiting = false, last.state = row->state, last.text = row->error, last.reason = row->reason;
    else last.state = store::RunState::kStopped, last.reason = "asked";
    take(last);
  }
  if (!suite_.empty()) adopt();
}

void FollowedRuns::tellNotices() {
  if (!options_.verbose) return;
  const store::StoreReader store(store_);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].waiting) continue;
    std::int64_t& told = told_[entries_[i].run];
    for (const store::NoticeRow& row : store.notices(entries_[i].run, told, &told)) line_->tell(i, entries_[i].name, strCat(row.node, ": ", row.record.text.empty() ? row.record.kind : row.record.text));
  }
}

// The first that is under way, else the first that waits.
void FollowedRuns::show() {
  const auto open = [](bool waiting) { return [waiting](const Entry& entry) { return !entry.ended && entry.waiting == waiting; }; };
  auto shown = std::ranges::find_if(entries_, open(false));
  if (shown == entries_.end()) shown = std::ranges::find_if(entries_, open(true));
  if (shown != entries_.end()) line_->show(static_cast<std::size_t>(shown - entries_.begin()), *shown);
}

// From the last to the first, so that none begins because another one ends.
void FollowedRuns::stopAll() {
  if (!suite_.empty()) {
    try {
      return client_.endSearch(suite_);
    } catch (const Error&) {  // it has just ended
    }
  }
  const std::vector<Entry> entries = entries_;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (!entry->ended) stop(entry->run);
  }
}

void FollowedRuns::stop(const std::string& run) {
  try {
    client_.stop(run);
  } catch (const Error&) {  // it has just ended
  }
}

bool FollowedRuns::allEnded() const {
  if (!std::ranges::all_of(entries_, &Entry::ended)) return false;
  const auto search = suite_.empty() ? std::nullopt : store::StoreReader(store_).search(suite_);
  return !search || search->ended;
}

void refuseFailures(const FollowedRuns& runs, const std::vector<Entry>& ended, std::size_t planned) {
  if (runs.interrupted())
    throw Error(Errc::kStopped, strCat("stopped on request", planned > ended.size() ? strCat("; ", planned - ended.size(), " of ", planned, " runs not begun, --resume goes on") : ""));
  const auto failed = [](const Entry& entry) { return entry.state != store::RunState::kFinished && entry.state != store::RunState::kStopped; };
  const auto count = std::ranges::count_if(ended, failed);
  if (count == 0) return;
  const Entry& bad = *std::ranges::find_if(ended, failed);
  const std::string what = strCat(bad.name, ": ", bad.text.empty() ? store::stateName(bad.state) : bad.text);
  throw Error(Errc::kSpec, count == 1 ? what : strCat(what, " (and ", count - 1, " more runs failed)"));
}

namespace {

int pipeEnds[2] = {-1, -1};  // a handler can reach nothing else
struct sigaction before[3];
constexpr int kSignals[3] = {SIGINT, SIGTERM, SIGPIPE};  // a reader of our output that goes away must not take the run with it
constexpr char kEnd = 'e';

void onSignal(int) {
  const int saved = errno;
  const char byte = 's';
  [[maybe_unused]] const auto written = ::write(pipeEnds[1], &byte, 1);
  errno = saved;
}

void watch(std::stop_source source) {
  char byte = 0;
  for (;;) {
    const auto n = ::read(pipeEnds[0], &byte, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || byte == kEnd) return;
    if (source.stop_requested()) ::_exit(130);
    source.request_stop();
  }
}

}  // namespace

Interrupt::Interrupt() {
  PACELINE_CHECK(pipeEnds[0] < 0, "one Interrupt at a time");
  if (::pipe2(pipeEnds, O_CLOEXEC) != 0) throw Error(Errc::kFile, "cannot make a pipe");
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (int i = 0; i < 3; ++i) {
    if (kSignals[i] == SIGPIPE) action.sa_handler = SIG_IGN;
    ::sigaction(kSignals[i], &action, &before[i]);
  }
  thread_ = std::thread(watch, source_);
}

Interrupt::~Interrupt() {
  for (int i = 0; i < 3; ++i) ::sigaction(kSignals[i], &before[i], nullptr);
  [[maybe_unused]] const auto written = ::write(pipeEnds[1], &kEnd, 1);
  thread_.join();
  ::close(pipeEnds[0]);
  ::close(pipeEnds[1]);
  pipeEnds[0] = pipeEnds[1] = -1;
}

}  // namespace paceline::cli
