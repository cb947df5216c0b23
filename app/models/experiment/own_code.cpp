#include "app/models/experiment/own_code.h"

#include "app/cluster/worker/own_files.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/pinned_file.h"

namespace paceline::experiment {

std::optional<OwnCode> ownCode(const QString& named, const QString& command) {
  const std::string path = pinnedFile(named.toStdString()).path;
  if (path.empty()) return std::nullopt;
  try {
    const std::string sha256 = worker::contentOf(path);
    return OwnCode{.path = QString::fromStdString(path), .sha256 = QString::fromStdString(sha256), .command = command, .confirmed = worker::isTrusted(sha256, command.toStdString())};
  } catch (const Error&) {  // the check of the document says it
    return std::nullopt;
  }
}

QString confirm(const OwnCode& code) {
  try {
    worker::trust(code.sha256.toStdString(), code.path.toStdString(), code.command.toStdString());
    return {};
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
}

void OwnModelLook::look(const std::optional<OwnCode>& code, const RunSpec& spec) {
  std::string key;
  if (code && code->confirmed) {
    RunSpec part;
    part.model = spec.model, part.dataset = spec.dataset, part.batchSize = spec.batchSize, part.seed = spec.seed;
    key = strCat(code->sha256.toStdString(), code->command.toStdString(), toJsonText(part));
  }
  if (key == key_) return;
  key_ = key;
  older_.request_stop();
  words_.clear();
  emit changed();
  if (key.empty()) return;
  older_ = std::stop_source();
  const auto work = [spec, named = code->path.toStdString(), newer = older_.get_token()](const std::stop_token& end) {
    const EitherStop stop(newer, end);
    return stop.asked() ? worker::TriedModel() : worker::triedModel(named, spec, stop.token());
  };
  inBackground(tasks_, this, work, [this, key](const worker::TriedModel& tried, const QString& problem) {
    if (key != key_) return;
    words_ = problem.isEmpty() ? tr("%1 parameters; a step takes %2 samples of %3.").arg(countText(tried.parameters), countText(tried.samples), QString::fromStdString(tried.input))
                               : tr("It could not be tried here: %1").arg(problem);
    emit changed();
  });
}

}  // namespace paceline::experiment
