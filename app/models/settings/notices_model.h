// Who hears of ends (app/cluster/notices): the file that the terminal's `paceline notices` writes, too. Read, checked, written and tried in the background. GUI thread.
#pragma once

#include <QObject>
#include <QString>

#include "app/cluster/notices/settings.h"
#include "app/models/task_queue.h"

namespace paceline {

class NoticesModel : public QObject {
  Q_OBJECT
 public:
  struct Problems {
    QString address, command, ends;  // "": none; in the interface's language
    bool any() const { return !address.isEmpty() || !command.isEmpty() || !ends.isEmpty(); }
  };
  explicit NoticesModel(std::string store, QObject* parent = nullptr) : QObject(parent), store_(std::move(store)) {}

  void load();
  void set(const notices::Settings& wanted);  // kept where nothing is wrong with it, else shown with its problems and not kept
  void tryNow();                               // tells what is shown; told() says how it went

  const notices::Settings& settings() const { return shown_; }
  const Problems& problems() const { return problems_; }
  const QString& program() const { return program_; }  // that hears of every end; "": there is none
  bool hears() const { return !shown_.webhook.empty() || !shown_.command.empty(); }
  bool trying() const { return trying_; }
  const QString& trial() const { return trial_; }      // how the last one went; "": none yet
  bool trialFailed() const { return trialFailed_; }

 signals:
  void changed();
  void failed(const QString& sentence);

 private:
  std::string store_;
  notices::Settings shown_;
  Problems problems_;
  QString program_, trial_;
  bool trying_ = false, trialFailed_ = false;
  int edits_ = 0;  // what was read before the last one is older than what is shown
  TaskQueue tasks_;
};

}  // namespace paceline
