// A node for tests, without training: does what its arguments ("do ...") or the notes of its document ("run") say.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "agent/node/fork_server.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/control.h"
#include "engine/core/record/dates.h"
#include "engine/core/record/event.h"
#include "engine/core/record/forks.h"

namespace paceline::tests {
namespace {

void say(const Event& event) { std::cout << toLine(event) << std::endl; }
void say(const std::string& kind, const std::string& text, const std::string& reason = "") {
  say(NoticeRecord{.kind = kind, .text = text, .level = "info", .reason = reason, .code = 0, .unixTime = recordDates().now()});
}
void sayRounds(std::int64_t first, std::int64_t count) {
  RoundRecord record;
  record.samples = 10;
  for (record.round = first; record.round < first + count; ++record.round) std::cout << toLine(Event(record)) << "\n";
  std::cout.flush();
}

// A process that leaves its parent, its group and its session, as daemons do.
void leaveDaemon() {
  if (::fork() != 0) return;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  say("note", std::to_string(::getpid()), "daemon");
  for (;;) ::pause();
}

// A daemon that nothing in its environment gives away.
void hideDaemon() {
  if (::fork() != 0) return;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  ::signal(SIGTERM, SIG_IGN);
  char* nothing[] = {nullptr};
  ::execle("/proc/self/exe", "hidden", "do", "hang", nullptr, nothing);
  ::_exit(127);
}

void burst(int count) {  // children that fork on while they are killed
  for (int i = 0; i < count; ++i)
    if (::fork() == 0) {
      for (int more = 0; more < 3; ++more)
        if (::fork() < 0) break;
      for (;;) ::pause();
    }
}

void eatMemory() {
  for (;;) {
    auto* block = new std::vector<char>(16 << 20, 'x');
    if (block->empty()) delete block;
  }
}

void sayVariable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  say("note", value == nullptr ? "(none)" : value, "env");
}

// Says what is in its journal, and adds something.
void useJournal(const std::string& more) {
  const char* number = std::getenv(kJournalVariable);
  if (number == nullptr) return say("note", "(none)", "journal");
  const int memory = std::atoi(number);
  char there[100] = "";
  const ssize_t length = ::pread(memory, there, sizeof there, 0);
  say("note", std::string(there, static_cast<std::size_t>(std::max<ssize_t>(0, length))), "journal");
  [[maybe_unused]] const ssize_t written = ::pwrite(memory, more.data(), more.size(), length);
}

void act(const std::string& action) {
  const std::size_t colon = action.find(':');
  const std::string name = action.substr(0, colon), value = colon == std::string::npos ? "" : action.substr(colon + 1);
  if (name == "rounds") return sayRounds(1, std::stoll(value));
  if (name == "err") std::cerr << value << std::endl;
  else if (name == "raw") std::cout << value << std::endl;
  else if (name == "long") std::cout << std::string(std::stoul(value), 'x') << std::endl;
  else if (name == "ignore-term") ::signal(SIGTERM, SIG_IGN);
  else if (name == "hang") for (;;) ::pause();
  else if (name == "exit") std::_Exit(std::stoi(value));
  else if (name == "kill") ::raise(std::stoi(value));
  else if (name == "daemon") leaveDaemon();
  else if (name == "hide") hideDaemon();
  else if (name == "burst") burst(std::stoi(value));
  else if (name == "eat") eatMemory();
  else if (name == "hold") [[maybe_unused]] const int held = ::open(value.c_str(), O_WRONLY);  // by all that it starts, too
  else if (name == "env") sayVariable(value);
  else if (name == "journal") useJournal(value);
  else if (name == "wait") for (std::string line; std::getline(std::cin, line);) say("note", line, "input");
  else say(name, value, value);
}

std::map<std::string, std::string> habitsOf(const Prepare& prepare) {  // notes: "w1=die_at:5;w0=hang"
  std::map<std::string, std::string> habits;
  std::istringstream notes(prepare.spec.notes);
  const std::string self = prepare.spec.nodes[static_cast<std::size_t>(prepare.node)].id + "=";
  for (std::string habit; std::getline(notes, habit, ';');)
    if (habit.starts_with(self)) {
      const std::string action = habit.substr(self.size());
      habits[action.substr(0, action.find(':'))] = action.find(':') == std::string::npos ? "" : action.substr(action.find(':') + 1);
    }
  return habits;
}

bool askedToStop(int waitMs) {  // is there an order to stop, or the end of orders?
  pollfd polled{STDIN_FILENO, POLLIN, 0};
  if (std::cin.rdbuf()->in_avail() <= 0 && ::poll(&polled, 1, waitMs) <= 0) return false;
  std::string line;
  return !std::getline(std::cin, line) || std::holds_alternative<Stop>(parseControl(line));
}

int fail(const std::string& text, const std::string& reason = {}) {
  say("failed", text, reason);
  return 1;
}

int runNode() {
  std::string line;
  if (!std::getline(std::cin, line)) return 1;
  const auto prepare = std::get<Prepare>(parseControl(line));
  const auto habits = habitsOf(prepare);
  const auto at = [&](const char* habit, std::int64_t round) { return habits.contains(habit) && std::stoll(habits.at(habit)) == round; };
  if (habits.contains("refuse")) return fail("data is not here");
  say("note", prepare.keys.mode + ", " + std::to_string(prepare.keys.publics.size()) + " public keys, a secret of " + std::to_string(prepare.keys.secret.size()),
      "keys");
  const std::string address = prepare.bind == "ipc" ? "ipc://private/" : "tcp://" + prepare.bind + ":";
  if (!habits.contains("mute")) say("listening", address + std::to_string(40000 + prepare.node));
  if (!std::getline(std::cin, line)) return 1;
  if (std::holds_alternative<Stop>(parseControl(line))) return say("finished", "asked", "asked"), 0;
  if (habits.contains("stubborn")) ::signal(SIGTERM, SIG_IGN);
  say("started", std::get<Start>(parseControl(line)).endpoints.at(static_cast<std::size_t>(prepare.node)));
  const std::int64_t rounds = prepare.spec.stop.rounds.value_or(10), done = habits.contains("resumed") ? std::stoll(habits.at("resumed")) : 0;
  if (done > 0) say(NoticeRecord{.kind = "note", .text = "goes on", .level = "info", .reason = "resumed", .code = done, .unixTime = recordDates().now()});
  if (habits.contains("env")) sayVariable(habits.at("env"));
  for (std::int64_t round = done + 1; round <= rounds; ++round) {
    if (askedToStop(2) && !habits.contains("stubborn")) return say("finished", "asked", "asked"), 0;
    if (at("checkpoint_at", round)) say("note", "checkpoint of round " + std::to_string(round), "checkpoint");
    if (at("die_at", round)) ::raise(SIGKILL);
    if (at("freeze_at", round)) say("beat", ""), ::raise(SIGSTOP);
    if (at("fail_at", round)) return fail("data has a hole");
    if (at("lose_at", round)) return fail("w1 is gone: its connection closed", "peer_lost");
    if (prepare.spec.nodes[static_cast<std::size_t>(prepare.node)].role == Role::kWorker) sayRounds(round, 1);
  }
  say("finished", "rounds", "rounds");
  return 0;
}

// Forked nodes do what the server's first message says of them: {"w0": ["rounds:3", "hang"]}; where it is a document, what "run" does. "refuse": it cannot load.
int serveForks() {
  Json actions;
  const auto load = [&](const std::string& first) {
    actions = jsonFrom(first, "the actions");
    if (actions.contains("refuse")) throw Error(Errc::kData, "data is not here");
    if (actions.contains("thread")) std::thread([] { for (;;) ::pause(); }).detach();
  };
  return node::serveForks(load, [&] {
    if (actions.contains("paceline")) return runNode();
    const std::string mark = std::getenv(kNodeVariable);
    const std::size_t from = mark.find('/') + 1;
    for (const Json& action : actions.at(mark.substr(from, mark.find('@') - from))) act(action.get<std::string>());
    return 0;
  });
}

int simulate() {
  std::stringstream text;
  text << std::cin.rdbuf();
  const RunSpec spec = parseRunSpec(text.str()).spec;
  if (spec.notes == "boom") return std::cerr << "paceline-worker: /algorithm/id is not to its liking\n", 1;
  for (const int worker : spec.workers())
    for (RoundRecord record; record.round < spec.stop.rounds.value_or(10);) {
      ++record.round;
      std::cout << "{\"node\":\"" << spec.nodes[static_cast<std::size_t>(worker)].id << "\"," << toLine(Event(record)).substr(1) << std::endl;
      if (spec.notes == "slow") ::usleep(2000);
    }
  return 0;
}

}  // namespace

int fakeNode(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (!words.empty() && words[0] == "run") return runNode();
  if (!words.empty() && words[0] == "fork") return serveForks();
  if (!words.empty() && words[0] == "describe") {
    if (const char* log = std::getenv("FAKE_DESCRIBE_LOG")) std::system(("echo described >> " + std::string(log)).c_str());
    std::cout << std::getenv("FAKE_CATALOG") << std::endl;
    return 0;
  }
  if (!words.empty() && words[0] == "simulate") return simulate();
  for (std::size_t i = 1; i < words.size(); ++i) act(words[i]);
  return 0;
}

}  // namespace paceline::tests

int main(int count, char** arguments) { return paceline::tests::fakeNode(count, arguments); }
