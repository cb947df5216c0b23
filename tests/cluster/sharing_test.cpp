// Several runs, and several stores, on one host: it trains one at a time unless it is told otherwise, and what shared it is recorded.
#include <gmock/gmock.h>

#include <future>

#include "tests/cluster/fleet_fixture.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

class Sharing : public FleetTest {
 protected:
  static RunSpec named(const std::string& name, std::int64_t rounds) {
    RunSpec spec = ClusterTest::spec(rounds);
    spec.name = name;
    return spec;
  }
  std::string otherStore() const { return storePath() + ".other"; }
  void copyFirst(run::RecordWriter& others, const std::string& source, store::RunState state) const {
    store::RunRow copy = store::StoreReader(storePath()).runs().at(0);
    copy.source = source, copy.state = state;
    others.withWriter([&copy](store::StoreWriter& store) { store.createRun(copy, {}); });
  }

  // A run without an end in the first store, which `meanwhile` sees running and has to stop.
  run::RunOutcome beside(const std::function<void(const std::function<void()>& stopFirst)>& meanwhile) {
    run::RecordWriter records(storePath());
    std::stop_source stop;
    std::promise<void> running;
    auto first = std::async(std::launch::async, [&] {
      return run::RunSession({records, atRoundOf("w0", 3, [&](const std::string&) { running.set_value(); })}).run(named("first", 1'000'000), stop.get_token());
    });
    running.get_future().wait();
    meanwhile([&] { stop.request_stop(); });
    return first.get();
  }
};

TEST_F(Sharing, ARunOfAnotherStoreWaitsAndSaysForWhom) {
  beside([this](const std::function<void()>& stopFirst) {
    run::RecordWriter records(otherStore());
    std::string waited;
    run::RunCallbacks callbacks;
    callbacks.onState = [&](const std::string&, store::RunState, const std::string& text) {
      if (!text.starts_with("waits for ")) return;
      waited = text;
      stopFirst();
    };
    const run::RunOutcome second = run::RunSession({records, callbacks}).run(named("second", 5));
    EXPECT_EQ(second.state, store::RunState::kFinished) << second.error;
    EXPECT_EQ(waited, "waits for first on local");
    EXPECT_THAT(store::StoreReader(otherStore()).find(second.run)->versions, testing::Not(HasSubstr("shared")));
  });
}

TEST_F(Sharing, WhoWaitsCanBeStopped) {
  beside([this](const std::function<void()>& stopFirst) {
    run::RecordWriter records(otherStore());
    std::stop_source stop;
    run::RunCallbacks callbacks;
    callbacks.onState = [&](const std::string&, store::RunState, const std::string& text) {
      if (text.starts_with("waits for ")) stop.request_stop();
    };
    EXPECT_EQ(run::RunSession({records, callbacks}).run(named("second", 5), stop.get_token()).state, store::RunState::kStopped);
    stopFirst();
  });
}

TEST_F(Sharing, BesideEachOtherBothRecordsSaySo) {
  const run::RunOutcome first = beside([this](const std::function<void()>& stopFirst) {
    run::RecordWriter records(otherStore());
    const run::RunOutcome second = run::RunSession({.records = records, .beside = true}).run(named("second", 5));
    EXPECT_EQ(second.state, store::RunState::kFinished) << second.error;
    EXPECT_EQ(Json::parse(store::StoreReader(otherStore()).find(second.run)->versions)["shared"], Json::parse(R"({"local": ["first"]})"));
    stopFirst();
  });
  EXPECT_EQ(Json::parse(row(first.run).versions)["shared"], Json::parse(R"({"local": ["second"]})"));
  std::vector<std::string> told;
  for (const auto& notice : store::StoreReader(storePath()).notices(first.run))
    if (notice.record.reason == "shared") told.push_back(notice.record.text);
  EXPECT_EQ(told, (std::vector<std::string>{"second"}));
}

// Failed before with "run ... is already known to this supervisor".
// Another desktop's run that was imported while it was under way has an end in this store, and goes on.
TEST_F(Sharing, WhatAStoreHasImportedIsLeftAlone) {
  const run::RunOutcome first = beside([this](const std::function<void()>& stopFirst) {
    run::RecordWriter records(otherStore());
    copyFirst(records, "bundle", store::RunState::kImported);
    EXPECT_EQ(run::RunSession({.records = records, .beside = true}).run(named("second", 5)).state, store::RunState::kFinished);
    stopFirst();
  });
  EXPECT_EQ(first.state, store::RunState::kStopped) << first.error;
}

// Its recorder could not reach this host when it ended the run.
TEST_F(Sharing, WhatItsOwnStoreSaysIsOverIsEndedThere) {
  const run::RunOutcome first = beside([this](const std::function<void()>&) {
    run::RecordWriter records(otherStore());
    copyFirst(records, "", store::RunState::kFailed);
    EXPECT_EQ(run::RunSession({.records = records}).run(named("second", 5)).state, store::RunState::kFinished);
  });
  EXPECT_EQ(first.state, store::RunState::kFailed);
}

TEST_F(Sharing, OneComputerUnderTwoNamesIsSaidToBeOne) {
  const hosts::HostOpener one = [this](const std::string& name, const hosts::HostNeeds&) -> hosts::ReadyHost {
    return {.host = hosts::localHost(name, {{"PACELINE_AGENT_DIR", agentFolder("a").string()}}), .installation = hosts::localInstallation(), .dataAddress = "127.0.0.1"};
  };
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records, {}, one, quick()}).run(FleetTest::spec(5));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_THAT(outcome.error, testing::AnyOf(HasSubstr("a and b are one computer with one supervisor"), HasSubstr("b and a are one computer with one supervisor")));
  EXPECT_TRUE(runsOn("a").empty());
}

}  // namespace
}  // namespace paceline::tests
