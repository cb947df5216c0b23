// A monospace editor for the JSON of an experiment: keys, strings and numbers in colour, the place of a mistake marked. GUI thread.
#pragma once

#include <QPlainTextEdit>

namespace paceline::widgets {

class JsonEditor : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit JsonEditor(QWidget* parent = nullptr);
  void showText(const QString& text);  // keeps the cursor's line; never while it is being typed into

 signals:
  void typed(const QString& text);

 private:
  void followTheme();
};

}  // namespace paceline::widgets
