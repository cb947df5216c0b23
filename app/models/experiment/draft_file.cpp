#include "app/models/experiment/draft_file.h"

#include <cerrno>
#include <cstring>

#include <QDir>

#include "app/models/words.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"

namespace paceline::experiment {
namespace {

constexpr std::chrono::milliseconds kSoon{300};

}  // namespace

DraftFile::DraftFile(const QString& folder, ExperimentDraft& draft, StepKeeper keeper, QObject* parent) : QObject(parent), draft_(draft), keeper_(std::move(keeper)) {
  soon_.setSingleShot(true);
  soon_.setInterval(kSoon);
  connect(&soon_, &QTimer::timeout, this, &DraftFile::write);
  if (!QDir().mkpath(folder)) return;
  for (int number = 1; path_.empty(); ++number) {
    const QString name = QString("%1/draft-%2").arg(folder).arg(number);
    lock_ = std::make_unique<QLockFile>(name + ".lock");
    lock_->setStaleLockTime(0);  // old or not: a lock ends with its process
    if (lock_->tryLock(0)) path_ = (name + ".json").toStdString();
    else if (lock_->error() != QLockFile::LockFailedError) return;  // a folder that cannot be written into
  }
}

DraftFile::~DraftFile() {
  writing_.reset();
  if (path_.empty()) return;
  try {
    replaceFile(path_, withSteps(stored(draft_.state()), steps()), 0600);
  } catch (const Error&) {  // was told while somebody could hear it
  }
}

QString DraftFile::restore() {
  QString problem;
  if (path_.empty()) {
    problem = "Drafts are not kept: their folder cannot be written into.";
  } else if (const auto text = fileText(path_)) {
    DraftState state;
    if (readStored(*text, state)) {
      draft_.restore(std::move(state));
      if (keeper_.take) keeper_.take(stepsOf(*text));
    } else {
      disk::rename(path_, path_ + ".bad");
      problem = qtext(path_) + " holds no draft; it is now " + qtext(path_) + ".bad.";
    }
  } else if (errno != ENOENT) {
    problem = qtext(path_) + ": cannot be read: " + std::strerror(errno) + ".";
    path_.clear();  // it stays as it is
  }
  connect(&draft_, &ExperimentDraft::specChanged, &soon_, qOverload<>(&QTimer::start));
  return problem;
}

void DraftFile::write() {
  if (path_.empty()) return;
  inBackground(
      *writing_, this,
      [path = path_, draft = stored(draft_.state()), steps = steps()](const std::stop_token&) {
        replaceFile(path, withSteps(draft, steps), 0600);
        return true;
      },
      [this](bool, const QString& error) { tell(error); });
}

void DraftFile::tell(const QString& problem) {
  if (problem == told_) return;
  told_ = problem;
  if (!problem.isEmpty()) emit failed("The draft of this experiment is not kept: " + problem);
}

}  // namespace paceline::experiment
