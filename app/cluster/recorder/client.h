// A connection to the recorder of a store, which is started when none runs. Terminal and window use the same one; they read the store directly.
// One thread at a time. Requests wait for their answer and throw what the recorder says: Error{kLocked, kStore, kNoSpace, kSpec, kHost}, the
// last also when the recorder cannot be started or goes away. A connection that was lost is made again by the next request.
#pragma once

#include <functional>

#include "app/cluster/hosts/host.h"
#include "storage/store/records.h"

namespace paceline::recorder {

enum class EntryKind { kRun, kSimulation, kAttach, kResume };  // written to disk as words; append only

struct Point {
  std::string name;
  std::string spec;  // the document, validated and completed, as JSON text
  std::int64_t place = 0;  // with Submission::into: of its cell
  std::string prediction{};  // kept with the run, JSON; "": none
};
struct Submission {
  EntryKind kind = EntryKind::kRun;
  std::vector<Point> points;      // in the order in which they shall run
  std::string suite{};            // name of the suite; "": a single run. Several new runs become one in the store
  std::string search{};           // of a suite that is searched: its document, every default written out. It has no points: they are chosen
  std::string into{};             // id of the suite whose missing cells the points are; "": none
  std::string resumedFrom{};      // kResume: the ended run that points[0] goes on from; kAttach: the run
  bool now = false;               // beside what its hosts are training already
  bool skipFinished = false;      // points whose configuration has finished in this store are answered with that run
};

// How far a run is: computed by the recorder, shown by terminal and window.
struct Progress {
  double fraction = 0;                               // 0..1 of the stop rule that ends first; never goes back
  std::int64_t round = 0;                            // of the worker that counts
  double seconds = 0;                                // since its nodes began to train
  std::optional<double> accuracy, leftLowSeconds, leftHighSeconds;  // the rest as a range; absent: cannot be told yet
  std::string diverged{};                            // "w1: in round 12 the loss is NaN": the first loss that is no number; "": all are
};

// One line of the queue: what waits, runs, or has just ended. Sent whole whenever something about it changes.
struct Entry {
  std::int64_t id = 0;
  EntryKind kind = EntryKind::kRun;
  std::string run;      // id of the run; known from the submission on
  std::string name, suite{};
  std::string insteadOf{};  // the run that was lost, when this one goes on from it, or begins it again, by itself; told before that one's end
  store::RunState state = store::RunState::kDraft;
  bool waiting = true, held = false, ended = false;  // held: waits for `go` (after a reboot, or a person held it)
  std::string text{};   // whom it waits for, what is being done, or the error it ended with
  std::string reason{};
  Progress progress{};
};

struct NewerRows { std::string run; };      // the store has newer rows of this run; at most twice a second
struct StoreTrouble { std::string text; };  // full, read-only, deleted, replaced: runs go on, their records wait; "": over
struct Question {                           // a host wants to know; ask a person and answer()
  std::int64_t id = 0;
  std::string host, kind, text;             // kind: "host_key" (three lines: address, type, fingerprint; "yes" accepts), "secret", "text"
};
struct QuestionGone { std::int64_t id = 0; };  // somebody else answered, or nobody needs it any more
struct Lost { std::string text; };             // the recorder went away; runs go on at their hosts
using Notice = std::variant<Entry, NewerRows, StoreTrouble, Question, QuestionGone, Lost>;

// Puts a recorder's question to a person, in the form in which Client::answer takes it. A key is trusted by the whole word.
std::optional<std::string> answerTo(const Question& question, hosts::CredentialPrompts& person);

struct ClientOptions {
  bool inProcess = false;  // the recorder as threads of this process, which must not end before it is idle
  bool answers = false;    // somebody is here who can answer questions
  std::string program{};   // of `paceline`; "": beside this program
  std::function<std::optional<std::string>(const Question&)> ask{};  // answers what comes while a request waits; empty: such questions wait too
};

class Client {
 public:
  explicit Client(std::string storePath, ClientOptions options = {});
  ~Client();

  std::vector<Entry> submit(const Submission& submission);  // one entry a point; of a search the first ones
  std::string beginSearch(const Submission& submission);    // id of its suite
  void holdSearch(const std::string& suite, bool held);     // no further run begins; those under way go on
  void endSearch(const std::string& suite);                 // its runs are stopped, and what it found so far stands
  std::vector<Entry> queue();                               // in order
  void stop(const std::string& run);                        // in order; a waiting run is taken out of the queue
  void moveBefore(const std::vector<std::int64_t>& entries, std::int64_t other);  // in this order; other 0: to the end
  void hold(const std::vector<std::string>& runs);          // of those that wait; what has just begun goes on
  void go(const std::vector<std::string>& runs = {});       // lets held entries run; none named: all of them
  void forgetCells(const std::string& suite);               // those that never began: they are not missing any more
  void answer(std::int64_t question, const std::optional<std::string>& text);  // nullopt: no answer, give up

  void setText(const std::string& run, const std::string& name, const std::string& notes, const std::vector<std::string>& tags);
  void trash(const std::vector<std::string>& runs);         // all of them or none
  void restore(const std::vector<std::string>& runs);
  std::vector<std::string> purge(const std::vector<std::string>& runs);    // sentences about checkpoints that could not be deleted
  void compact();                                           // gives unused pages of the store back to the disk
  std::vector<std::string> importPaths(const std::vector<std::string>& paths, const std::string& profile = "{}");  // ids of the runs; profile: interchange::ImportProfile as JSON

  // What came meanwhile; requests put aside what they find. descriptor() becomes readable when there is something to read.
  std::optional<Notice> next(double timeoutSeconds);
  int descriptor() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paceline::recorder
