#include "app/ui/palette/keys.h"

#include <algorithm>

#include <QShortcut>
#include <QVariant>

namespace paceline::palette {
namespace {

constexpr const char* kKeys = "pacelineKeys";  // place, keys, act, keys, act ...

}  // namespace

void tellKeys(QObject* handler, const QString& place, KeyActs acts) {
  QStringList told{place};
  for (const auto& [keys, act] : acts) told << keys << act;
  handler->setProperty(kKeys, told);
}

void tellKeys(QShortcut* shortcut, const QString& place, const QString& act) {
  shortcut->setProperty(kKeys, QStringList{place, shortcut->key().toString(QKeySequence::NativeText), act});
}

std::vector<KeyLine> keyLines(const QObject* above) {
  std::vector<KeyLine> lines;
  for (const QObject* each : above->findChildren<QObject*>()) {
    const QStringList told = each->property(kKeys).toStringList();
    for (qsizetype i = 1; i + 1 < told.size(); i += 2) lines.push_back({told[0], told[i], told[i + 1]});
  }
  const auto words = [](const KeyLine& line) { return std::tie(line.place, line.act, line.keys); };
  std::ranges::stable_sort(lines, {}, &KeyLine::place);
  std::vector<KeyLine> once;
  for (const KeyLine& line : lines)
    if (std::ranges::none_of(once, [&](const KeyLine& other) { return words(other) == words(line); })) once.push_back(line);
  return once;
}

}  // namespace paceline::palette
