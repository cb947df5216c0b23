// Ctrl+K: everything that has a name, found by typing: pages, runs, hosts, fields, commands. Up and Down choose, Return goes there, Escape closes. GUI thread.
#pragma once

#include <functional>
#include <vector>

#include <QFrame>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>

#include "app/models/finder.h"

namespace paceline::palette {

struct Command {
  QString name, kind;  // "Stop the run that is shown", "Command"
  QString detail = {};   // at the right: keys, a state
  QString more = {};     // found by it, too
  const char* iconName = "";
  std::function<void()> act;
};

class CommandPalette : public QFrame {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* window);  // over whose content it lies
  void open(std::vector<Command> commands);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void follow();
  void place();
  void take(int row);
  void leave();  // and the keyboard goes back

  std::vector<Command> commands_;
  std::vector<Findable> names_;
  QPointer<QWidget> before_;
  QLineEdit* typed_;
  QListWidget* list_;
};

}  // namespace paceline::palette
