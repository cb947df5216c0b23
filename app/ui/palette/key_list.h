// F1: every key and what it does, by place. GUI thread.
#pragma once

#include <QDialog>

#include "app/ui/widgets/keys.h"

class QAction;
class QMenuBar;

namespace paceline::palette {

QString plainText(const QAction* action);                        // without the mark of its letter
std::vector<widgets::KeyLine> menuKeys(const QMenuBar* menus);  // of actions that have keys

class KeyList : public QDialog {
 public:
  KeyList(const std::vector<widgets::KeyLine>& lines, QWidget* window);
};

}  // namespace paceline::palette
