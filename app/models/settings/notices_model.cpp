#include "app/models/settings/notices_model.h"

#include "app/cluster/notices/notice.h"
#include "app/cluster/recorder/hook.h"
#include "app/models/words.h"

namespace paceline {
namespace {

struct Kept {
  notices::Settings settings = {};
  NoticesModel::Problems problems = {};
  std::string program = {};
};

NoticesModel::Problems problemsOf(const notices::Settings& settings) {
  return {.address = said(notices::webhookProblem(settings.webhook)), .command = said(notices::commandProblem(settings.command)), .ends = said(notices::endsProblem(settings))};
}

}  // namespace

void NoticesModel::load() {
  inBackground(tasks_, this, [](const std::stop_token&) { return Kept{.settings = notices::load(), .program = recorder::hookProgram()}; }, [this, edits = edits_](const Kept& kept, const QString& error) {
    if (!error.isEmpty()) return emit failed(error);
    if (!problems_.any() && edits == edits_) shown_ = kept.settings;  // what is being mended stays
    program_ = qtext(kept.program);
    emit changed();
  });
}

void NoticesModel::set(const notices::Settings& wanted) {
  if (wanted == shown_) return;
  shown_ = wanted;
  ++edits_;
  const auto keep = [wanted](const std::stop_token&) {
    Kept kept{.settings = wanted, .problems = problemsOf(wanted)};
    if (!kept.problems.any()) notices::save(wanted);
    return kept;
  };
  inBackground(tasks_, this, keep, [this](const Kept& kept, const QString& error) {
    if (!error.isEmpty()) emit failed(error);
    if (kept.settings == shown_) problems_ = kept.problems;  // else a later one is on its way
    emit changed();
  });
}

void NoticesModel::tryNow() {
  if (std::exchange(trying_, true)) return;
  emit changed();
  const auto tell = [settings = shown_, store = store_](const std::stop_token& stop) { return notices::tell(settings, notices::trial(store), stop); };
  inBackground(tasks_, this, tell, [this](const std::vector<std::string>& problems, const QString& error) {
    trying_ = false;
    trialFailed_ = !error.isEmpty() || !problems.empty();
    QStringList sentences;
    for (const std::string& problem : problems) sentences << asSentence(said(problem)) + ".";
    trial_ = !error.isEmpty() ? error : problems.empty() ? tr("Told; this was a trial.") : sentences.join(" ");
    emit changed();
  });
}

}  // namespace paceline
