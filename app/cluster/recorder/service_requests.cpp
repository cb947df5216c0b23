// What clients may ask of the recorder.
#include <algorithm>

#include "app/cluster/recorder/service.h"
#include "app/cluster/recorder/suites.h"
#include "app/cluster/run/weights.h"
#include "engine/core/json/integer_at.h"
#include "engine/core/record/reasons.h"
#include "storage/interchange/interop.h"

namespace paceline::recorder {
namespace {

using Runs = std::vector<std::string>;

Entry entryOf(const store::RunRow& run, EntryKind kind) {
  Entry entry{.id = 0, .kind = kind, .run = run.id, .name = run.name, .suite = {}, .state = run.state, .waiting = false, .held = false, .ended = true};
  entry.text = run.error, entry.reason = run.reason;
  entry.progress.fraction = run.state == store::RunState::kFinished ? 1 : 0;
  return entry;
}

}  // namespace

Json Service::perform(const std::string& what, const Json& request) {
  const auto run = [&request] { return request.at("run").get<std::string>(); };
  const auto runs = [&request] { return request.at("runs").get<Runs>(); };
  const auto changeRuns = [&](void (store::StoreWriter::*act)(const std::string&)) {
    records_->withWriter([&](store::StoreWriter& store) {
      store.together([&] {
        for (const std::string& id : runs()) (store.*act)(id);
      });
    });
    rowsChanged(runs());
  };
  if (what == "submit") return submit(request);
  if (what == "queue") {
    std::vector<Entry> entries;
    for (const Item& item : items_) entries.push_back(item.shown());
    entries.insert(entries.end(), over_.begin(), over_.end());
    return written(entries);
  }
  if (what == "stop") return stopRun(run());
  if (what == "move") return move(request.at("entries").get<std::vector<std::int64_t>>(), integerAt(request, "before")), Json();
  if (what == "hold") return setHeld(runs(), true), Json();
  if (what == "go") return setHeld(runs(), false), Json();
  if (what == "hold_search") return holdSearch(request.at("suite"), request.at("held")), Json();
  if (what == "end_search") return searches_->end(request.at("suite")), Json();
  if (what == "forget") return forgetCells(request.at("suite")), Json();
  if (what == "answer") {
    const Json& text = request.at("text");
    return prompts_.answer(integerAt(request, "question"), text.is_string() ? std::optional(text.get<std::string>()) : std::nullopt), Json();
  }
  if (what == "text") {
    records_->withWriter([&](store::StoreWriter& store) { store.setText(run(), request.at("name"), request.at("notes"), request.at("tags").get<Runs>()); });
    return rowsChanged({run()}), Json();
  }
  if (what == "trash") return changeRuns(&store::StoreWriter::trash), Json();
  if (what == "restore") return changeRuns(&store::StoreWriter::restore), Json();
  if (what == "leave") return static_cast<void>(leave_.request_stop()), Json();
  throw Error(Errc::kHost, strCat("the recorder does not know the request \"", what, "\""));
}

std::function<Json()> Service::longWork(const std::string& what, const Json& request) {
  if (what == "purge") return [this, runs = request.value("runs", Runs())] { return Json(purge(runs)); };
  if (what == "compact") return [this] { return records_->withWriter([](store::StoreWriter& store) { store.compact(); }), Json(); };
  if (what == "import") return [this, paths = request.value("paths", Runs()), profile = request.value("profile", "{}")] { return Json(import(paths, profile)); };
  if (what == "stop" && find(request.value("run", "")) == nullptr) return stopElsewhere(request.value("run", ""));
  return {};
}

// A client that lost its connection asks again: the ids are its own, so nothing is taken twice.
Json Service::submit(const Json& request) {
  const Submission submission = readFrom<Submission>(request.at("submission"));
  Context context = readFrom<Context>(request.at("context"));
  if (submission.kind == EntryKind::kAttach) return written(std::vector{attach(submission, context)});
  const Runs ids = request.at("runs");
  if (!submission.search.empty()) return beginSearch(ids, submission, context);
  if (ids.size() != submission.points.size()) throw Error(Errc::kSpec, "a submission needs one id for each of its runs");
  std::vector<Entry> answers;
  std::vector<store::QueueRow> rows;
  std::vector<std::int64_t> places;  // of their cells
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Point& point = submission.points[i];
    const ParsedSpec parsed = parseRunSpec(point.spec);
    for (const Finding& finding : parsed.findings)
      if (finding.error) throw Error(Errc::kSpec, strCat(point.name, ": ", finding.pointer, ": ", finding.message));
    if (!parsed.spec.learn && submission.kind != EntryKind::kSimulation) throw Error(Errc::kSpec, strCat(point.name, ": /learn: only a simulation can do without learning"));
    if (auto entry = known(ids[i], submission, point.spec)) {
      answers.push_back(std::move(*entry));
      continue;
    }
    context.prediction = point.prediction;
    rows.push_back({.kind = kindName(submission.kind), .run = ids[i], .specText = point.spec, .name = point.name, .suite = submission.suite,
                    .resumedFrom = submission.resumedFrom, .now = submission.now, .boot = boot_, .context = dumped(written(context)), .submittedUtc = unixNow()});
    places.push_back(submission.into.empty() ? static_cast<std::int64_t>(i) : point.place);
    answers.push_back({.id = 0, .kind = submission.kind, .run = ids[i], .name = point.name});
  }
  if (!submission.into.empty()) refusePresent(submission, rows, places);
  enqueue(std::move(rows), submission, places);
  schedule();
  for (Entry& answer : answers)
    if (Item* item = find(answer.run)) answer = item->entry;
  return written(answers);
}

// One id: of its suite.
Json Service::beginSearch(const Runs& ids, const Submission& submission, const Context& context) {
  if (ids.size() != 1 || !submission.points.empty()) throw Error(Errc::kSpec, "a search is submitted with one id and without points");
  searches_->begin(ids[0], submission, context);
  schedule();
  std::vector<Entry> answers;
  for (const std::string& run : searches_->runsOf(ids[0]))
    if (Item* item = find(run)) answers.push_back(item->entry);
  return written(answers);
}

void Service::holdSearch(const std::string& suite, bool held) {
  searches_->setHeld(suite, held);
  if (const Runs own = searches_->runsOf(suite); !own.empty()) setHeld(own, held);
}

// Behind what is there; several new runs become a suite, those of a suite's missing cells further attempts. What was found finished stays where it ran.
void Service::enqueue(std::vector<store::QueueRow> rows, const Submission& submission, const std::vector<std::int64_t>& places) {
  std::int64_t position = nextPosition();
  store::SuiteRow suite{.id = store::newRunId(), .name = submission.suite, .createdUtc = unixNow()};
  std::vector<std::string> documents;
  if (!suite.name.empty() && submission.into.empty() && rows.size() > 1)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      suite.cells.push_back({.place = places[i], .name = rows[i].name, .kind = rows[i].kind, .runs = {rows[i].run}});
      documents.push_back(rows[i].specText);
    }
  records_->withWriter([&](store::StoreWriter& store) {
    store.together([&] {
      for (store::QueueRow& row : rows) row.position = position++, row.entry = store.enqueue(row);
      if (!suite.cells.empty()) store.createSuite(suite, documents);
      for (std::size_t i = 0; !submission.into.empty() && i < rows.size(); ++i) store.addAttempt(submission.into, places[i], rows[i].run);
    });
  });
  for (store::QueueRow& row : rows) addItem(std::move(row));
}

// Two clients may run what is missing at the same time: each cell is run once.
void Service::refusePresent(const Submission& submission, const std::vector<store::QueueRow>& rows, const std::vector<std::int64_t>& places) {
  const store::SuiteRow suite = suiteOf(*store_, submission.into);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto cell = std::ranges::find(suite.cells, places[i], &store::SuiteCell::place);
    if (cell == suite.cells.end()) throw Error(Errc::kStore, strCat("suite ", suite.name, " has no cell ", places[i]));
    const Item* item = find(cell->runs.back());
    const auto run = store_->find(cell->runs.back());
    const CellStanding standing = standingOf(run && run->id == cell->runs.back() ? &*run : nullptr, item != nullptr ? &item->entry : nullptr);
    if (!isMissing(standing)) throw Error(Errc::kStore, strCat(cell->name, " is not missing: ", standingWord(standing)));
  }
}

// A run that needs no entry of its own: it was submitted before, or came to its end before. A simulation that diverged would diverge again.
std::optional<Entry> Service::known(const std::string& run, const Submission& submission, const std::string& spec) {
  if (const Item* item = find(run)) return item->entry;
  if (const auto row = store_->find(run); row && row->id == run) return entryOf(*row, submission.kind);
  if (!submission.skipFinished) return std::nullopt;
  const std::string hash = configHash(parseRunSpec(spec).spec), source = submission.kind == EntryKind::kSimulation ? "simulated" : "";
  const auto isDone = [&](const store::RunRow& row) {
    return row.state == store::RunState::kFinished || (submission.kind == EntryKind::kSimulation && row.state == store::RunState::kFailed && row.error.ends_with(kDiverged));
  };
  for (const store::RunRow& row : store_->runs())
    if (row.configHash == hash && row.source == source && isDone(row)) return entryOf(row, submission.kind);
  return std::nullopt;
}

Entry Service::attach(const Submission& submission, const Context& context) {
  const std::string& run = submission.resumedFrom;
  if (const Item* item = find(run)) return item->entry;
  const auto row = store_->find(run);
  if (!row || row->id != run) throw Error(Errc::kStore, strCat("there is no run ", run));
  if (store::isEnded(row->state)) throw Error(Errc::kStore, strCat(row->name.empty() ? row->id : row->name, " has already ended: ", store::stateName(row->state)));
  store::QueueRow entry{.kind = kindName(EntryKind::kAttach), .run = run, .name = row->name, .now = true, .boot = boot_, .context = dumped(written(context)), .submittedUtc = unixNow()};
  records_->withWriter([&](store::StoreWriter& store) { entry.entry = store.enqueue(entry); });
  Item& item = addItem(std::move(entry));
  item.hosts = parseRunSpec(row->specText).spec.hosts();
  item.entry.state = row->state;
  begin(item);
  return item.entry;
}

Json Service::stopRun(const std::string& run) {
  Item* item = find(run);
  if (item == nullptr) throw Error(Errc::kStore, strCat("run ", run, " is not under way"));
  if (item->row.begun) item->stop.request_stop();
  else removeWaiting(*item);
  return Json();
}

void Service::removeWaiting(Item& item) {
  records_->withWriter([&](store::StoreWriter& store) { store.dequeue(item.row.entry); });
  item.entry.ended = true, item.entry.waiting = false;
  item.entry.state = store::RunState::kStopped;
  run::RunOutcome outcome{.run = item.row.run, .name = item.entry.name, .state = store::RunState::kStopped, .error = {}, .reason = "asked"};
  searches_->ended(outcome, {});
  item.entry.text = outcome.error;
  item.entry.reason = outcome.reason;
  drop(item);
}

// A run that nobody here follows: its hosts may still have it.
std::function<Json()> Service::stopElsewhere(const std::string& run) {
  const auto row = store_->find(run);
  if (!row || row->id != run || store::isEnded(row->state)) return {};
  return [this, row = *row] {
    const auto questions = prompts_.forEntry(leave_.get_token());
    const std::vector<std::string> hosts = parseRunSpec(row.specText).spec.hosts();
    if (!paceline::run::stopRun(row.id, opener("", *questions), hosts))
      throw Error(Errc::kHost, strCat(row.name.empty() ? row.id : row.name, " is not running on ", hosts == std::vector<std::string>{"local"} ? "this computer" : "its hosts"));
    return Json();
  };
}

void Service::move(const std::vector<std::int64_t>& entries, std::int64_t other) {
  const auto at = [this](std::int64_t id) { return std::ranges::find(items_, id, [](const Item& item) { return item.row.entry; }); };
  for (const std::int64_t entry : entries) {
    const auto moved = at(entry);
    if (moved == items_.end() || moved->row.begun) throw Error(Errc::kStore, strCat("entry ", entry, " of the queue does not wait"));
    if (entry == other) throw Error(Errc::kStore, strCat("entry ", entry, " of the queue cannot stand before itself"));
  }
  const auto before = at(other);
  if (other != 0 && before == items_.end()) throw Error(Errc::kStore, strCat("the queue has no entry ", other));
  for (const std::int64_t entry : entries) {
    const auto moved = at(entry);
    items_.splice(before, items_, moved);
    moved->changed = true;
  }
  std::int64_t position = 1;
  for (Item& item : items_) item.row.position = position++;
  records_->withWriter([&](store::StoreWriter& store) {
    store.together([&] {
      for (const Item& item : items_) store.updateQueue(item.row);
    });
  });
}

// Of those that wait; none named: of all.
void Service::setHeld(const Runs& runs, bool held) {
  const std::set<std::string> named(runs.begin(), runs.end());
  std::vector<Item*> changed;
  for (Item& item : items_)
    if (!item.row.begun && item.row.held != held && (named.empty() || named.contains(item.row.run))) changed.push_back(&item);
  records_->withWriter([&](store::StoreWriter& store) {
    store.together([&] {
      for (Item* item : changed) {
        store::QueueRow row = item->row;
        row.held = held, row.boot = boot_;
        store.updateQueue(row);
      }
    });
  });
  for (Item* item : changed) {
    item->row.held = item->entry.held = held, item->row.boot = boot_;
    item->changed = true;
  }
  if (named.empty()) searches_->holdAll(held);
}

void Service::forgetCells(const std::string& id) {
  const store::SuiteRow suite = suiteOf(*store_, id);
  Runs gone;
  for (const store::SuiteCell& cell : suite.cells) {
    const std::string& run = cell.runs.back();
    const auto row = store_->find(run);
    if (find(run) == nullptr && !(row && row->id == run)) gone.push_back(run);
  }
  records_->withWriter([&](store::StoreWriter& store) {
    store.together([&] {
      for (const std::string& run : gone) store.forgetAttempt(run);
    });
  });
  rowsChanged(gone);
}

// A host that cannot be reached keeps its checkpoints; the run is purged all the same.
std::vector<std::string> Service::purge(const std::vector<std::string>& runs) {
  std::vector<std::string> problems;
  const store::StoreReader store(options_.storePath);
  const auto questions = prompts_.forEntry(leave_.get_token());
  for (const std::string& id : runs) {
    const auto row = store.find(id);
    if (!row || row->id != id || !row->trashed) throw Error(Errc::kStore, strCat("run ", id, " is not in the trash"));
    const RunSpec spec = parseRunSpec(row->specText).spec;
    const std::vector<std::string> hosts = spec.checkpointEveryRounds > 0 ? spec.hosts() : run::hostsWithWeights(row->specText);
    if (row->source.empty() && !hosts.empty())
      for (const std::string& problem : run::dropCheckpoints(id, opener("", *questions), hosts))
        problems.push_back(strCat(spec.checkpointEveryRounds > 0 ? "checkpoints of " : "weights of ", row->name.empty() ? id : row->name, " stay: ", problem));
  }
  for (const std::string& id : runs) records_->withWriter([&](store::StoreWriter& writer) { writer.purge(id); });
  post([this, runs] { rowsChanged(runs); });
  return problems;
}

std::vector<std::string> Service::import(const std::vector<std::string>& paths, const std::string& profile) {
  const auto whatIsWhat = interchange::ImportProfile::fromJson(profile, "the profile");
  Runs ids;
  for (const std::string& path : paths) {
    const Runs added = records_->withWriter([&](store::StoreWriter& store) { return interchange::importPath(store, path, whatIsWhat); });
    ids.insert(ids.end(), added.begin(), added.end());
  }
  post([this, ids] { rowsChanged(ids); });
  return ids;
}

void Service::beginTask(std::function<std::function<void()>()> work) {
  ++tasksOpen_;
  std::jthread& task = tasks_.emplace_back();
  task = std::jthread([this, &task, work = std::move(work)] {
    post([this, &task, then = work()] {
      then();
      --tasksOpen_;
      std::erase_if(tasks_, [&task](const std::jthread& other) { return &other == &task; });
    });
  });
}

}  // namespace paceline::recorder
