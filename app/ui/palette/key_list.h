// Ctrl+F1: every key and what it does, by place. GUI thread.
#pragma once

#include <QDialog>

#include "app/ui/palette/keys.h"

class QAction;
class QMenuBar;

namespace paceline::palette {

QString plainText(const QAction* action);                        // without the mark of its letter
std::vector<KeyLine> menuKeys(const QMenuBar* menus);  // of actions that have keys

class KeyList : public QDialog {
 public:
  KeyList(const std::vector<KeyLine>& lines, QWidget* window);
};

}  // namespace paceline::palette
