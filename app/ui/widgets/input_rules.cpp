#include "app/ui/widgets/input_rules.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <vector>

namespace paceline::widgets {
namespace {

constexpr const char* kUndoesDocument = "undoesDocument";

bool hasValue(QObject* object) {
  const bool slider = qobject_cast<QAbstractSlider*>(object) && !qobject_cast<QScrollBar*>(object);
  return slider || qobject_cast<QComboBox*>(object) || qobject_cast<QAbstractSpinBox*>(object) || qobject_cast<QTabBar*>(object);
}

bool belowDocument(const QObject* object) {  // in its own window: not in a dialog of it
  for (const auto* widget = qobject_cast<const QWidget*>(object); widget; widget = widget->isWindow() ? nullptr : widget->parentWidget())
    if (widget->property(kUndoesDocument).toBool()) return true;
  return false;
}

void gather(QWidget* widget, std::vector<QWidget*>& all);

void gather(QLayout* layout, std::vector<QWidget*>& all) {
  for (int i = 0; i < layout->count(); ++i) {
    if (QWidget* inside = layout->itemAt(i)->widget()) gather(inside, all);
    if (QLayout* inner = layout->itemAt(i)->layout()) gather(inner, all);
  }
}

void gather(QWidget* widget, std::vector<QWidget*>& all) {
  if (widget->focusPolicy() & Qt::TabFocus) all.push_back(widget);
  const auto* scroll = qobject_cast<QScrollArea*>(widget);
  if (scroll && scroll->widget()) gather(scroll->widget(), all);
  else if (widget->layout()) gather(widget->layout(), all);
}

}  // namespace

InputRules::InputRules(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool InputRules::eventFilter(QObject* object, QEvent* event) {
  switch (event->type()) {
    case QEvent::Polish:  // before it is seen
      if (hasValue(object) && static_cast<QWidget*>(object)->focusPolicy() == Qt::WheelFocus) static_cast<QWidget*>(object)->setFocusPolicy(Qt::StrongFocus);
      return false;
    case QEvent::Wheel:
      if (!hasValue(object) || static_cast<QWidget*>(object)->hasFocus()) return false;
      event->ignore();  // the next widget above gets it
      return true;
    case QEvent::ShortcutOverride: {
      const auto* key = static_cast<QKeyEvent*>(event);
      if (!(key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) || !belowDocument(object)) return false;
      event->ignore();  // the shortcut of the menu gets it
      return true;
    }
    default: return false;
  }
}

void orderTabs(QWidget* area) {
  std::vector<QWidget*> all;
  gather(area, all);
  for (std::size_t i = 1; i < all.size(); ++i) QWidget::setTabOrder(all[i - 1], all[i]);
}

void undoesDocument(QWidget* page) { page->setProperty(kUndoesDocument, true); }

}  // namespace paceline::widgets
