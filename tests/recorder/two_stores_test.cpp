// Two stores with a recorder each and runs over the same two hosts, which got one host each: none waits for the other for ever.
#include <gmock/gmock.h>

#include <algorithm>
#include <latch>
#include <mutex>

#include "tests/recorder/recorder_fixture.h"

namespace paceline::tests {
namespace {

using recorder::Client;
using recorder::Entry;

// The way to both hosts of one store. Its run gets `first`, and `second` is only asked for when the other store's run has that.
struct Way {
  std::latch hasFirst{1};
  std::once_flag once;
  std::map<std::string, std::shared_ptr<Cable>> cables{{"a", std::make_shared<Cable>()}, {"b", std::make_shared<Cable>()}};

  void set(const std::string& first, const std::string& second, Way& other) {
    cables.at(first)->onSaid = [this](std::string_view request) {  // orders follow the launch
      if (request.find(R"("request":"input")") != std::string_view::npos) std::call_once(once, [this] { hasFirst.count_down(); });
    };
    cables.at(second)->onSaid = [&other](std::string_view request) {
      if (request.find(R"("request":"launch")") != std::string_view::npos) other.hasFirst.wait();
    };
  }
};

class TwoStores : public RecorderTest {
 protected:
  recorder::ServiceOptions options(const std::string& store, const Way& way) {
    const auto openHosts = [this, &way](const std::string&, hosts::CredentialPrompts&) -> hosts::HostOpener {
      return [this, &way](const std::string& name, const hosts::HostNeeds& needs) {
        hosts::ReadyHost ready = opener()(name, needs);
        ready.host = behind(std::move(ready.host), way.cables.at(name));
        return ready;
      };
    };
    return {.storePath = store, .idleSeconds = 1e9, .openHosts = openHosts, .times = quick()};
  }
};

TEST_F(TwoStores, ARunThatWaitsGivesBackWhatTheOtherWaitsFor) {
  const std::string store = storePath(), otherStore = storePath() + ".other";
  Way way, otherWay;
  way.set("a", "b", otherWay);
  otherWay.set("b", "a", way);
  const Serving serving(options(store, way)), otherServing(options(otherStore, otherWay));
  Client desk(store), otherDesk(otherStore);
  RunSpec spec = FleetTest::spec(20), otherSpec = spec;
  spec.name = "one", otherSpec.name = "other";
  const std::string run = desk.submit(submission({spec}))[0].run, other = otherDesk.submit(submission({otherSpec}))[0].run;
  awaited(desk, run, [](const Entry& entry) { return entry.text == "waits for other on b"; });
  awaited(otherDesk, other, [](const Entry& entry) { return entry.text == "waits for one on a"; });

  for (auto& [client, path, id] : {std::tuple(&desk, store, run), std::tuple(&otherDesk, otherStore, other)}) {
    const Entry last = ended(*client, id);
    EXPECT_EQ(last.state, store::RunState::kFinished) << last.text;
    for (const char* node : {"w0", "w1"}) EXPECT_EQ(std::ranges::count(store::StoreReader(path).rounds(id), node, &store::RoundRow::node), 20) << node;
  }
  expectNothingLeftOn({"a", "b"});
}

}  // namespace
}  // namespace paceline::tests
