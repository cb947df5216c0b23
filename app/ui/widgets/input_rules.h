// What holds for the input of every widget of the program, those made later too: one event filter of the application. GUI thread.
// - The wheel scrolls the page. It changes the value of a list, number, slider or tab bar only while that has the keyboard, and does not give it.
// - Undo and redo in a text field below a widget with undoesDocument() are the document's, not the field's.
#pragma once

#include <QObject>

class QWidget;

namespace paceline::widgets {

class InputRules : public QObject {
 public:
  explicit InputRules(QObject* parent = nullptr);  // in force while it lives

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
};

void undoesDocument(QWidget* page);

// Tab goes through what is in `area` as it stands there: down its layouts. To be called again when widgets were made anew, which come last by themselves.
void orderTabs(QWidget* area);

}  // namespace paceline::widgets
