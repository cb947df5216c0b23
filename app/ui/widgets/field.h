// One line of a form: name, editor, unit, and below it the help text, or the finding while there is one (so nothing jumps).
// GUI thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QWidget>

#include "engine/core/json/finding.h"
#include "engine/core/spec/params.h"

namespace paceline::widgets {

class Field : public QWidget {
  Q_OBJECT
 public:
  Field(const QString& name, QWidget* editor, std::string pointer, const QString& help = {}, const QString& unit = {});

  const std::string& pointer() const { return pointer_; }
  void showFinding(const std::optional<Finding>& finding);
  void setHelp(const QString& help);
  QWidget* editor() const { return editor_; }

 private:
  void note();
  std::string pointer_;
  QString help_;
  std::optional<Finding> finding_;
  QWidget* editor_;
  QLabel* note_;
};

// A line edit that gives its text after every keystroke and takes a new one only while it has no focus.
QLineEdit* textEditor(const char* objectName, const std::function<void(const QString&)>& changed, bool number = false);
void showText(QLineEdit* editor, const QString& text);

QString boundsText(const ParamSpec& param);  // "0 to 1", "at least 0"

}  // namespace paceline::widgets
