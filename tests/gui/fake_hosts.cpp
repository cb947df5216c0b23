#include "tests/gui/fake_hosts.h"

#include <algorithm>

namespace paceline::tests {
namespace {

std::string probeOf(int cpus, int gpus) {
  std::string list;
  for (int i = 0; i < gpus; ++i) list += strCat(i > 0 ? "," : "", R"j({"index": )j", i, R"j(, "name": "NVIDIA A100", "memory_bytes": 42949672960})j");
  return strCat(R"j({"hostname": "node", "os": "Debian GNU/Linux 12 (bookworm)", "arch": "x86_64", "kernel": "6.1.0",
    "cpu_model": "AMD EPYC 7543", "cpus_usable": )j",
                cpus, R"j(, "cpus_installed": )j", cpus,
                R"j(, "memory_total_bytes": 68719476736, "memory_free_bytes": 51539607552, "disk_free_bytes": 107374182400, "libc": "2.36",
    "torch_version": "1.13.0", "torch_library": "/usr/lib/x86_64-linux-gnu/libtorch_cpu.so.1.13.0",
    "interfaces": [{"name": "lo", "up": true, "loopback": true, "addresses": ["127.0.0.1"]},
                   {"name": "eth0", "up": true, "loopback": false, "addresses": ["192.168.1.5", "fe80::1"]},
                   {"name": "ib0", "up": true, "loopback": false, "addresses": ["10.10.0.5"]},
                   {"name": "eth1", "up": false, "loopback": false, "addresses": ["172.16.0.9"]}], "gpus": [)j",
                list, "]}");
}

void note(const std::shared_ptr<FakeHosts>& fake, const std::string& call) {
  const std::lock_guard lock(fake->mutex);
  fake->called.push_back(call);
}

std::vector<check::CheckLine> fakeCheck(const std::shared_ptr<FakeHosts>& fake, const std::string& host, const clusters::HostServices::OnLine& onLine,
                                 const std::stop_token& stop, const std::string& only) {
  note(fake, strCat("check ", host, only.empty() ? "" : " ", only));
  std::vector<check::CheckLine> lines;
  {
    const std::lock_guard lock(fake->mutex);
    lines = fake->answers.contains(host) ? fake->answers[host] : std::vector{checkLine("reachable", check::CheckState::kGood, "1 ms")};
  }
  for (const check::CheckLine& line : lines)
    if (!stop.stop_requested() && (only.empty() || line.id == only)) onLine(line);
  const std::lock_guard lock(fake->mutex);
  if (!stop.stop_requested() && fake->facts.contains(host)) fake->facts[host].lines = lines;
  return lines;
}

}  // namespace

check::CheckLine checkLine(const std::string& id, check::CheckState state, const std::string& found, const std::string& advice) {
  for (check::CheckLine line : check::plannedChecks())
    if (line.id == id) {
      line.state = state, line.found = found, line.advice = advice;
      return line;
    }
  throw Error(Errc::kUsage, strCat("no such check: ", id));
}

void FakeHosts::add(const std::string& name, const std::string& address) {
  hosts::HostEntry entry;
  entry.name = name;
  entry.address = address;
  const std::lock_guard lock(mutex);
  book.put(entry);
}

void FakeHosts::measured(const std::string& name, int cpus, int gpus, double speed) {
  hosts::HostFacts known{.name = name, .checkedUtc = "2025-01-02T03:04:05Z", .probe = probeOf(cpus, gpus), .speed = speed, .lines = {}};
  for (check::CheckLine line : check::plannedChecks()) {
    line.state = check::CheckState::kGood;
    known.lines.push_back(line);
  }
  const std::lock_guard lock(mutex);
  facts[name] = known;
}

bool FakeHosts::wasCalled(const std::string& call) {
  const std::lock_guard lock(mutex);
  return std::find(called.begin(), called.end(), call) != called.end();
}

std::shared_ptr<FakeHosts> fakeHosts() { return std::make_shared<FakeHosts>(); }

clusters::HostServices servicesOf(const std::shared_ptr<FakeHosts>& fake) {
  clusters::HostServices services;
  services.load = [fake] { return std::lock_guard(fake->mutex), fake->book; };
  services.save = [fake](const hosts::HostRegistry& book) {
    const std::lock_guard lock(fake->mutex);
    if (!fake->saveError.empty()) throw Error(Errc::kFile, fake->saveError);
    fake->book = book;
  };
  services.facts = [fake](const std::string& host) -> std::optional<hosts::HostFacts> {
    const std::lock_guard lock(fake->mutex);
    return fake->facts.contains(host) ? std::optional(fake->facts[host]) : std::nullopt;
  };
  services.forget = [fake](const std::string& host) { std::lock_guard(fake->mutex), fake->facts.erase(host); };
  services.links = [fake] { return std::lock_guard(fake->mutex), fake->links; };
  services.check = [fake](const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&, const clusters::HostServices::OnLine& onLine, std::stop_token stop,
                          const std::string& only) { return fakeCheck(fake, host, onLine, stop, only); };
  services.measure = [fake](const hosts::HostRegistry&, const std::vector<std::string>&, hosts::CredentialPrompts&, const clusters::HostServices::OnLink& onLink, std::stop_token) {
    note(fake, "measure");
    const std::vector<check::LinkMeasure> links = [&] { return std::lock_guard(fake->mutex), fake->links; }();
    for (const check::LinkMeasure& link : links) onLink(link);
    return links;
  };
  services.deploy = [fake](const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&, const deploy::DeployOptions& options) {
    note(fake, strCat("deploy ", host));
    const std::lock_guard lock(fake->mutex);
    for (const deploy::DeployProgress& progress : fake->sending) options.onProgress(progress);
    if (!fake->deployError.empty()) throw Error(Errc::kHost, fake->deployError);
  };
  services.disk = [fake](const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&) {
    note(fake, strCat("disk ", host));
    return std::lock_guard(fake->mutex), fake->disk;
  };
  services.clean = [fake](const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&, bool spools) {
    note(fake, strCat(spools ? "clean spools " : "clean ", host));
    const std::lock_guard lock(fake->mutex);
    std::erase_if(fake->disk.versions, [](const deploy::InstalledVersion& version) { return !version.current; });
    return std::int64_t{1000};
  };
  services.aliases = [] { return std::vector<std::string>{"gpu-a", "gpu-b"}; };
  services.import = [fake](const hosts::HostRegistry&, const std::string&, const std::string&) { return std::lock_guard(fake->mutex), fake->imported; };
  return services;
}

}  // namespace paceline::tests
