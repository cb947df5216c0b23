// One line of a form: name, editor, unit, and below it what must be said of the value: its finding, that it varies, why it does not apply.
// Its help stands in the name's tool tip, and where the form shows that of the field with the keyboard. GUI thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

#include "engine/core/json/finding.h"

class QAbstractItemModel;
class QHBoxLayout;
class QTableView;

namespace paceline::widgets {

class Field : public QWidget {
  Q_OBJECT
 public:
  Field(const QString& name, QWidget* editor, std::string pointer, const QString& help = {}, const QString& unit = {});

  const std::string& pointer() const { return pointer_; }
  QString name() const { return editor_->accessibleName(); }
  void showFinding(const std::optional<Finding>& finding);
  const std::optional<Finding>& finding() const { return finding_; }
  void setHelp(const QString& help);
  const QString& help() const { return help_; }
  void setNotice(const QString& words, bool locked);  // what holds for this value now; locked: it is not edited here
  void setFact(const QString& words);  // about this value, where there is nothing more urgent to say
  void setApplies(bool applies, const QString& reason = {});  // else it is not edited either, and says the reason
  void setChanged(bool changed) { changed_ = changed; }       // from its default
  bool isSet() const { return changed_ || (vary_ && vary_->isChecked()); }
  QWidget* editor() const { return editor_; }

  // A button behind the editor that turns the value into a list: pressed() is told. While it varies the editor holds the list, or `list` stands in its place.
  void offerVary(std::function<void(bool on)> pressed, QWidget* list = nullptr);
  // A button with words behind the editor, before that one.
  QToolButton* offerPress(const QString& words, const QString& what, std::function<void()> pressed);
  bool mayVary() const { return vary_ && vary_->isEnabled(); }
  void setVaries(bool on, bool possible);  // possible: nothing else in the suite sets it
  void toggleVary() { vary_->click(); }

 private:
  void note();
  void describe();  // for screen readers
  std::string pointer_;
  QString help_, notice_, fact_, reason_;
  bool applies_ = true, locked_ = false, changed_ = false;
  std::optional<Finding> finding_;
  QWidget* editor_;
  QHBoxLayout* line_;
  QLabel *caption_, *note_;
  QToolButton* vary_ = nullptr;
  QWidget* list_ = nullptr;  // in place of the editor while it varies
};

// A line edit that gives its text after every keystroke and takes a new one unless it is being typed into.
QLineEdit* textEditor(const char* objectName, const std::function<void(const QString&)>& changed, bool number = false);
void showText(QLineEdit* editor, const QString& text);

// Editable tables of the experiment form: cells with lists where there is something to choose, cells with a finding underlined. GUI thread.
// Of a model that speaks TableRole (app/models/column_table.h). The caller gives it a parent; the model outlives it.
QTableView* formTable(QAbstractItemModel& model, const char* objectName, const QString& accessibleName);
void fitFormTable(QTableView* table);              // as high as its rows, up to twelve
std::vector<int> selectedRows(const QTableView* table);  // each once

}  // namespace paceline::widgets
