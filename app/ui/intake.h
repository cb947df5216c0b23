// Takes what is dropped on the window, or chosen to be imported, to where it belongs: results into the store, a document into the form, a list of hosts to the
// Clusters page, a data set to the Data page. It is recognised by its content, in the background, and one message says what became of it. GUI thread.
#pragma once

#include <QLabel>
#include <QStringList>
#include <QTimer>

#include "app/cluster/interop/recognise.h"
#include "app/models/task_queue.h"
#include "app/ui/shell.h"

namespace paceline {

class Intake : public QObject {
  Q_OBJECT
 public:
  struct Window {
    std::function<bool(const std::string& document, const QString& path)> openExperiment;
    std::function<void(const QString& path)> showHosts, checkData, askColumns;
    std::function<void()> showRuns;
    std::function<void(const QString& words, const QString& action, std::function<void()> act)> say;
  };
  Intake(Shell& shell, Window window, QWidget* widget);  // widget: the window that files are dropped on

  void take(const QStringList& paths);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;  // of the application: files may be dropped on any part of the window

 private:
  void sort(const std::vector<interop::Recognised>& all);
  void importResults(const std::vector<interop::Recognised>& results, QStringList said, QStringList problems);
  QStringList openOthers(const std::vector<interop::Recognised>& all, QStringList& problems);
  void finish(const QStringList& said, const QStringList& problems, bool imported);
  void showCue(bool shown);

  Shell& shell_;
  Window window_;
  QWidget* widget_;
  QLabel* cue_;
  QTimer gone_;  // the pointer has left, unless it comes to the next part of the window
  TaskQueue tasks_;
};

}  // namespace paceline
