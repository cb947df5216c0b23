// From Run to the first iteration on eight machines behind real SSH servers, with the programs there already; what is measured of a link.
#include <algorithm>
#include <map>
#include <optional>

#include "app/cluster/hosts/access.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/cluster/run/run_session.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/base/error.h"
#include "tests/bench/bench.h"
#include "tests/bench/temp_folder.h"
#include "tests/probe/shaped_networks.h"
#include "tests/ssh/sshd_fixture.h"

namespace paceline::bench {
namespace {

constexpr int kHosts = 8;

RunSpec specOnEightHosts() {
  std::string nodes;
  for (int i = 0; i < kHosts; ++i) nodes += strCat(i == 0 ? "" : ", ", R"({"id": "w)", i, R"(", "host": "bench)", i, R"("})");
  const ParsedSpec parsed = parseRunSpec(strCat(R"({"paceline": 1, "name": "start", "algorithm": {"id": "ssgd"}, "aggregation": {"id": "ring"},
    "model": {"id": "logistic"}, "dataset": {"id": "synthetic"}, "evaluate": {"every_rounds": 0}, "stop": {"rounds": 3}, "nodes": [)", nodes, "]}"));
  PACELINE_CHECK(!hasErrors(parsed.findings), "the document of the bench");
  std::vector<std::string> hosts;
  for (int i = 0; i < kHosts; ++i) hosts.push_back(strCat("bench", i));
  const ParsedSpec checked = validate(parsed.spec, worker::describeLocal(), hosts);
  PACELINE_CHECK(!hasErrors(checked.findings), "the document of the bench does not fit the catalogue");
  return checked.spec;
}

double secondsToFirstIteration(run::RecordWriter& records, const RunSpec& spec, const hosts::HostOpener& opener) {
  std::optional<double> first;
  const double begin = secondsNow();
  const run::RunOutcome outcome = run::RunSession({records, {.onEvent = [&](const StampedEvent& event) {
    if (!first && std::holds_alternative<RoundRecord>(event.event)) first = secondsNow() - begin;
  }}, opener}).run(spec);
  if (outcome.state != store::RunState::kFinished || !first) throw Error(Errc::kData, strCat("the run on eight hosts: ", outcome.error));
  return *first;
}

// OpenSSH's own client on one of them: what a connection costs without us.
double bareSshSeconds(const hosts::HostEntry& host) {
  const double begin = secondsNow();
  const auto here = hosts::localHost();
  const auto ssh = here->start({"ssh", "-F", "none", "-i", host.identity, "-o", strCat("UserKnownHostsFile=", host.knownHosts), "-o", "BatchMode=yes",
                                "-p", std::to_string(host.port), strCat(host.user, "@", host.address), "true"});
  if (const hosts::ProcessEnd end = ssh->wait(); end.code != 0) throw Error(Errc::kHost, strCat("ssh true: ", end.errors));
  return secondsNow() - begin;
}

}  // namespace

Result startOnEightHosts() {
  if (const std::string why = tests::noTestSshd(); !why.empty()) throw Lacking(why);
  const TempFolder folder{};
  std::vector<std::unique_ptr<tests::TestSshd>> machines;
  hosts::HostRegistry book = hosts::HostRegistry::load(folder.path + "/hosts.json");
  for (int i = 0; i < kHosts; ++i) {
    machines.push_back(std::make_unique<tests::TestSshd>(tests::SshdOptions{.name = strCat("bench", i)}));
    book.put(machines.back()->entry());
  }
  const auto asked = hosts::nobody();
  const hosts::HostOpener opener = hosts::bookOpener(book, *asked);
  for (int i = 0; i < kHosts; ++i) opener(strCat("bench", i), {});  // the programs are there from now on
  run::RecordWriter records(folder.path + "/paceline.db");
  const RunSpec spec = specOnEightHosts();
  secondsToFirstIteration(records, spec, opener);
  std::vector<double> starts, bare;
  for (int i = 0; i < 3; ++i) {
    starts.push_back(secondsToFirstIteration(records, spec, opener));
    bare.push_back(bareSshSeconds(machines.front()->entry()));
  }
  return {.id = "start_eight_hosts", .value = median(starts), .unit = "s", .target = 3, .higherIsBetter = false,
          .note = "from Run to the first closed round on eight machines behind real sshd on this computer, programs cached, data protected as \"auto\" chooses; median of 3",
          .inputs = {{"ssh_true_s", median(bare)}, {"ratio_to_ssh_true", median(starts) / median(bare)}, {"hosts", kHosts}}};
}

// What the check of links says of one whose rate is known. Both directions, the lower one.
Result linkMeasured(const std::string& agent) {
  constexpr double kMbps = 1000;
  tests::ShapedNetworks networks(agent);
  if (const std::string why = networks.make(); !why.empty()) throw Lacking(why);
  if (!networks.shape("1gbit")) throw Lacking("this system shapes no links");
  std::vector<double> ratios;
  for (int i = 0; i < 3; ++i) {
    const std::vector<check::LinkMeasure> links = networks.measure();
    for (const check::LinkMeasure& link : links)
      if (!link.reachable) throw Error(Errc::kHost, link.problem);
    ratios.push_back(std::min(links.at(0).mbps, links.at(1).mbps) / (kMbps * tests::kPayload));
  }
  return {.id = "link_measured_1gbit", .value = median(ratios), .target = 0.9, .higherIsBetter = true,
          .note = "measured rate of a link behind tc tbf at 1 Gbit/s, over what that carries as payload; the slower direction, median of 3",
          .inputs = {{"lowest_ratio", std::ranges::min(ratios)}, {"highest_ratio", std::ranges::max(ratios)}}};
}

}  // namespace paceline::bench
