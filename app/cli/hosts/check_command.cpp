// paceline hosts check | links: checks hosts and measures the links between them.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/hosts/parts.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cli/terminal_prompts.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> names;
  std::string only;
  bool json = false;
};

struct Checked {
  std::string name;
  std::vector<check::CheckLine> lines;
};

std::string mark(check::CheckState state) {
  switch (state) {
    case check::CheckState::kGood: return "✓ good";
    case check::CheckState::kWarning: return "! warning";
    case check::CheckState::kBad: return "✗ bad";
    case check::CheckState::kSkipped: return "- skipped";
    case check::CheckState::kWaiting:
    case check::CheckState::kRunning: break;
  }
  return strCat("· ", check::checkStateName(state));
}

bool isBad(const Checked& checked) {
  return std::any_of(checked.lines.begin(), checked.lines.end(), [](const check::CheckLine& line) { return line.state == check::CheckState::kBad; });
}

std::string checkText(const Checked& checked) {
  std::vector<std::vector<std::string>> rows;
  for (const check::CheckLine& line : checked.lines) rows.push_back({mark(line.state), line.title, line.found.empty() ? "-" : line.found, line.expected.empty() ? "-" : line.expected});
  std::string text = strCat(checked.name, "\n", tableText({"state", "check", "found", "expected"}, rows));
  for (const check::CheckLine& line : checked.lines)
    if (!line.advice.empty()) text += strCat("  ", mark(line.state), ": ", line.title, ": ", line.advice, "\n");
  return text;
}

Json checkJson(const std::vector<Checked>& all) {
  Json hosts = Json::array();
  for (const Checked& checked : all) {
    Json lines = Json::array();
    for (const check::CheckLine& line : checked.lines)
      lines.push_back({{"id", line.id}, {"title", line.title}, {"state", check::checkStateName(line.state)}, {"expected", line.expected}, {"found", line.found}, {"advice", line.advice}});
    hosts.push_back({{"name", checked.name}, {"state", worstWord(checked.lines)}, {"lines", lines}});
  }
  return {{"hosts", hosts}};
}

void refuseUnknownCheck(const std::string& only) {
  if (only.empty()) return;
  std::string known;
  for (const check::CheckLine& line : check::plannedChecks()) {
    if (line.id == only) return;
    known += (known.empty() ? "" : ", ") + line.id;
  }
  throw Error(Errc::kUsage, strCat("--only: check \"", quotable(only), "\" is not known; have ", known));
}

void check(const CheckArguments& arguments) {
  refuseUnknownCheck(arguments.only);
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  const std::vector<std::string> names = chosenHosts(book, arguments.names);
  std::vector<Checked> all(names.size());
  Interrupt interrupt;
  HostsLine line(isTerminal(STDERR_FILENO));
  TerminalPrompts prompts(interrupt.token(), [&](const std::string& told) { line.print(told); });
  const auto checkOne = [&](std::size_t i, const std::string& name) {
    const auto told = [&](const check::CheckLine& now) { line.tell(name, now.state == check::CheckState::kRunning ? now.title : strCat(now.title, " ", check::checkStateName(now.state))); };
    all[i].name = name;
    all[i].lines = check::checkHost(book, name, prompts, told, interrupt.token(), arguments.only);
    line.tell(name, "");
    if (!arguments.json && names.size() > 1) line.print(strCat(name, ": ", worstWord(all[i].lines)));
  };
  const std::vector<std::string> errors = onEachHost(names, checkOne);
  line.clear();
  if (arguments.json) std::cout << dumped(checkJson(all), 2) << '\n';
  for (std::size_t i = 0; i < all.size() && !arguments.json; ++i) std::cout << (i == 0 ? "" : "\n") << checkText(all[i]);
  std::cout.flush();
  refuseHostErrors(errors);
  if (interrupt.asked()) throw Error(Errc::kStopped, "stopped on request; checks left out are marked");
  std::vector<std::string> bad;
  for (const Checked& checked : all)
    if (isBad(checked)) bad.push_back(checked.name);
  if (!bad.empty()) throw Error(Errc::kHost, strCat(bad.size() == 1 ? "this host cannot be used: " : "these hosts cannot be used: ", listed(bad)));
}

struct LinksArguments {
  std::vector<std::string> names;
  bool json = false, last = false;
};

std::string linkCell(const std::vector<check::LinkMeasure>& links, const std::string& from, const std::string& to) {
  if (from == to) return ".";
  const auto found = std::find_if(links.begin(), links.end(), [&](const check::LinkMeasure& link) { return link.from == from && link.to == to; });
  if (found == links.end()) return "-";
  return found->reachable ? strCat(significant(found->mbps), " Mbit/s, ", significant(found->latencyMs), " ms") : "blocked";
}

std::string linksText(const std::vector<std::string>& names, const std::vector<check::LinkMeasure>& links) {
  std::vector<std::string> header = {"from \\ to"};
  header.insert(header.end(), names.begin(), names.end());
  std::vector<std::vector<std::string>> rows;
  for (const std::string& from : names) {
    std::vector<std::string> row = {from};
    for (const std::string& to : names) row.push_back(linkCell(links, from, to));
    rows.push_back(std::move(row));
  }
  return tableText(header, rows);
}

Json linksJson(const std::vector<check::LinkMeasure>& links) {
  Json all = Json::array();
  for (const check::LinkMeasure& link : links)
    all.push_back({{"from", link.from}, {"to", link.to}, {"reachable", link.reachable}, {"mbps", jsonNumber(link.mbps)}, {"latency_ms", jsonNumber(link.latencyMs)}, {"problem", link.problem}});
  return {{"links", all}};
}

// Only those between the named hosts.
std::vector<check::LinkMeasure> measuredBefore(const std::vector<std::string>& names) {
  std::vector<check::LinkMeasure> links = hosts::loadLinks();
  const auto named = [&](const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  std::erase_if(links, [&](const check::LinkMeasure& link) { return !named(link.from) || !named(link.to); });
  return links;
}

void links(const LinksArguments& arguments) {
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  const std::vector<std::string> names = chosenHosts(book, arguments.names);
  if (names.size() < 2) throw Error(Errc::kUsage, "links are between hosts; name two or more");
  Interrupt interrupt;
  HostsLine line(isTerminal(STDERR_FILENO));
  TerminalPrompts prompts(interrupt.token(), [&](const std::string& told) { line.print(told); });
  std::size_t done = 0;
  const auto told = [&](const check::LinkMeasure& link) { line.tell(strCat(++done, " of ", names.size() * (names.size() - 1)), strCat(link.from, " to ", link.to)); };
  const std::vector<check::LinkMeasure> found = arguments.last ? measuredBefore(names) : check::measureLinks(book, names, prompts, told, interrupt.token());
  line.clear();
  if (!arguments.last) hosts::keepLinks(found);
  if (arguments.json) std::cout << dumped(linksJson(found), 2) << '\n';
  else std::cout << linksText(names, found);
  std::cout.flush();
  std::vector<std::string> problems;
  for (const check::LinkMeasure& link : found)
    if (!link.reachable) problems.push_back(link.problem);
  for (std::size_t i = 0; i + 1 < problems.size(); ++i) std::cerr << problems[i] << '\n';
  if (!problems.empty()) throw Error(Errc::kHost, problems.back());
  if (interrupt.asked()) throw Error(Errc::kStopped, "stopped on request; not every link was measured");
}

}  // namespace

void addHostsCheckCommands(CLI::App& hosts, Shared&) {
  auto checking = std::make_shared<CheckArguments>();
  CLI::App* command = hosts.add_subcommand("check", "Checks hosts: expectation, finding and remedy, a line each. Exit code 1 when a host cannot be used.");
  command->add_option("names", checking->names, "hosts; default: all")->type_name("HOST");
  command->add_option("--only", checking->only, "one check and its prerequisites, as clock")->type_name("ID");
  command->add_flag("--json", checking->json, "print one JSON document and nothing else");
  command->callback([checking] { check(*checking); });

  auto linking = std::make_shared<LinksArguments>();
  command = hosts.add_subcommand("links", "Measures bandwidth and latency between hosts, each way.");
  command->add_option("names", linking->names, "two or more; default: all")->type_name("HOST");
  command->add_flag("--last", linking->last, "show the last measurements, measure nothing");
  command->add_flag("--json", linking->json, "print one JSON document and nothing else");
  command->callback([linking] { links(*linking); });
}

}  // namespace paceline::cli
