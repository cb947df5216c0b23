#include "app/ui/widgets/context_menu.h"

#include <QLayout>
#include <QPushButton>
#include <QScrollArea>

namespace paceline::widgets {
namespace {

void addIn(QMenu* menu, const QLayout* layout, const QWidget* pane) {
  for (int i = 0; layout && i < layout->count(); ++i) {
    QLayoutItem* item = layout->itemAt(i);
    if (item->layout()) addIn(menu, item->layout(), pane);
    QWidget* widget = item->widget();
    auto* button = qobject_cast<QPushButton*>(widget);
    if (!button) {
      auto* area = qobject_cast<QScrollArea*>(widget);
      if (widget) addIn(menu, (area && area->widget() ? area->widget() : widget)->layout(), pane);
      continue;
    }
    if (!button->isVisibleTo(pane)) continue;
    if (button->menu()) {
      button->menu()->setTitle(button->text());
      menu->addMenu(button->menu())->setEnabled(button->isEnabled());
      continue;
    }
    QAction* action = menu->addAction(button->icon(), QString(button->text()).replace("&", "&&"), button, &QPushButton::click);
    action->setEnabled(button->isEnabled());
    action->setToolTip(button->toolTip());
  }
}

}  // namespace

void addButtons(QMenu* menu, const QWidget* pane) { addIn(menu, pane->layout(), pane); }

void offerButtons(QAbstractItemView* view, QWidget* pane) {
  view->setContextMenuPolicy(Qt::CustomContextMenu);
  QObject::connect(view, &QWidget::customContextMenuRequested, view, [view, pane](const QPoint& at) {
    if (!view->selectionModel()->hasSelection()) return;
    auto* menu = new QMenu(view);
    menu->setObjectName("contextMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    addButtons(menu, pane);
    menu->isEmpty() ? menu->deleteLater() : menu->popup(view->viewport()->mapToGlobal(at));
  });
}

}  // namespace paceline::widgets
