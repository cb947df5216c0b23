// The context menu of a list: what the buttons of its pane do with what is selected. So there is one place that says what can be done now. GUI thread.
#pragma once

#include <QAbstractItemView>
#include <QMenu>

namespace paceline::widgets {

// At the pointer, which selects the row that it stands on, or by the menu key. Buttons of `pane` that are hidden are left out, disabled ones stay with their reason.
void offerButtons(QAbstractItemView* view, QWidget* pane);
void addButtons(QMenu* menu, const QWidget* pane);  // as actions, in the order of its layout

}  // namespace paceline::widgets
