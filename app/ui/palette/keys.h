// What the keys of a widget do, told where they are handled and listed by F1. GUI thread.
#pragma once

#include <utility>
#include <vector>

#include <QObject>
#include <QString>

class QShortcut;

namespace paceline::palette {

struct KeyLine {
  QString place, keys, act;  // "Timeline of a run", "Space", "Hold what is shown, or go on"
};

using KeyActs = std::initializer_list<std::pair<QString, QString>>;  // keys, act
void tellKeys(QObject* handler, const QString& place, KeyActs acts);  // of a handler that reads keys itself
void tellKeys(QShortcut* shortcut, const QString& place, const QString& act);

std::vector<KeyLine> keyLines(const QObject* above);  // told by what is below, by place, each once

}  // namespace paceline::palette
