// The words of a figure in the interface's language, and what it shows as sentences. A figure's data stays English: so does what is exported.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <QCoreApplication>
#include <QRegularExpression>

#include "app/models/language.h"
#include "app/models/words.h"
#include "app/ui/figure/figure_view.h"

namespace paceline::figure {
namespace {

constexpr std::size_t kTold = 8;   // lines, sets of bars; the others are counted
constexpr std::size_t kRead = 64;  // lines whose ends are looked for

void say(std::string& text) { text = said(text).toStdString(); }

template <class Parts>
void sayLabels(Parts& parts) {
  for (auto& part : parts) say(part.label);
}

// Of a field, which figures write small: "batch size" is the form's "Batch size". Null: nobody has a word for it.
QString fieldSaid(const QString& words) {
  for (const QString& each : {words, words.left(1).toUpper() + words.mid(1)})
    if (const QString told = QCoreApplication::translate("Catalogue", each.toUtf8().constData()); told != each) return told;
  return {};
}

// "slowdown of w0, w1 (s)": a field, its nodes, its unit. Results have phrases.
QString axisSaid(const QString& title) {
  static const QRegularExpression kUnit(R"(\A(.+) \(([^()]+)\)\z)");
  const QRegularExpressionMatch unit = kUnit.match(title);
  const QString words = unit.hasMatch() ? unit.captured(1) : title;
  QString field = fieldSaid(title);
  if (!field.isNull()) return field;
  field = fieldSaid(words);
  if (const qsizetype of = words.lastIndexOf(" of "); field.isNull() && of > 0)
    if (const QString own = fieldSaid(words.left(of)); !own.isNull()) field = QObject::tr("%1 of %2", "a field, its nodes").arg(own, said(words.mid(of + 4).toStdString()));
  if (field.isNull()) return said(title.toStdString());
  return unit.hasMatch() ? QString("%1 (%2)").arg(field, said(unit.captured(2).toStdString())) : field;
}

// Fields that have no axis are told as axes are.
QString noteSaid(const std::string& note) {
  constexpr std::string_view kLeftOut = "left out, they vary too: ";
  if (!note.starts_with(kLeftOut)) return said(note);
  QStringList fields;
  for (const QString& field : qtext(note.substr(kLeftOut.size())).split(", ")) fields << axisSaid(field);
  return QCoreApplication::translate("Catalogue", "left out, they vary too: %1").arg(fields.join(QObject::tr(", ", "between words")));
}

QString number(double value) { return QString::number(value, 'g', 4); }

struct Ends {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
};

Ends endsOf(const std::vector<double>& values) {
  Ends ends;
  for (const double value : values) ends.take(value);
  return ends;
}

QString axisWords(const Axis& axis, const QString& letter, const Ends& ends) {
  if (!(ends.low <= ends.high)) return {};
  return QObject::tr("%1: %2, %3 to %4", "axis: its title, its ends").arg(letter, axis.title.empty() ? QObject::tr("no title") : said(axis.title), number(ends.low), number(ends.high));
}

// "ESync: 0.1 to 0.87, at the end 0.86"
QString lineWords(const Line& line) {
  const Ends ends = endsOf(line.y);
  if (!(ends.low <= ends.high)) return QObject::tr("%1: no points").arg(said(line.label));
  const auto last = std::find_if(line.y.rbegin(), line.y.rend(), [](double value) { return std::isfinite(value); });
  return QObject::tr("%1: %2 to %3, at the end %4").arg(line.label.empty() ? QObject::tr("a line") : said(line.label), number(ends.low), number(ends.high), number(*last));
}

QString barWords(const BarSet& bars, const std::vector<std::string>& names) {
  QStringList values;
  for (std::size_t i = 0; i < bars.values.size() && i < kTold; ++i) values << (i < names.size() ? said(names[i]) + " " : QString()) + (std::isfinite(bars.values[i]) ? number(bars.values[i]) : "—");
  if (bars.values.size() > kTold) values << QObject::tr("and %1 more").arg(bars.values.size() - kTold);
  return (bars.label.empty() ? QString("%1") : said(bars.label) + ": %1").arg(values.join(", "));
}

}  // namespace

std::shared_ptr<const Figure> inWords(std::shared_ptr<const Figure> figure) {
  if (language::current() == "en") return figure;
  auto told = std::make_shared<Figure>(*figure);
  for (std::string* text : {&told->title, &told->x.title, &told->y.title}) say(*text);
  for (std::string& category : told->x.categories) say(category);
  for (std::string& category : told->y.categories) say(category);
  sayLabels(told->lines), sayLabels(told->bands), sayLabels(told->bars), sayLabels(told->spans), sayLabels(told->references), sayLabels(told->published);
  for (Axis& axis : told->axes) {
    axis.title = axisSaid(qtext(axis.title)).toStdString();
    for (std::string& category : axis.categories) say(category);
  }
  for (BarSet& bars : told->bars)
    for (std::string& text : bars.texts) say(text);
  for (std::string& note : told->notes) note = noteSaid(note).toStdString();
  return told;
}

QString description(const Figure& figure) {
  if (figure.empty()) return figure.notes.empty() ? QObject::tr("Nothing is drawn.") : QObject::tr("%1.", "a sentence").arg(asSentence(said(figure.notes.front())));
  QStringList parts;
  Ends x, y;
  for (std::size_t i = 0; i < figure.lines.size() && i < kRead; ++i) {
    const Line& line = figure.lines[i];
    const Ends across = endsOf(line.x), up = endsOf(line.y);
    x.take(across.low), x.take(across.high), y.take(up.low), y.take(up.high);
  }
  if (!figure.lines.empty()) parts << axisWords(figure.x, "x", x) << axisWords(figure.y, "y", y);
  else if (!figure.y.title.empty()) parts << said(figure.y.title);
  std::size_t left = kTold;
  for (const Line& line : figure.lines)
    if (!line.faint && left > 0) parts << lineWords(line), --left;
  for (const BarSet& bars : figure.bars)
    if (left > 0) parts << barWords(bars, figure.x.categories), --left;
  for (const SpanSet& spans : figure.spans)
    if (left > 0) parts << QObject::tr("%1: %n part(s)", nullptr, static_cast<int>(spans.rows.size())).arg(said(spans.label)), --left;
  const std::size_t all = figure.lines.size() + figure.bars.size() + figure.spans.size();
  if (all > kTold) parts << QObject::tr("and %1 more").arg(all - kTold);
  for (const Reference& reference : figure.references) parts << QString("%1 %2").arg(said(reference.label), number(reference.value));
  parts.removeAll(QString());
  return QObject::tr("%1.", "a sentence").arg(parts.join("; "));
}

}  // namespace paceline::figure
