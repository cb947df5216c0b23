// One line of a form: name, editor, unit, and below it the help text, or the finding while there is one (so nothing jumps).
// GUI thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QWidget>

#include "engine/core/json/finding.h"

class QAbstractItemModel;
class QTableView;

namespace paceline::widgets {

class Field : public QWidget {
  Q_OBJECT
 public:
  Field(const QString& name, QWidget* editor, std::string pointer, const QString& help = {}, const QString& unit = {});

  const std::string& pointer() const { return pointer_; }
  void showFinding(const std::optional<Finding>& finding);
  void setHelp(const QString& help);
  void setNotice(const QString& words, bool locked);  // in place of the help: what holds for this value now; locked: it is not edited here
  void setApplies(bool applies);                      // else it is not edited either
  QWidget* editor() const { return editor_; }

 private:
  void note();
  std::string pointer_;
  QString help_, notice_;
  bool applies_ = true, locked_ = false;
  std::optional<Finding> finding_;
  QWidget* editor_;
  QLabel* note_;
};

// A line edit that gives its text after every keystroke and takes a new one unless it is being typed into.
QLineEdit* textEditor(const char* objectName, const std::function<void(const QString&)>& changed, bool number = false);
void showText(QLineEdit* editor, const QString& text);

// Editable tables of the experiment form: cells with lists where there is something to choose, cells with a finding underlined. GUI thread.
// Of a model that speaks TableRole (app/models/column_table.h). The caller gives it a parent; the model outlives it.
QTableView* formTable(QAbstractItemModel& model, const char* objectName, const char* accessibleName);
void fitFormTable(QTableView* table);              // as high as its rows, up to twelve
std::vector<int> selectedRows(const QTableView* table);  // each once

}  // namespace paceline::widgets
