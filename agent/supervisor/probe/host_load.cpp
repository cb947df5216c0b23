#include "agent/supervisor/probe/facts.h"

#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

namespace paceline::probe {
namespace {

std::pair<std::int64_t, std::int64_t> cpuTicks() {  // busy, all
  std::ifstream file("/proc/stat");
  std::string name;
  std::int64_t user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0;
  file >> name >> user >> nice >> system >> idle >> ioWait >> irq >> softIrq >> steal;
  const std::int64_t busy = user + nice + system + irq + softIrq + steal;
  return {busy, busy + idle + ioWait};
}

void readMemory(HostLoad& load) {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::int64_t kib = 0, total = 0, available = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    fields >> key >> kib;
    if (key == "MemTotal:") total = kib;
    if (key == "MemAvailable:") available = kib;
  }
  load.memoryTotalBytes = total * 1024;
  load.memoryUsedBytes = (total - available) * 1024;
}

void readNetwork(HostLoad& load) {
  std::ifstream file("/proc/net/dev");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;  // the two lines of headings
    std::istringstream fields(line.substr(colon + 1));
    std::int64_t received = 0, skipped = 0, sent = 0;
    fields >> received;
    for (int i = 0; i < 7; ++i) fields >> skipped;
    fields >> sent;
    load.networkReceivedBytes += received;
    load.networkSentBytes += sent;
  }
}

}  // namespace

HostLoadMeter::HostLoadMeter() { std::tie(busy_, all_) = cpuTicks(); }

HostLoad HostLoadMeter::measure() {
  HostLoad load{.t = unixNow()};
  const auto [busy, all] = cpuTicks();
  if (all > all_) load.cpu = static_cast<double>(busy - busy_) / static_cast<double>(all - all_);
  std::tie(busy_, all_) = std::pair(busy, all);
  readMemory(load);
  readNetwork(load);
  return load;
}

}  // namespace paceline::probe
