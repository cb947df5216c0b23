#include "app/cluster/recorder/service.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <future>

#include "app/cluster/hosts/access.h"
#include "app/cluster/recorder/entry_work.h"
#include "engine/core/base/clock.h"
#include "engine/core/json/json_text.h"

namespace paceline::recorder {
namespace {

constexpr std::size_t kMaxRequestBytes = std::size_t{1} << 29;  // a suite's documents, every quote of them escaped
constexpr double kTickSeconds = 0.5;              // newer rows are told at most this often
constexpr double kBindCheckSeconds = 2;
constexpr std::size_t kMostWaitingBytes = 8 << 20;  // for a client that does not read; then it has to connect again
constexpr std::size_t kKeptEnded = 200;
constexpr double kLastWordsSeconds = 1;
constexpr std::chrono::milliseconds kDecisionPause(50);

std::string bootId() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return id;
}

std::string insteadOf(const store::QueueRow& row) {
  try {
    return readFrom<Context>(jsonOrNull(row.context)).insteadOf;
  } catch (const std::exception&) {  // whoever begins it says what is wrong with it
    return "";
  }
}

std::vector<std::string> hostsOf(const store::QueueRow& row) {
  return row.kind == kindName(EntryKind::kSimulation) ? std::vector<std::string>() : parseRunSpec(row.specText).spec.hosts();
}

}  // namespace

Service::Service(ServiceOptions options)
    : options_(std::move(options)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      prompts_([this](const Notice& notice) { post([this, notice] { tell(notice); }); }), boot_(bootId()) {
  const auto trouble = [this](const std::string& text) {
    post([this, text] { tell(StoreTrouble{trouble_ = text}); });
  };
  records_ = std::make_unique<run::RecordWriter>(options_.storePath, trouble,
                                        run::RecordHooks{.onRoom = [trouble] { trouble(""); },
                                                    .onRows = [this](const std::set<std::string>& runs) {
                                                      const std::lock_guard lock(mutex_);
                                                      newRows_.insert(runs.begin(), runs.end());
                                                    }});
  store_.emplace(options_.storePath);
  recover();
  listener_.emplace(options_.storePath);
  idleSince_ = steadySeconds();
}

Service::~Service() {
  leave();
  listener_.reset();
  peers_.clear();
  records_.reset();
}

Fd Service::connect() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw Error(Errc::kHost, strCat("a socket cannot be made: ", std::strerror(errno)));
  auto ours = std::make_shared<Fd>(ends[0]);
  post([this, ours] { peers_.emplace(nextPeer_++, Peer{.channel = Channel(std::move(*ours)), .hello = {}}); });
  return Fd(ends[1]);
}

void Service::post(std::function<void()> act) {
  {
    const std::lock_guard lock(mutex_);
    mail_.push_back(std::move(act));
  }
  ::eventfd_write(wake_.get(), 1);
}

void Service::takeMail() {
  eventfd_t ignored = 0;
  ::eventfd_read(wake_.get(), &ignored);
  std::unique_lock lock(mutex_);
  const auto mail = std::exchange(mail_, {});
  lock.unlock();
  for (const auto& act : mail) act();
}

Searches::Means Service::searchMeans() {
  const auto stop = [this](const std::string& run) {
    Item* item = find(run);
    if (item == nullptr) return;
    if (item->row.begun) item->stop.request_stop();
    else removeWaiting(*item);
  };
  return {.records = *records_, .store = *store_, .boot = boot_, .position = [this] { return nextPosition(); },
          .queued = [this](store::QueueRow row) { addItem(std::move(row)).changed = true; }, .stop = stop, .changed = [this](const std::string& suite) { rowsChanged({suite}); }};
}

std::int64_t Service::nextPosition() const {
  std::int64_t position = 1;
  for (const Item& item : items_) position = std::max(position, item.row.position + 1);
  return position;
}

// Of a run of a search. At a rung a simulation, whose time is not that of this computer, waits for what is decided.
std::shared_ptr<SearchWatch> Service::watchFor(const Item& item) {
  const bool waits = item.entry.kind == EntryKind::kSimulation;
  const auto came = [this, run = item.row.run, waits, stop = item.stop.get_token()](std::size_t rung, const search::Measure& measure) {
    const auto decided = std::make_shared<std::promise<void>>();
    post([this, run, rung, measure, decided] {
      searches_->came(run, rung, measure);
      decided->set_value();
    });
    const auto answer = decided->get_future();
    while (waits && !stop.stop_requested() && !leave_.stop_requested())
      if (answer.wait_for(kDecisionPause) == std::future_status::ready) return;
  };
  return searches_->watch(item.row, came);
}

// Behind the run's end, which waits while the store takes nothing.
void Service::dequeue(const store::QueueRow& row) {
  records_->write(row.run, [entry = row.entry](store::StoreWriter& store) { store.dequeue(entry); });
}

Service::Item& Service::addItem(store::QueueRow row) {
  Item& item = items_.emplace_back();
  item.entry.id = row.entry;
  item.entry.kind = kindFromName(row.kind).value_or(EntryKind::kRun);
  item.entry.run = row.run;
  item.entry.name = row.name.empty() ? row.run : row.name;
  item.entry.suite = row.suite;
  item.entry.held = row.held;
  item.entry.insteadOf = insteadOf(row);
  item.hosts = hostsOf(row);
  item.row = std::move(row);
  return item;
}

void Service::begin(Item& item) {
  item.row.begun = true;
  item.row.boot = item.boot = boot_;
  try {
    records_->withWriter([&](store::StoreWriter& store) { store.updateQueue(item.row); });
  } catch (const Error& error) {  // no space: it is tried again
    item.row.begun = false;
    if (std::exchange(item.entry.text, error.what()) != error.what()) item.changed = true;
    return;
  }
  start(item);
}

void Service::start(Item& item) {
  item.entry.waiting = false;
  if (item.entry.state == store::RunState::kDraft) item.entry.state = store::RunState::kChecking;
  item.entry.text.clear();
  item.changed = true;
  const EntryChange change = [this, &item](const std::function<void(Entry&)>& act) {
    post([&item, act] {
      act(item.entry);
      item.changed = true;
    });
  };
  item.thread = std::jthread([this, &item, change, watch = watchFor(item), row = item.row, threads = item.threads, stop = item.stop.get_token()] {
    std::stop_source either;
    const std::stop_callback asked(stop, [&either] { either.request_stop(); });
    const std::stop_callback left(leave_.get_token(), [&either] { either.request_stop(); });
    const auto waits = [this, &item](const std::string& sentence, bool open) {
      post([&item, sentence, open] {
        if (open) item.asked.insert(sentence);
        else item.asked.extract(sentence);
        item.changed = true;
      });
    };
    const auto doing = [change](const std::string& text) { change([text](Entry& entry) { entry.text = text; }); };
    const auto questions = prompts_.forEntry(either.get_token(), doing, waits);
    const auto means = [&](const Context& context) {
      return run::RunMeans{.records = *records_, .opener = opener(context.hosts, *questions), .times = options_.times, .threads = threads, .leave = leave_.get_token()};
    };
    const run::RunOutcome outcome = work(row, means, change, stop, watch.get());
    post([this, &item, outcome, measure = watch ? watch->measure() : search::Measure{}] { ended(item, outcome, measure); });
  });
}

Entry Service::Item::shown() const {
  Entry shown = entry;
  if (!asked.empty()) shown.text = *asked.begin();
  return shown;
}

// An entry whose recorder leaves stays in the queue, for the next one.
void Service::ended(Item& item, run::RunOutcome outcome, const search::Measure& measure) {
  item.thread.join();
  if (leave_.stop_requested()) return;
  searches_->ended(outcome, measure);
  item.entry.ended = true;
  item.entry.state = outcome.state;
  item.entry.text = outcome.error;
  item.entry.reason = outcome.reason;
  if (outcome.state == store::RunState::kFinished) item.entry.progress.fraction = 1;
  item.entry.progress.leftLowSeconds.reset(), item.entry.progress.leftHighSeconds.reset();
  if (!item.stop.stop_requested()) {
    store::QueueRow row = item.row;
    row.boot = item.boot;
    if (const std::string text = goOn(row, outcome); !text.empty()) item.entry.text += strCat("; ", text);
  }
  try {
    dequeue(item.row);
  } catch (const Error&) {  // the store refuses it: the next recorder sees that the run has ended
  }
  if (std::ranges::find(items_, item.row.run, [](const Item& other) { return other.entry.insteadOf; }) == items_.end()) callHooks(item);
  backUp();
  drop(item);
}

void Service::drop(Item& item) {
  tell(item.entry);
  over_.push_back(item.entry);
  if (over_.size() > kKeptEnded) over_.pop_front();
  std::erase_if(items_, [&item](const Item& other) { return &other == &item; });
}

void Service::schedule() {
  std::vector<Waiter> queue;
  for (const Item& item : items_)
    queue.push_back({.id = item.row.entry, .label = item.entry.name, .hosts = item.hosts, .simulation = item.entry.kind == EntryKind::kSimulation, .now = item.row.now,
                     .held = item.row.held, .begun = item.row.begun, .restarted = item.row.boot != boot_});
  for (const Turn& turn : turns(queue, static_cast<int>(std::thread::hardware_concurrency()))) {
    Item& item = *std::ranges::find(items_, turn.id, [](const Item& each) { return each.row.entry; });
    item.threads = turn.threads;
    if (turn.waits.empty()) begin(item);
    else if (item.entry.text != turn.waits) item.entry.text = turn.waits, item.changed = true;
  }
}

hosts::HostOpener Service::opener(const std::string& list, hosts::CredentialPrompts& questions) const {
  if (options_.openHosts) return options_.openHosts(list, questions);
  // As the list is when a host is opened; this computer can be used whatever is wrong with it.
  return [path = list.empty() ? hosts::HostRegistry::defaultPath() : list, &questions](const std::string& name, const hosts::HostNeeds& needs) {
    try {
      return hosts::bookOpener(hosts::HostRegistry::load(path), questions)(name, needs);
    } catch (const Error& error) {
      if (name != "local" || (error.code() != Errc::kFormat && error.code() != Errc::kFile)) throw;
      return hosts::localOpener()(name, needs);
    }
  };
}

Service::Item* Service::find(const std::string& run) {
  const auto found = std::ranges::find(items_, run, [](const Item& item) { return item.row.run; });
  return found == items_.end() ? nullptr : &*found;
}

void Service::run(std::stop_token stop) {
  const std::stop_callback ending(stop, [this] { post([] {}); });
  while (!stop.stop_requested() && !leave_.stop_requested()) {
    takeMail();
    searches_->advance();
    schedule();
    tellChanged();
    poll();
    tick();
    if (!idle()) idleSince_ = steadySeconds();
    if (steadySeconds() - idleSince_ >= options_.idleSeconds) break;
  }
  leave();
}

bool Service::idle() const {
  return peers_.empty() && tasksOpen_ == 0 && !searches_->waits() && !records_->summarises() && std::ranges::all_of(items_, [](const Item& item) { return item.row.held; });
}

void Service::poll() {
  std::vector<pollfd> polled = {{wake_.get(), POLLIN, 0}, {listener_->fd(), POLLIN, 0}};
  for (const auto& [id, peer] : peers_) polled.push_back({peer.channel.fd(), static_cast<short>(peer.channel.waiting() ? POLLIN | POLLOUT : POLLIN), 0});
  ::poll(polled.data(), polled.size(), static_cast<int>(kTickSeconds * 1000));
  if (polled[1].revents != 0)
    while (auto socket = listener_->accept()) peers_.emplace(nextPeer_++, Peer{.channel = Channel(std::move(*socket)), .hello = {}});
  for (auto& [id, peer] : peers_) read(id, peer);
  std::erase_if(peers_, [](const auto& entry) { return !entry.second.channel.open(); });
  prompts_.setAnswerers(static_cast<int>(std::ranges::count_if(peers_, [](const auto& entry) { return entry.second.hello && entry.second.hello->answers; })));
}

void Service::read(std::int64_t id, Peer& peer) {
  peer.channel.flush();
  peer.channel.receive();
  while (auto line = peer.channel.line()) take(id, peer, *line);
  if (peer.channel.waitingBytes() > kMostWaitingBytes) peer.channel.close();
}

void Service::take(std::int64_t id, Peer& peer, const std::string& line) {
  if (!peer.hello) {
    peer.hello = helloOf(line);
    if (!peer.hello) return peer.channel.close();
    peer.channel.send(toLine(ourHello(false)));
    if (!trouble_.empty()) peer.channel.send(toLine(Notice(StoreTrouble{trouble_})));
    for (const Question& question : prompts_.open())
      if (peer.hello->answers) peer.channel.send(toLine(Notice(question)));
    return;
  }
  std::vector<Finding> ignored;
  const Json request = parseJson(line, ignored, kMaxRequestBytes).value_or(Json());
  if (!request.is_object() || !request.contains("request") || !request.contains("id")) return peer.channel.close();
  const Call call{.peer = id, .id = request["id"]};
  const std::string what = request["request"].is_string() ? request["request"].get<std::string>() : "";
  answer(call, [&]() -> std::optional<Json> {
    if (auto work = longWork(what, request)) return answerLater(call, std::move(work)), std::nullopt;
    return perform(what, request);
  });
}

void Service::answer(const Call& call, const std::function<std::optional<Json>()>& work) {
  Json reply = {{"id", call.id}, {"ok", true}};
  try {
    const std::optional<Json> result = work();
    if (!result) return;
    reply["result"] = *result;
  } catch (const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    reply = {{"id", call.id}, {"ok", false}, {"code", codeName(known != nullptr ? known->code() : Errc::kHost)}, {"error", reasonOf(error)}};
  }
  const auto peer = peers_.find(call.peer);
  if (peer != peers_.end()) peer->second.channel.send(dumped(reply));
}

void Service::answerLater(const Call& call, std::function<Json()> work) {
  beginTask([this, call, work = std::move(work)]() -> std::function<void()> {
    std::function<Json()> outcome;
    try {
      outcome = [result = work()] { return result; };
    } catch (...) {
      outcome = [problem = std::current_exception()]() -> Json { std::rethrow_exception(problem); };
    }
    return [this, call, outcome] { answer(call, outcome); };
  });
}

void Service::tell(const Notice& notice) {
  const std::string line = toLine(notice);
  const bool question = std::holds_alternative<Question>(notice) || std::holds_alternative<QuestionGone>(notice);
  for (auto& [id, peer] : peers_)
    if (peer.hello && (!question || peer.hello->answers)) peer.channel.send(line);
}

void Service::tellChanged() {
  for (Item& item : items_)
    if (std::exchange(item.changed, false)) tell(item.shown());
}

void Service::rowsChanged(const std::vector<std::string>& runs) {
  for (const std::string& run : runs) tell(NewerRows{run});
}

void Service::tick() {
  if (steadySeconds() < nextTick_) return;
  nextTick_ = steadySeconds() + kTickSeconds;
  std::vector<std::string> runs;
  {
    const std::lock_guard lock(mutex_);
    runs.assign(newRows_.begin(), newRows_.end());
    newRows_.clear();
  }
  rowsChanged(runs);
  if (steadySeconds() < nextBindCheck_) return;
  nextBindCheck_ = steadySeconds() + kBindCheckSeconds;
  listener_->bindAgainWhenGone();
}

void Service::leave() {
  leave_.request_stop();
  for (Item& item : items_)
    if (item.thread.joinable()) item.thread.join();
  for (std::jthread& task : tasks_)
    if (task.joinable()) task.join();
  for (auto& [id, peer] : peers_) peer.channel.flushWithin(kLastWordsSeconds);
}

}  // namespace paceline::recorder
