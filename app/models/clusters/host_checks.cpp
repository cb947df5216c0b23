#include "app/models/clusters/host_checks.h"

#include <algorithm>

namespace paceline::clusters {
namespace {

constexpr int kAtOnce = 8;  // hosts; a check waits for the network most of the time

// Lines that a check of `only` repeats wait from now on; the others stay.
std::vector<check::CheckLine> begun(std::vector<check::CheckLine> lines, const std::string& only) {
  if (lines.empty() || only.empty()) lines = check::plannedChecks();
  for (check::CheckLine& line : lines)
    if (only.empty() || line.id == only) line.state = check::CheckState::kWaiting, line.found.clear(), line.advice.clear();
  return lines;
}

}  // namespace

HostChecks::HostChecks(HostsModel& hosts, GuiPrompts& prompts, QObject* parent)
    : QObject(parent), hosts_(hosts), prompts_(prompts), pool_(kAtOnce) {
  connect(&prompts_, &GuiPrompts::waits, this, [this](const QString& host, const QString& why) {
    hosts_.change(host.toStdString(), [&why](HostItem& item) { item.waiting = why; });
  });
}

HostChecks::~HostChecks() {
  for (auto& [host, source] : stops_) source.request_stop();
}

void HostChecks::check(const std::string& host, const std::string& only) {
  if (stops_.contains(host) || !hosts_.find(host)) return;
  const std::stop_token asked = stops_[host].get_token();
  hosts_.change(host, [&only](HostItem& item) {
    item.lines = begun(std::move(item.lines), only);
    item.checking = true;
    item.failure.clear();
  });
  const auto work = [this, services = hosts_.services(), book = hosts_.book(), host, only, asked](const std::stop_token& closing) {
    const EitherStop stop(asked, closing);
    const auto tell = [this, host](const check::CheckLine& line) { onGuiThread(this, [this, host, line] { onLine(host, line); }); };
    if (!stop.asked()) services.check(book, host, *prompts_.forOneTask(stop.token()), tell, stop.token(), only);
    return services.facts(host);
  };
  inBackground(pool_, this, work, [this, host](const std::optional<hosts::HostFacts>& facts, const QString& error) { onEnded(host, facts, error); });
  emit changed();
}

void HostChecks::checkAll() {
  std::vector<std::string> names;
  for (const HostItem& item : hosts_.items()) names.push_back(item.entry.name);
  for (const std::string& name : names) check(name);
}

void HostChecks::stop(const std::string& host) {
  const auto source = stops_.find(host);
  if (source != stops_.end()) source->second.request_stop();
}

void HostChecks::onLine(const std::string& host, const check::CheckLine& line) {
  hosts_.change(host, [&line](HostItem& item) {
    const auto same = std::find_if(item.lines.begin(), item.lines.end(), [&line](const check::CheckLine& each) { return each.id == line.id; });
    if (same == item.lines.end()) return item.lines.push_back(line);
    *same = line;
  });
}

void HostChecks::onEnded(const std::string& host, const std::optional<hosts::HostFacts>& facts, const QString& error) {
  stops_.erase(host);
  hosts_.change(host, [&](HostItem& item) {
    item.checking = false;
    item.waiting.clear();
    item.failure = error;
    if (facts) item.figures = figuresOf(*facts);
    // Stopped before these.
    for (check::CheckLine& line : item.lines)
      if (line.state == check::CheckState::kRunning || line.state == check::CheckState::kWaiting) line.state = check::CheckState::kSkipped, line.found = "not checked";
  });
  emit changed();
  emit ended(QString::fromStdString(host));
}

}  // namespace paceline::clusters
