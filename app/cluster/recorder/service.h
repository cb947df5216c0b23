// The recorder of one store: holds its only writer, the queue and the runs that are under way, and serves clients over a socket. One thread
// serves (run()), one writes, one works for each run under way. Constructing opens the store and throws what that throws.
#pragma once

#include <list>

#include "app/cluster/recorder/entry_work.h"
#include "app/cluster/recorder/prompts.h"
#include "app/cluster/recorder/protocol.h"
#include "app/cluster/recorder/reach.h"
#include "app/cluster/recorder/searches.h"

namespace paceline::recorder {

inline constexpr double kIdleSeconds = 5;  // it stays after the last run and the last client; $PACELINE_RECORDER_IDLE_S

struct ServiceOptions {
  std::string storePath;
  double idleSeconds = kIdleSeconds;
  // How hosts of this list ("": the user's) are opened; empty: as the list says.
  std::function<hosts::HostOpener(const std::string& list, hosts::CredentialPrompts& questions)> openHosts{};
  run::LinkTimes times{};
};

class Service {
 public:
  explicit Service(ServiceOptions options);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  Fd connect();                      // a connection of this process; any thread
  void run(std::stop_token stop);    // until it is idle, a newer client needs the store, or `stop`. Runs go on at their hosts

 private:
  struct Item {
    store::QueueRow row;
    Entry entry;
    std::vector<std::string> hosts;
    std::stop_source stop;
    std::jthread thread;
    int threads = 1;  // of a simulation, when it begins
    std::string boot{};  // of the system on which it began
    bool changed = true;
    std::multiset<std::string> asked{};  // open questions of its hosts, as sentences
    Entry shown() const;                 // with them: they are what it waits for, whatever other hosts do meanwhile
  };
  struct Peer {
    Channel channel;
    std::optional<Hello> hello;
  };
  struct Call {  // one request and where its answer goes
    std::int64_t peer = 0;
    Json id;
  };

  void post(std::function<void()> act);  // any thread: done by run()
  void takeMail();
  void recover();
  Item& addItem(store::QueueRow row);
  void dequeue(const store::QueueRow& row);
  void begin(Item& item);  // where the store has taken that it does
  void start(Item& item);
  void ended(Item& item, run::RunOutcome outcome, const search::Measure& measure);
  std::shared_ptr<SearchWatch> watchFor(const Item& item);
  Searches::Means searchMeans();
  std::int64_t nextPosition() const;  // of the queue
  std::string goOn(const store::QueueRow& ended, const run::RunOutcome& outcome);  // by itself, before all that wait; what became of that, "": nothing
  void drop(Item& item);  // its entry is over
  void backUp();  // the store, where its plan asks for it now
  void callHooks(const Item& item);  // of who waits for its end, on threads of their own
  void schedule();
  void poll();
  void tick();
  void leave();
  bool idle() const;
  void read(std::int64_t id, Peer& peer);
  void take(std::int64_t id, Peer& peer, const std::string& line);
  void answer(const Call& call, const std::function<std::optional<Json>()>& work);  // nullopt: it is answered later
  void answerLater(const Call& call, std::function<Json()> work);  // on a thread of its own
  void beginTask(std::function<std::function<void()>()> work);  // the same for any work; what it returns is done by run()
  void tell(const Notice& notice);
  void tellChanged();
  Item* find(const std::string& run);
  void rowsChanged(const std::vector<std::string>& runs);
  hosts::HostOpener opener(const std::string& list, hosts::CredentialPrompts& questions) const;

  // Requests (service_requests.cpp).
  Json perform(const std::string& what, const Json& request);
  std::function<Json()> longWork(const std::string& what, const Json& request);  // empty: it is none
  Json submit(const Json& request);
  Json beginSearch(const std::vector<std::string>& ids, const Submission& submission, const Context& context);
  void holdSearch(const std::string& suite, bool held);
  Entry attach(const Submission& submission, const Context& context);
  std::optional<Entry> known(const std::string& run, const Submission& submission, const std::string& spec);
  Json stopRun(const std::string& run);
  void removeWaiting(Item& item);
  void enqueue(std::vector<store::QueueRow> rows, const Submission& submission, const std::vector<std::int64_t>& places);
  void refusePresent(const Submission& submission, const std::vector<store::QueueRow>& rows, const std::vector<std::int64_t>& places);
  void move(const std::vector<std::int64_t>& entries, std::int64_t other);
  void setHeld(const std::vector<std::string>& runs, bool held);
  void forgetCells(const std::string& suite);
  std::function<Json()> stopElsewhere(const std::string& run);
  std::vector<std::string> purge(const std::vector<std::string>& runs);
  std::vector<std::string> import(const std::vector<std::string>& paths, const std::string& profile);  // as Client::importPaths()

  const ServiceOptions options_;
  std::mutex mutex_;  // guards mail_ and newRows_
  std::vector<std::function<void()>> mail_;
  std::set<std::string> newRows_;
  Fd wake_;
  Prompts prompts_;
  std::unique_ptr<run::RecordWriter> records_;
  std::optional<store::StoreReader> store_;
  std::optional<Listener> listener_;
  std::optional<Searches> searches_;
  std::list<Item> items_;      // in order; those that ended too, until they are dropped
  std::deque<Entry> over_;     // the newest that have ended
  std::map<std::int64_t, Peer> peers_;
  std::int64_t nextPeer_ = 1;
  std::list<std::jthread> tasks_;
  std::size_t tasksOpen_ = 0;
  std::string trouble_, boot_;
  std::stop_source leave_;
  double idleSince_ = 0, nextTick_ = 0, nextBindCheck_ = 0;
};

}  // namespace paceline::recorder
