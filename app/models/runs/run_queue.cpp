#include "app/models/runs/run_queue.h"

#include <algorithm>
#include <chrono>

#include "app/cluster/run/run_controller.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"

namespace paceline::runs {
namespace {

using Steady = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTellEvery{500};

run::RunOutcome resumed(run::RunController& controller, const std::string& store, const std::string& run, const std::stop_token& asked) {
  const std::optional<store::RunRow> row = store::StoreReader(store).find(run);
  if (!row) throw Error(Errc::kStore, strCat("run ", run, " is not in the store any more"));
  return controller.resume(*row, parseRunSpec(row->specText).spec, asked);
}

}  // namespace

RunQueue::RunQueue(Workspace& workspace, clusters::HostServices services, GuiPrompts& prompts, QObject* parent)
    : QObject(parent), workspace_(workspace), services_(std::move(services)), prompts_(prompts) {}

RunQueue::~RunQueue() {
  for (auto& [ticket, source] : stops_) source.request_stop();
}

int RunQueue::submit(RunSpec spec, QueueAction action) {
  QueueItem item{.action = action, .name = spec.name};
  return enqueue(std::move(item), std::move(spec));
}

int RunQueue::attach(const std::string& run) { return enqueue({.action = QueueAction::kAttach, .name = run, .run = run}, {}); }

int RunQueue::resume(const std::string& run) { return enqueue({.action = QueueAction::kResume, .name = run, .run = run}, {}); }

int RunQueue::enqueue(QueueItem item, RunSpec spec) {
  const int ticket = item.ticket = next_++;
  const QueueAction action = item.action;
  const std::stop_token asked = stops_[ticket].get_token();
  tasks_.post([this, ticket, action, asked, run = item.run, spec = std::move(spec)](const std::stop_token&) {
    execute(ticket, action, spec, run, asked);
  });
  items_.push_back(std::move(item));
  emit changed();
  return ticket;
}

// This computer can be used whatever is wrong with the list.
hosts::HostOpener RunQueue::opener(hosts::CredentialPrompts& prompts) const {
  return [services = services_, &prompts](const std::string& host, const hosts::HostNeeds& needs) {
    std::optional<hosts::HostRegistry> book;
    try {
      book = services.load();
    } catch (const Error&) {
      if (host == "local") return hosts::localOpener()(host, needs);
      throw;
    }
    return services.opener(*book, prompts)(host, needs);
  };
}

// On the thread of tasks_.
void RunQueue::execute(int ticket, QueueAction action, const RunSpec& spec, const std::string& run, const std::stop_token& asked) {
  const auto tell = [this](auto work) { QMetaObject::invokeMethod(this, std::move(work), Qt::QueuedConnection); };
  if (asked.stop_requested()) return tell([this, ticket, run] { onEnded(ticket, run, {}); });
  run::RunCallbacks callbacks;
  callbacks.onState = [this, ticket, tell](const std::string& id, store::RunState state, const std::string& text) {
    tell([this, ticket, id, state, text] { onState(ticket, id, state, text); });
  };
  const auto told = std::make_shared<std::map<std::string, Steady::time_point>>();  // by host; progress comes from one thread
  callbacks.onProgress = [this, ticket, tell, told](const std::string& host, const std::string& text, double) {
    Steady::time_point& last = (*told)[host];
    if (Steady::now() - last < kTellEvery) return;
    last = Steady::now();
    tell([this, ticket, words = strCat(host, ": ", text)] { onProgress(ticket, words); });
  };
  run::RunOutcome outcome;
  outcome.run = run;
  try {
    const std::shared_ptr<run::Recorder> recorder = workspace_.recorder();
    const std::unique_ptr<hosts::CredentialPrompts> prompts = prompts_.forOneTask(asked);
    run::RunController controller(*recorder, callbacks, opener(*prompts));
    if (action == QueueAction::kRun) outcome = controller.run(spec, asked);
    if (action == QueueAction::kAttach) outcome = controller.attach(run, asked);
    if (action == QueueAction::kResume) outcome = resumed(controller, workspace_.storePath(), run, asked);
    if (action == QueueAction::kSimulate) outcome = run::simulateRun(*recorder, spec, callbacks, asked);
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  tell([this, ticket, id = outcome.run, error = outcome.error] { onEnded(ticket, id, error); });
}

QueueItem* RunQueue::item(int ticket) {
  const auto found = std::find_if(items_.begin(), items_.end(), [ticket](const QueueItem& i) { return i.ticket == ticket; });
  return found == items_.end() ? nullptr : &*found;
}

const QueueItem* RunQueue::find(const std::string& run) const {
  const auto found = std::find_if(items_.begin(), items_.end(), [&run](const QueueItem& i) { return !run.empty() && i.run == run; });
  return found == items_.end() ? nullptr : &*found;
}

void RunQueue::onState(int ticket, const std::string& run, store::RunState state, const std::string& text) {
  QueueItem* entry = item(ticket);
  if (!entry) return;
  const bool first = entry->waiting;
  entry->waiting = false;
  entry->run = run;
  entry->state = state;
  entry->error = text;
  entry->doing.clear();
  if (first) emit started(ticket, QString::fromStdString(run));
  emit changed();
}

void RunQueue::onProgress(int ticket, const std::string& text) {
  QueueItem* entry = item(ticket);
  if (!entry) return;
  entry->doing = text;
  emit changed();
}

void RunQueue::onEnded(int ticket, const std::string& run, const std::string& error) {
  std::erase_if(items_, [ticket](const QueueItem& i) { return i.ticket == ticket; });
  stops_.erase(ticket);
  emit ended(ticket, QString::fromStdString(run), QString::fromStdString(error));
  emit changed();
}

void RunQueue::stop(int ticket) {
  const auto source = stops_.find(ticket);
  if (source != stops_.end()) source->second.request_stop();
}

void RunQueue::stopRunOf(const std::string& run) {
  if (const QueueItem* own = find(run)) return stop(own->ticket);
  asking_.post([this, run, path = workspace_.storePath()](const std::stop_token& closing) {
    QString error;
    try {
      const auto row = store::StoreReader(path).find(run);
      const std::unique_ptr<hosts::CredentialPrompts> prompts = prompts_.forOneTask(closing);
      if (row) run::stopRun(run, opener(*prompts), parseRunSpec(row->specText).spec.hosts());
    } catch (const std::exception& e) {
      error = QString::fromStdString(e.what());
    }
    if (!error.isEmpty()) QMetaObject::invokeMethod(this, [this, error] { emit failed(error); }, Qt::QueuedConnection);
  });
}

}  // namespace paceline::runs
