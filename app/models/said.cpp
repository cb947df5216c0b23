// What code without Qt says, in the interface's language: the same text where resources/translations has it, else a phrase with the parts that vary.
#include <algorithm>
#include <vector>

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include "app/models/language.h"
#include "app/models/phrases.h"
#include "app/models/words.h"

namespace paceline {
namespace {

constexpr int kDeepest = 4;            // phrases within phrases
constexpr qsizetype kMostKept = 4096;  // answers
constexpr qsizetype kTelling = 12;     // fixed characters of a phrase that is no chance match

struct Form {
  QString phrase;
  QRegularExpression matches;
  qsizetype fixed;  // characters that do not vary
};

const std::vector<Form>& forms() {
  static const std::vector<Form> kForms = [] {
    static const QRegularExpression kPlace("%\\d");
    std::vector<Form> made;
    for (const char* phrase : language::phrases()) {
      const QString text = QString::fromUtf8(phrase);
      const QStringList parts = text.split(kPlace);
      if (parts.size() < 2) continue;
      QStringList escaped;
      for (const QString& part : parts) escaped << QRegularExpression::escape(part);
      made.push_back({text, QRegularExpression("\\A" + escaped.join("(.+?)") + "\\z", QRegularExpression::DotMatchesEverythingOption), parts.join("").size()});
    }
    std::ranges::stable_sort(made, std::ranges::greater(), &Form::fixed);  // the one that says most comes first
    return made;
  }();
  return kForms;
}

QString translated(const QString& text) { return QCoreApplication::translate("Catalogue", text.toUtf8().constData()); }

// Words that nobody has translated: an error's, a person's. "%1 to %2" between such alone is no phrase.
bool isSentence(const QString& part) {
  static const QRegularExpression kSentence("[a-z]{2,} [a-z]{2,}");
  return kSentence.match(part).hasMatch();
}

// A form whose parts are all said goes before one that leaves English in them: "It will try %1." before "%1 for %2, %3".
QString saidWithin(const QString& text, int depth) {
  if (const QString whole = translated(text); whole != text || depth == kDeepest) return whole;
  QString partly;
  for (const Form& form : forms()) {
    const QRegularExpressionMatch match = form.matches.match(text);
    if (!match.hasMatch()) continue;
    QString words = translated(form.phrase);
    if (words == form.phrase) continue;
    QStringList parts;
    bool foreign = false, known = false;
    for (int i = 1; i <= match.lastCapturedIndex(); ++i) {
      parts << saidWithin(match.captured(i), depth + 1);
      known = known || match.captured(i) != parts.last();
      foreign = foreign || isSentence(parts.last());
    }
    if (foreign && ((!known && form.fixed < kTelling) || !partly.isNull())) continue;
    for (qsizetype i = parts.size(); i > 0; --i) words.replace(QString("%%1").arg(i), QString(QChar(static_cast<char16_t>(0xE000 + i))));  // what a part says is no place
    for (qsizetype i = parts.size(); i > 0; --i) words.replace(QChar(static_cast<char16_t>(0xE000 + i)), parts[i - 1]);
    if (!foreign) return words;
    partly = words;
  }
  return partly.isNull() ? text : partly;
}

}  // namespace

QString said(const std::string& english) {
  if (english.empty() || language::current() == "en") return qtext(english);
  static QHash<QString, QString> kept;
  static QString keptIn;
  if (keptIn != language::current() || kept.size() > kMostKept) kept.clear(), keptIn = language::current();
  const QString text = qtext(english);
  if (const auto known = kept.constFind(text); known != kept.constEnd()) return *known;
  return *kept.insert(text, saidWithin(text, 0));
}

}  // namespace paceline
