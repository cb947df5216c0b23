#include "app/models/settings/backup_model.h"

#include <cerrno>

#include <QDir>
#include <QFileInfo>

#include "app/models/words.h"
#include "engine/core/base/disk.h"

namespace paceline {
namespace {

constexpr int kMostKept = 100000;
constexpr double kMostHours = 1e6, kLeastHours = 0.01;

QString numberText(double number) { return QString::number(number, 'g', 6); }

}  // namespace

BackupModel::BackupModel(std::string store, QObject* parent) : QObject(parent), store_(std::move(store)) {
  const store::BackupPlan usual;
  typed_.every = numberText(usual.everyHours), typed_.keep = QString::number(usual.keep);
}

std::optional<store::BackupPlan> BackupModel::read(bool folderNeeded) {
  problems_ = {};
  bool hours = false, whole = false;
  store::BackupPlan plan{.folder = QDir::cleanPath(typed_.folder.trimmed()).toStdString(), .keep = typed_.keep.toInt(&whole), .everyHours = typed_.every.toDouble(&hours)};
  const QFileInfo place(qtext(plan.folder));
  if (plan.folder.empty() && folderNeeded) problems_.folder = tr("Choose the folder for the copies");
  else if (!plan.folder.empty() && !place.isAbsolute()) problems_.folder = tr("The folder must be an absolute path; it is \"%1\"").arg(typed_.folder);
  else if (place.exists() && !place.isDir()) problems_.folder = tr("%1 is a file, not a folder").arg(qtext(plan.folder));
  if (!hours || plan.everyHours < kLeastHours || plan.everyHours > kMostHours) problems_.every = tr("Every must be a number of hours from %1 to %2; it is \"%3\"").arg(kLeastHours).arg(countText(static_cast<std::int64_t>(kMostHours)), typed_.every);
  if (!whole || plan.keep < 1 || plan.keep > kMostKept) problems_.keep = tr("Keep must be a whole number from 1 to %1; it is \"%2\"").arg(countText(kMostKept), typed_.keep);
  return problems_.any() ? std::nullopt : std::optional(plan);
}

void BackupModel::follow(const Plan& kept) {
  if (!problems_.any()) {  // what is being mended stays
    typed_.planned = kept.plan.has_value();
    if (kept.plan) typed_ = {.planned = true, .folder = qtext(kept.plan->folder), .every = numberText(kept.plan->everyHours), .keep = QString::number(kept.plan->keep)};
  }
  state_ = typed_.folder.isEmpty() ? QString() : kept.newestUtc > 0 ? tr("Newest copy: %1").arg(whenText(kept.newestUtc)) : tr("No copy in this folder yet");
  emit changed();
}

void BackupModel::load() {
  const auto look = [store = store_, folder = typed_.folder.toStdString()](const std::stop_token&) {
    Plan kept{.plan = store::backupPlan(store)};
    kept.newestUtc = store::newestBackupUtc(kept.plan.value_or(store::BackupPlan{.folder = folder}));
    return kept;
  };
  inBackground(tasks_, this, look, [this, edits = edits_](const Plan& kept, const QString& error) {
    if (!error.isEmpty()) return emit failed(error);
    if (edits == edits_) follow(kept);
  });
}

void BackupModel::set(const Typed& typed) {
  if (typed == typed_) return;
  typed_ = typed;
  ++edits_;
  const std::optional<store::BackupPlan> plan = read(typed_.planned);
  if (typed_.planned && !plan) return emit changed();
  const auto keep = [store = store_, plan, planned = typed_.planned](const std::stop_token&) {
    if (planned && disk::makeFolders(plan->folder) != 0) disk::refuse("cannot make folder " + plan->folder, errno);
    if (planned || store::backupPlan(store)) store::setBackupPlan(store, planned ? plan : std::nullopt);
    return Plan{.plan = planned ? plan : std::nullopt, .newestUtc = plan ? store::newestBackupUtc(*plan) : 0};
  };
  inBackground(tasks_, this, keep, [this, typed](const Plan& kept, const QString& error) {
    if (typed != typed_) return;  // a later one is on its way
    if (!error.isEmpty()) problems_.folder = said(error.toStdString());
    error.isEmpty() ? follow(kept) : emit changed();
  });
}

void BackupModel::backUpNow() {
  const std::optional<store::BackupPlan> plan = read(true);
  if (busy_ || !plan) return emit changed();
  busy_ = true;
  emit changed();
  inBackground(tasks_, this, [store = store_, plan](const std::stop_token&) { return store::backUpInto(store, *plan); }, [this](const store::Backup& made, const QString& error) {
    busy_ = false;
    outcomeFailed_ = !error.isEmpty();
    outcome_ = outcomeFailed_ ? error : tr("%1, %2, checked: %3").arg(tr("%n run(s)", nullptr, static_cast<int>(made.runs)), bytesText(static_cast<double>(made.bytes)), qtext(made.path));
    load();
  });
}

}  // namespace paceline
