// What the window does to runs: each change as a step that can be undone, each end after a question.
#include <algorithm>

#include "app/models/words.h"
#include "app/ui/main_window.h"

namespace paceline {

void MainWindow::moveRuns(const std::vector<std::string>& runs, bool toTrash) {
  const Change in = [this, runs](const auto& done) { recorder_.ask([runs](recorder::Client& client) { client.trash(runs); }, done); };
  const Change out = [this, runs](const auto& done) { recorder_.ask([runs](recorder::Client& client) { client.restore(runs); }, done); };
  const QString many = tr("%n run(s)", nullptr, static_cast<int>(runs.size()));
  if (toTrash) change(tr("moving %1 to the trash").arg(many), in, out, "trash", tr("Moved %1 to the trash").arg(many));
  else change(tr("restoring %1").arg(many), out, in, "restore", tr("Restored %1").arg(many));
}

// Undo takes back what this changed and leaves what else was written since.
void MainWindow::describe(const std::vector<std::pair<std::string, RunTexts>>& texts) {
  struct Rewritten {
    std::string run;
    RunTexts before, after;
  };
  std::vector<Rewritten> all;
  for (const auto& [run, after] : texts)
    if (const runs::RunItem* item = runsModel_.find(run); item && textsOf(item->row) != after) all.push_back({run, textsOf(item->row), after});
  if (all.empty()) return;
  const auto write = [this, all](bool back, const std::function<void()>& done) {
    std::vector<std::pair<std::string, RunTexts>> written;
    for (const auto& [run, before, after] : all) {
      const RunTexts &from = back ? after : before, &to = back ? before : after;
      RunTexts& wanted = written.emplace_back(run, to).second;
      const runs::RunItem* now = runsModel_.find(run);
      if (now && from.name == to.name) wanted.name = now->row.name;
      if (now && from.notes == to.notes) wanted.notes = now->row.notes;
      if (now && from.tags == to.tags) wanted.tags = now->row.tags;
    }
    recorder_.ask([written](recorder::Client& client) {
      for (const auto& [run, each] : written) client.setText(run, each.name, each.notes, each.tags);
    }, done);
  };
  const auto& [run, before, after] = all.front();
  const QString whose = all.size() > 1 ? tr("%n run(s)", nullptr, static_cast<int>(all.size())) : "\"" + qtext(before.name) + "\"";
  const QString what = before.name != after.name     ? tr("renaming \"%1\" to \"%2\"").arg(qtext(before.name), qtext(after.name))
                       : before.notes != after.notes ? tr("changing the notes of %1").arg(whose)
                                                     : tr("changing the tags of %1").arg(whose);
  change(what, [=](const auto& done) { write(false, done); }, [=](const auto& done) { write(true, done); });
}

// Training of hours is not ended by one click, and only the queue has the document of what waits in it.
// By value: what is selected may change while the question stands.
void MainWindow::stop(std::string run) {
  const recorder::Entry* entry = queue_.find(run);
  const bool queued = entry != nullptr, waits = queued && entry->waiting;
  const QString name = qtext(queued ? entry->name : run);
  const bool inSuite = waits && !entry->suite.empty();
  const QString sentence = inSuite ? tr("Take \"%1\" out of the queue? It has not begun; its suite tells that it was not run.") : waits ? tr("Take \"%1\" out of the queue? It has not begun, and nothing of it stays.") : tr("Stop \"%1\"? What it has recorded stays; it can go on later only from a checkpoint.");
  if (mayStop && !mayStop(sentence.arg(name), waits ? tr("Remove") : tr("Stop"))) return;
  entry = queue_.find(run);
  if (waits && entry && !entry->waiting) return stop(run);  // it has begun meanwhile
  if (!queued || entry) queue_.stop({run});  // else it has ended meanwhile
}

void MainWindow::stopAll(const std::vector<std::string>& runs) {
  if (runs.size() == 1) return stop(runs.front());
  const auto left = [&] {
    std::vector<std::string> still;
    for (const std::string& run : runs)
      if (queue_.find(run) != nullptr) still.push_back(run);
    return still;
  };
  const std::vector<std::string> asked = left();
  const auto waiting = static_cast<int>(std::ranges::count_if(asked, [this](const std::string& run) { return queue_.find(run)->waiting; })), busy = static_cast<int>(asked.size()) - waiting;
  if (asked.empty()) return;
  const QString out = tr("Take %1 out of the queue? Nothing of what has not begun stays.").arg(tr("%n run(s)", nullptr, waiting));
  const QString many = tr("%n run(s)", nullptr, busy);
  const QString end = waiting > 0 ? tr("Stop %1 and take %2 out of the queue? What has been recorded stays.").arg(many, tr("%n run(s)", nullptr, waiting)) : tr("Stop %1? What has been recorded stays.").arg(many);
  if (mayStop && !mayStop(busy > 0 ? end : out, busy > 0 ? tr("Stop") : tr("Remove"))) return;
  if (const std::vector<std::string> still = left(); !still.empty()) queue_.stop(still);
}

bool MainWindow::load(const std::string& run, bool start) {
  const runs::RunItem* item = runsModel_.find(run);
  if (const auto pending = runsModel_.suites()->pending.find(run); !item && pending != runsModel_.suites()->pending.end()) item = &pending->second;
  const store::RunRow row = item ? item->row : run_->snapshot().run;  // one in the trash only its page knows
  const auto refused = [this](const QString& sentence) { return tell(sentence), false; };
  if (row.id != run || row.specText.empty()) return refused("This run has no experiment document: it was imported.");
  if (start && !recorder_.trouble().isEmpty()) return refused(QString("\"%1\" was not started: %2").arg(qtext(row.name), recorder_.trouble()));
  if (start && experiment_->runAgain(row.specText)) return false;
  go(kExperiments);  // first: what can be undone there is told there
  const bool read = experiment_->open(row.specText, tr("a copy of \"%1\"").arg(qtext(row.name)));
  if (read && start) tell(QString("\"%1\" was not started: the check beside its form says why.").arg(qtext(row.name)));
  return read;
}

void MainWindow::changeCopy(const std::string& run, const std::string& what, const std::function<void(RunSpec&)>& change) {
  if (!load(run, false)) return;
  const QString changes = experiment_->change(change, said(what));
  if (!changes.isEmpty()) note(undo_.drafts, "info", tr("In a copy of \"%1\": %2").arg(qtext(experiment_->draft().spec().name), changes), true);
}

}  // namespace paceline
