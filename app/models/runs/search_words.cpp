#include "app/models/runs/search_words.h"

#include <algorithm>
#include <map>

#include <QRegularExpression>

#include "app/models/words.h"

namespace paceline::runs {
namespace {

constexpr char16_t kFirstPlace = 0xF000;  // of private characters, one an axis: what a sentence is told with until its words are said

// What the points had on an axis, the longest first.
QStringList valuesOf(const recorder::SearchStory& story, std::size_t axis) {
  QStringList values;
  for (const recorder::TriedPoint& point : story.points)
    if (axis < point.values.size() && !values.contains(qtext(point.values[axis]))) values << qtext(point.values[axis]);
  std::ranges::stable_sort(values, std::ranges::greater(), &QString::size);
  return values;
}

QString oneOf(const QStringList& values) {
  QStringList escaped;
  for (const QString& value : values) escaped << QRegularExpression::escape(value);
  return "(?:" + escaped.join('|') + ")";
}

// "key value", "key value to value", "key value or value" with the axis's private character for the key and titles for the values. Axes that share a key follow each other in every list.
QString withPlaces(const recorder::SearchStory& story, QString text, const Titles& titles) {
  std::map<std::string, std::vector<std::size_t>> byKey;
  for (std::size_t axis = 0; axis < story.axes.size(); ++axis) byKey[story.axes[axis]].push_back(axis);
  for (const auto& [key, axes] : byKey) {
    QStringList values;
    for (const std::size_t axis : axes) values << valuesOf(story, axis);
    if (values.isEmpty()) continue;
    values.removeDuplicates();
    const QRegularExpression place(QString(R"((?<![\w.])%1 (%2(?: (?:or|to) %2)*)(?![\w]))").arg(QRegularExpression::escape(qtext(key)), oneOf(values))), value(oneOf(values));
    QString told;
    qsizetype from = 0;
    std::size_t turn = 0;
    for (const QRegularExpressionMatch& match : place.globalMatch(text)) {
      const std::size_t axis = axes[turn++ % axes.size()];
      told += text.mid(from, match.capturedStart() - from) + QChar(static_cast<char16_t>(kFirstPlace + axis)) + ' ';
      const QString words = match.captured(1);
      qsizetype at = 0;
      for (const QRegularExpressionMatch& each : value.globalMatch(words)) {
        told += words.mid(at, each.capturedStart() - at) + searchedValue(story, axis, each.captured().toStdString(), titles);
        at = each.capturedEnd();
      }
      told += words.mid(at);
      from = match.capturedEnd();
    }
    text = told + text.mid(from);
  }
  return text;
}

}  // namespace

QString searchedField(const recorder::SearchStory& story, std::size_t axis, const Titles& titles) {
  const QString field = said(labelIn(titles, story.keys[axis]));
  return story.nodes[axis].empty() ? field : QObject::tr("%1 of %2", "a field, its nodes").arg(field, qtext(story.nodes[axis]));
}

QString searchedValue(const recorder::SearchStory& story, std::size_t axis, const std::string& value, const Titles& titles) {
  if (!story.keys[axis].ends_with("/id")) return qtext(value);
  return said(story.keys[axis] == "/algorithm/id" ? displayName(value) : titleIn(titles, value));
}

QString searchSentence(const recorder::SearchStory& story, const std::string& english, const Titles& titles) {
  static const QRegularExpression kBetween(R"((?<=\.) (?=[A-Z0-9]))");  // two sentences
  QString told;
  for (const QString& sentence : withPlaces(story, qtext(english), titles).split(kBetween)) {
    const QString next = said(sentence.toStdString());
    told = told.isEmpty() ? next : QObject::tr("%1 %2", "two sentences").arg(told, next);
  }
  for (std::size_t axis = 0; axis < story.axes.size(); ++axis) told.replace(QChar(static_cast<char16_t>(kFirstPlace + axis)), qtext(withinSentence(searchedField(story, axis, titles).toStdString())));
  return told;
}

}  // namespace paceline::runs
