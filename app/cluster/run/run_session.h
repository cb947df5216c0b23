// One run from a document, or from where its last recorder left it, to its end, on the calling thread; an object serves once. Each of its hosts
// has a link (host_link.h), which state follows and what an end means is pure (run_life.h), the records go to the writer of the store.
// Never throws for what can happen to a run: the outcome says failed and why.
#pragma once

#include <random>

#include <nlohmann/json_fwd.hpp>

#include "app/cluster/run/host_link.h"
#include "app/cluster/run/record_writer.h"
#include "app/cluster/run/run_life.h"
#include "engine/core/spec/catalog.h"

namespace paceline::run {

struct RunCallbacks {  // called on the session's thread; may be empty
  std::function<void(const std::string& run, store::RunState state, const std::string& text)> onState{};
  std::function<void(const StampedEvent& event)> onEvent{};  // after it was handed to the writer
  std::function<void(const std::string& host, const std::string& text)> onProgress{};  // of opening a host
};

// Of a run that takes a lost one's place without anybody's hand; kept with it as `instead_of` and `resumes` of its versions.
struct GoesOn {
  std::string insteadOf;  // id
  int count = 0;          // so often it, or a run that it goes on from, did so
};

// What a run is worked with, and how it is begun and left.
struct RunMeans {
  RecordWriter& records;
  RunCallbacks callbacks{};
  hosts::HostOpener opener = hosts::localOpener();
  LinkTimes times{};
  std::string id{};                                // "": a new one
  std::string folder{};                            // working folder of its nodes on this computer; "": this process's
  std::map<std::string, std::string> variables{};  // of its nodes on this computer; none: inheritedVariables()
  std::string prediction{};                        // kept with the run as `predicted` of its versions, JSON; "": none
  int threads = 1;                                 // of a simulation
  bool beside = false;                             // its hosts may be training another run
  std::optional<GoesOn> goesOn{};                  // it takes a lost run's place by itself, and waits for hosts that are away, LinkTimes::comesBackSeconds
  std::stop_token leave{};                         // this process ends: the run goes on at its hosts, and its state stays
};

struct RunOutcome {
  std::string run{}, name{};
  store::RunState state = store::RunState::kFailed;
  std::string error{}, reason{};
  bool byLoss = false;        // failed: it lost a node that it cannot do without, or whoever knew of its nodes; none of them refused anything
  bool checkpointed = false;  // it has a checkpoint of its own
};

class RunSession {
 public:
  explicit RunSession(RunMeans means) : means_(std::move(means)) {}

  // `spec` must be validated and completed. Stop request: stopping, then stopped; a second chance to end is the supervisor's kill after a grace
  // time.
  RunOutcome run(const RunSpec& spec, std::stop_token stop = {});
  // A new run that goes on from the newest checkpoint that all nodes of an ended one have; `spec` is that one's, with other stop rules perhaps.
  // What the old one recorded up to the checkpoint is recorded for this one too, so that it is whole by itself.
  RunOutcome resume(const store::RunRow& ended, const RunSpec& spec, std::stop_token stop = {});
  // Picks up a run whose recorder went away: replays what the store lacks and follows to the end; one whose nodes were not all told to start is
  // told again, or begun again. A host that cannot be reached leaves the run stale.
  RunOutcome attach(const std::string& run, std::stop_token stop = {});

 private:
  using Stage = HostLink::Stage;
  static constexpr double kFailureGraceSeconds = 1;  // for the others of a run that failed: long enough to say what they saw

  RunOutcome begin(const RunSpec& spec, const std::string& resumed, std::stop_token stop);
  void prepare(const RunSpec& spec, std::string resumed, std::stop_token stop);
  RunOutcome guarded(const std::function<void()>& work);
  RunOutcome failed(const std::string& error);  // whether or not the store can still be told
  void fail(const std::string& error);
  void go(RunEvent event, const std::string& error = "", const std::string& reason = "");
  void tell(const std::string& text) const;  // more about the state it is in; "": what it waits for: its store, silent nodes

  bool workOrWait();
  bool work();  // from checking to its end; false: it gave its hosts back and is to begin again
  void openHosts();
  bool launch();
  std::map<std::string, Variables> kernelsBefore() const;
  void launchOn(HostLink& link, HostLaunch launch);
  void giveBack();
  void changeVersions(nlohmann::json patch);  // merged in
  void startNodes();  // all listening -> running
  void orderStart();
  void follow();      // until every node has ended and all is read
  void step();        // at most a fraction of a second
  void conclude();
  void forgetSpools();

  void pickUp(bool ran);  // ran: it was seen running
  void again();
  void loadKnown();       // what the store already has
  bool caughtUp() const;

  std::optional<HostMessage> next();  // what came, after its link knows it
  void take(const HostMessage& message);
  void takeEvent(const std::string& host, const StampedEvent& event);
  void takeNotice(const std::string& node, const NoticeRecord& notice);
  bool copyRecords(const std::string& node, std::int64_t rounds);  // false: the store cannot be read now, so that `node`'s come again, or storeError_
  void takeLoss();
  void takeByLoss();
  void takeStop();
  void takeFailure();

  void record(const std::string& host, const StampedEvent& event);  // unless it comes again
  void checkStore();
  bool recorded();  // all that its hosts said is in the store; false: not yet, or storeError_
  bool settle();    // waits for that; false: storeError_, or this process leaves the run
  bool insist(const std::function<void(store::StoreWriter&)>& work);  // waits until the store takes it; false: this process leaves the run
  void waitForStore(const std::string& why);  // tells it; "": no more
  void readAgain();
  std::map<std::string, std::int64_t> knownSeqs();  // of every node and host, the last number that the store has; 0: none

  void giveUp(const std::string& host, const std::string& why);  // nothing more comes from there
  void leave(const std::string& why);
  void endNodes(double graceSeconds, const std::string& why);
  bool stopWanted() const;
  bool mayGoOn();                     // false: this process leaves the run to its hosts
  std::string whatWentWrong() const;  // "": nothing
  std::string unevenTraffic() const;  // "": what was sent is what came

  bool all(Stage stage) const;
  bool any(Stage stage) const;
  bool anyLost() const;
  std::string lostText() const;     // "gpu1: why; gpu2: why"; "": none is lost
  std::string openingText() const;  // "opening gpu1, gpu2: 3 of 5 hosts are ready"
  std::string busyText() const;     // "waits for esync on gpu1"; "": for none

  const RunMeans means_;
  RunSpec spec_;
  std::string resumed_;
  bool workersReturn_ = false;  // the method takes in another process of a lost worker
  std::stop_token stop_;
  RunOutcome outcome_;
  RunEnding ending_{RunSpec{}};
  HostQueue queue_;  // outlives the links
  std::map<std::string, std::unique_ptr<HostLink>> hosts_;
  std::map<std::string, std::string> endpoints_;
  std::map<std::string, std::int64_t> lastSeq_;
  std::map<std::string, std::set<std::string>> shared_;  // host -> other runs that were active there
  std::mt19937 chance_{std::random_device{}()};
  std::set<std::string> unread_, behind_;  // hosts that are read again: whose records do not come yet; from which not all has come
  int readings_ = 0;
  bool lacks_ = false;                 // the store could not take some of its records, and they are not read again yet
  std::string storeError_, storeWaits_, unknown_;  // storeError_: what the store refused for good; unknown_: a supervisor that does not know the run, in its words
  struct Patience {
    double forSeconds = 0, until = 0;  // with each host that does not answer; with all that happens before it has begun
  } patience_;
  double nextStoreCheck_ = 0, workersGoneSince_ = 0, onlyLostSince_ = 0;
  bool endAsked_ = false, stopAsked_ = false, failed_ = false;
  bool wasStopping_ = false;  // when its last recorder went away
  bool left_ = false;  // a host was not reached any more: the run is for `paceline attach`
};

// The row of a run, made of its document and of what it is run with. State checking. `id`: "" for a new one. `resumed`: the run that it goes on from.
// versions: how it was produced. "parameters": trainable ones of the model, 0 when the catalogue does not know it.
store::RunRow newRunRow(const RunSpec& spec, const std::string& id, const Catalog& catalog, const std::string& source, const std::string& resumed = "");
std::vector<store::NodeRow> nodeRows(const std::string& run, const RunSpec& spec);

bool canResume(const store::RunRow& run);  // it has ended, was real, and its document asks for checkpoints; whether its hosts still have them is seen there
std::string resumedFrom(const store::RunRow& run);  // "": it began at the beginning
std::optional<GoesOn> goesOn(const store::RunRow& run);  // the lost run whose place it took by itself; nullopt: none
// That it ended by a loss, for a recorder that was not there; nullopt: it did not. True: it has a checkpoint of its own.
std::optional<bool> lostWithCheckpoint(const store::RunRow& run);

// In virtual time, through `paceline-worker simulate`; recorded like a run with source "simulated".
// What an earlier attempt of means.id recorded is dropped.
RunOutcome simulateRun(const RunMeans& means, const RunSpec& spec, std::stop_token stop = {});

}  // namespace paceline::run
