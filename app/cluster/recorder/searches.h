// The searches of a store: chooses the next points, puts their runs into the queue, gives up those that fall behind, and ends with a sentence. What was tried and why is
// in the store before anything runs, so that the next recorder goes on from there. The service's thread.
#pragma once

#include <list>
#include <memory>

#include "app/cluster/recorder/protocol.h"
#include "app/cluster/recorder/search_watch.h"
#include "app/cluster/run/record_writer.h"
#include "app/cluster/run/run_session.h"

namespace paceline::recorder {

inline constexpr const char* kGivenUpReason = "search";  // of a run that its search stopped

class Searches {
 public:
  struct Means {
    run::RecordWriter& records;
    const store::StoreReader& store;
    std::string boot;  // of this system
    std::function<std::int64_t()> position;               // behind all of the queue
    std::function<void(store::QueueRow row)> queued;      // it is in the store's queue now
    std::function<void(const std::string& run)> stop;     // in order; one that waits goes out of the queue
    std::function<void(const std::string& suite)> changed;
  };
  explicit Searches(Means means) : means_(std::move(means)) {}

  // What a recorder before this one left. `waits`: the run is in the queue.
  void recover(const std::function<bool(const std::string& run)>& waits);
  // A new one; asked again, nothing. Throws Error{kSpec} with the document's first mistake, and what the store throws.
  void begin(const std::string& suite, const Submission& submission, const Context& context);
  void advance();                        // as far as it goes now
  bool waits() const;                    // some search goes on without anybody's word
  std::vector<std::string> runsOf(const std::string& suite) const;  // that are under way or wait

  // held: no further run begins. Throws Error{kStore} where no such search goes on.
  void setHeld(const std::string& suite, bool held);
  void holdAll(bool held);
  void end(const std::string& suite);    // its runs are stopped

  // A run is begun: what watches it. Empty: it is of no search. `rung` is called on the run's thread.
  using OnRung = std::function<void(std::size_t rung, const search::Measure&)>;
  std::shared_ptr<SearchWatch> watch(const store::QueueRow& row, OnRung rung);
  void came(const std::string& run, std::size_t rung, const search::Measure& measure);
  // A run of the queue has ended, whether it ever began or not; what its search says of it goes into outcome and store.
  void ended(run::RunOutcome& outcome, const search::Measure& measure);

 private:
  struct Search {
    store::SearchRow row;
    std::shared_ptr<const SearchSpace> space;
    std::string name;  // of the suite
    std::vector<search::Trial> trials{};
    std::string trouble{};  // why the store does not take the next run
  };
  struct Place {
    Search* search = nullptr;
    std::size_t trial = 0;
  };
  Place placeOf(const std::string& run);
  Search& going(const std::string& suite);
  bool step(Search& search);  // false: it waits
  void addRun(Search& search, std::size_t number, std::optional<search::Trial> fresh);
  void keep(const Search& search, std::size_t trial);  // once the store takes it
  void keep(const Search& search);
  void giveUp(Search& search, std::size_t trial, const std::string& why);
  void takeEnd(Place place, run::RunOutcome& outcome, const search::Measure& measure);
  double minutesOf(const Search& search) const;

  const Means means_;
  std::list<Search> searches_;              // that go on
  std::map<std::string, double> began_;     // run under way -> steady seconds
};

}  // namespace paceline::recorder
