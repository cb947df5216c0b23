#include "app/cli/hosts/parts.h"

#include <algorithm>
#include <iostream>
#include <thread>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "engine/core/base/error.h"

namespace paceline::cli {

std::vector<std::string> chosenHosts(const hosts::HostRegistry& book, const std::vector<std::string>& names) {
  if (names.empty()) return book.names();
  std::vector<std::string> chosen;
  for (const std::string& name : names) {
    book.require(name);
    if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
  }
  return chosen;
}

std::vector<std::string> onEachHost(const std::vector<std::string>& names, const std::function<void(std::size_t, const std::string&)>& act) {
  std::vector<std::string> errors(names.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < names.size(); ++i)
    threads.emplace_back([&, i] {
      try {
        act(i, names[i]);
      } catch (const std::exception& error) {
        errors[i] = error.what();
      }
    });
  threads.clear();  // joins
  return errors;
}

void refuseHostErrors(const std::vector<std::string>& errors) {
  const auto first = std::find_if(errors.begin(), errors.end(), [](const std::string& error) { return !error.empty(); });
  if (first == errors.end()) return;
  const auto more = errors.size() - 1 - static_cast<std::size_t>(std::count(errors.begin(), errors.end(), ""));
  throw Error(Errc::kHost, more == 0 ? *first : strCat(*first, " (and ", more, more == 1 ? " more host failed)" : " more hosts failed)"));
}

void HostsLine::tell(const std::string& host, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (text.empty()) parts_.erase(host);
  else parts_[host] = text;
  draw();
}

void HostsLine::print(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (shown_) eraseLine();
  std::cerr << line << '\n';
  draw();
}

void HostsLine::clear() {
  const std::lock_guard lock(mutex_);
  parts_.clear();
  draw();
}

void HostsLine::draw() {
  constexpr std::size_t kMost = 150;
  if (!shown_) return;
  std::string text;
  for (const auto& [host, part] : parts_) text += strCat(text.empty() ? "" : " | ", host, ": ", part);
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  eraseLine();
  std::cerr << text << std::flush;
}

std::string transferText(std::int64_t done, std::int64_t total, double bytesPerSecond, double secondsLeft) {
  const std::string speed = strCat(bytesText(static_cast<std::int64_t>(bytesPerSecond)), "/s");
  if (total <= 0) return strCat(bytesText(done), ", ", speed);
  const double fraction = static_cast<double>(done) / static_cast<double>(total);
  constexpr int kCells = 20;
  const int full = static_cast<int>(fraction * kCells);
  std::string bar;
  for (int i = 0; i < kCells; ++i) bar += i < full ? "█" : "░";
  return strCat(bar, " ", decimals(100 * fraction, 0), " % of ", bytesText(total), ", ", speed, ", ", durationText(secondsLeft), " left");
}

std::string worstWord(const std::vector<check::CheckLine>& lines) {
  const auto has = [&](check::CheckState state) { return std::any_of(lines.begin(), lines.end(), [state](const check::CheckLine& line) { return line.state == state; }); };
  if (has(check::CheckState::kBad)) return check::checkStateName(check::CheckState::kBad);
  if (has(check::CheckState::kWarning)) return check::checkStateName(check::CheckState::kWarning);
  return has(check::CheckState::kGood) ? check::checkStateName(check::CheckState::kGood) : "not checked";
}

// paceline hosts ...: the machines a spec may name.
void addHostsCommand(CLI::App& app, Shared& shared) {
  CLI::App* hosts = app.add_subcommand("hosts", "The hosts that a spec may name: \"local\" is always there, the others are in $PACELINE_HOSTS or the user's configuration.");
  hosts->require_subcommand(1);
  addHostsListCommands(*hosts, shared);
  addHostsBookCommands(*hosts, shared);
  addHostsCheckCommands(*hosts, shared);
  addHostsDeployCommands(*hosts, shared);
  addHostsPlaceCommand(*hosts, shared);
}

}  // namespace paceline::cli
