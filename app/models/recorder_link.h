// The window's connection to the recorder of its store, on a thread of its own: requests are made there in order, notices arrive as signals.
// A lost connection is made again. What hosts ask during runs is put to the person as for tasks of the window. GUI thread.
// Reading needs no connection: each model has a reader of its own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <QObject>
#include <QString>
#include <QThread>

#include "app/cluster/recorder/client.h"
#include "app/models/gui_prompts.h"
#include "app/models/task_queue.h"

namespace paceline {

class RecorderLink : public QObject {
  Q_OBJECT
 public:
  RecorderLink(const QString& storePath, GuiPrompts& prompts, QObject* parent = nullptr);
  ~RecorderLink() override;

  const std::string& storePath() const { return path_; }
  QString trouble() const { return lost_.isEmpty() ? store_ : lost_; }  // why nothing can be recorded now; "" when it can

  void readQueue();  // answered by queueRead(), after a new connection where that is needed
  // One request, or a few; then `answered` on the GUI thread, or failed() with the error.
  using Request = std::function<void(recorder::Client&)>;
  void ask(Request request, std::function<void()> answered = {});

 signals:
  void troubleChanged();
  void queueRead(const std::vector<paceline::recorder::Entry>& entries);  // all of it, in order
  void entryChanged(const paceline::recorder::Entry& entry);
  void newerRows(const std::string& run);
  void written();                          // a request was carried out
  void failed(const QString& sentence);

 private:
  class Line;  // lives on thread_
  void take(const recorder::Notice& notice);
  void setTrouble(QString RecorderLink::*kind, const QString& text);
  void put(const recorder::Question& question);
  void drop(std::int64_t question);  // takes it back from the person

  std::string path_;
  QString lost_, store_;
  GuiPrompts& prompts_;
  GuiPrompts::Given given_;                       // used by asking_ only
  std::stop_source closing_;
  std::map<std::int64_t, std::stop_source> open_;  // questions of hosts
  QThread thread_;
  Line* line_;
  TaskQueue asking_;  // one question after the other
};

}  // namespace paceline
