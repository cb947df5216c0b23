#include "app/models/words.h"

#include <algorithm>
#include <cmath>

#include <QDateTime>

#include "app/models/language.h"
#include "engine/core/spec/schema.h"

namespace paceline {
namespace {

constexpr double kSettled = 0.15;  // a range narrower than this is told as one number

QString twoDigits(int n) { return QString("%1").arg(n, 2, 10, QChar('0')); }

struct Unit {
  double seconds;
  const char* word;
};

Unit unitFor(double seconds) {
  if (seconds < 90) return {1, "s"};
  if (seconds < 5400) return {60, "min"};
  return {3600, "h"};
}

QString sizesOf(const Shape& shape) { return QString("%1x%2x%3").arg(shape.channels).arg(shape.height).arg(shape.width); }

}  // namespace

QStringList qtexts(const std::vector<std::string>& texts) {
  QStringList all;
  for (const std::string& text : texts) all << qtext(text);
  return all;
}

QString stateWord(store::RunState state) {
  QString word = QString::fromUtf8(store::stateName(state));
  word[0] = word[0].toUpper();
  return said(word.toStdString());
}

bool isActive(store::RunState state) {
  return !store::isEnded(state) && state != store::RunState::kDraft && state != store::RunState::kStale;
}

QString durationText(double seconds) {
  if (!(seconds >= 0) || !std::isfinite(seconds)) return "—";
  if (seconds < 10) return QString("%1 s").arg(seconds, 0, 'f', 1);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return QString("%1 s").arg(whole);
  if (whole < 3600) return QString("%1 min %2 s").arg(whole / 60).arg(twoDigits(static_cast<int>(whole % 60)));
  return QString("%1 h %2 min").arg(whole / 3600).arg(twoDigits(static_cast<int>(whole % 3600 / 60)));
}

QString etaText(std::optional<double> low, std::optional<double> high) {
  if (!low || !high || !std::isfinite(*high)) return {};
  const Unit unit = unitFor(*high);
  const auto rounded = [unit](double s) { return std::max(1LL, std::llround(s / unit.seconds)); };
  const bool settled = *high - *low <= kSettled * *high || rounded(*low) == rounded(*high);
  if (settled) return QObject::tr("about %1 %2 left").arg(rounded((*low + *high) / 2)).arg(unit.word);
  return QObject::tr("%1 to %2 %3 left").arg(rounded(*low)).arg(rounded(*high)).arg(unit.word);
}

QString bytesText(double bytes) {
  static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (std::abs(bytes) >= 1000 && unit < 4) bytes /= 1000, ++unit;
  return QString("%1 %2").arg(bytes, 0, 'f', unit == 0 || std::abs(bytes) >= 100 ? 0 : 1).arg(kUnits[unit]);
}

QString rateText(double perSecond) {
  if (!std::isfinite(perSecond)) return "—";
  if (perSecond < 100) return QString::number(perSecond, 'f', perSecond < 10 ? 2 : 1);
  return countText(std::llround(perSecond));
}

QString countText(std::int64_t count) {
  QString digits = QString::number(count);
  for (qsizetype at = digits.size() - 3; at > (count < 0 ? 1 : 0); at -= 3) digits.insert(at, QChar(0x2009));
  return digits;
}

QString percentText(std::optional<double> fraction) {
  return fraction && std::isfinite(*fraction) ? QString("%1 %").arg(*fraction * 100, 0, 'f', 1) : QString("—");
}

QString whenText(double unixSeconds, const QDate& today) {
  if (unixSeconds <= 0) return "—";
  const QDateTime when = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(unixSeconds * 1000));
  const qint64 days = when.date().daysTo(today);
  if (days == 0) return when.toString("HH:mm:ss");
  if (days == 1) return QObject::tr("yesterday %1").arg(when.toString("HH:mm:ss"));
  return when.toString(when.date().year() == today.year() ? QObject::tr("d MMM HH:mm") : QObject::tr("d MMM yyyy"));
}

QString reasonWord(const std::string& reason) {
  QString words = said(store::reasonText(reason));
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  return words;
}

QString speedText(double gflops) { return gflops > 0 ? QString::number(gflops, 'f', gflops < 20 ? 1 : 0) : QString("—"); }

std::vector<std::string> tagsIn(const QString& typed) {
  std::vector<std::string> tags;
  for (const QString& tag : typed.split(',', Qt::SkipEmptyParts))
    if (!tag.trimmed().isEmpty()) tags.push_back(tag.trimmed().toStdString());
  return tags;
}

QString asSentence(QString words) {
  const QString first = words.left(words.indexOf(' '));
  const bool word = first.size() < words.size() && std::ranges::all_of(first, [](QChar c) { return c >= 'a' && c <= 'z'; });
  if (word && !first.isEmpty()) words[0] = words[0].toUpper();
  return words;
}

QString helpAt(std::string_view pointer) {
  const FieldInfo* field = fieldAt(pointer);
  if (field == nullptr || language::current() == "en") return qtext(fieldHelp(pointer));
  const QString help = said(field->help);
  return field->limits.empty() ? help : QObject::tr("%1. %2.", "help of a field, its limits").arg(help, said(field->limits));
}

QString titleOf(const CatalogEntry& entry) { return entry.title.empty() ? qtext(entry.id) : said(entry.title); }

QString factsOf(const ModelEntry& model) {
  QStringList inputs;
  for (const Shape& input : model.inputs) inputs << sizesOf(input);
  const QString takes = !inputs.isEmpty()          ? QObject::tr("takes %1").arg(inputs.join(", "))
                        : model.minimumSide > 1    ? QObject::tr("takes any shape from %1 pixels a side").arg(model.minimumSide)
                                                   : QObject::tr("takes any shape");
  if (model.tokens) return QObject::tr("Takes the characters of a text.");
  if (model.parameterCount == 0) return QObject::tr("Its file says what it takes.");
  return QObject::tr("%1 parameters; %2.").arg(countText(model.parameterCount), takes);
}

QString factsOf(const DatasetEntry& dataset) {
  if (dataset.shape.channels == 0) return dataset.tokens ? QString() : QObject::tr("Samples of the shape that its files have.");
  const QString images = dataset.trainCount > 0 ? QObject::tr("%1 + %2 images").arg(countText(dataset.trainCount), countText(dataset.testCount)) : QObject::tr("As many images as its files have");
  return dataset.classes > 0 ? QObject::tr("%1 of %2 in %3 classes.").arg(images, sizesOf(dataset.shape)).arg(dataset.classes) : QObject::tr("%1 of %2.").arg(images, sizesOf(dataset.shape));
}

}  // namespace paceline
