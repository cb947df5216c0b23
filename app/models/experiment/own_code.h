// A file with code that a document names, a person's confirmation of it, and what it is made of. GUI thread; a file is read once for as long as it stays the same.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include <QObject>
#include <QString>

#include "app/models/task_queue.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::experiment {

struct OwnCode {
  QString path, sha256, command = {};  // command: what starts it; empty: it is loaded
  bool confirmed = false;
};

std::optional<OwnCode> ownCode(const QString& named, const QString& command = {});  // as the document has them; nullopt: no such file here
QString confirm(const OwnCode& code);                  // "": done; else why it is not

// What a model of a confirmed file has and takes: asked in the background, of a process with limits, when file, command, data or batch have changed.
// An answer to an older question is dropped.
class OwnModelLook : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  void look(const std::optional<OwnCode>& code, const RunSpec& spec);  // code that is not confirmed, or none: nothing is asked or told
  QString words() const { return words_; }  // "61 706 parameters; a step takes 64 samples of 1x28x28 float32.", or why it could not be tried

 signals:
  void changed();

 private:
  std::string key_;  // of the last question
  QString words_;
  std::stop_source older_;  // stops the question that runs
  TaskQueue tasks_;
};

}  // namespace paceline::experiment
