#include "app/ui/report/report_editor.h"

#include <utility>

#include <QTextBlock>

#include "app/figures/figure.h"
#include "app/models/words.h"
#include "app/report/numbers.h"
#include "app/ui/widgets/theme.h"

namespace paceline::reports {

ReportEditor::ReportEditor() {
  setObjectName("reportText");
  setAccessibleName(tr("Text of the report"));
  setProperty("role", "code");
  setTabChangesFocus(true);
  setPlaceholderText(tr("Write here, or begin with a report of runs: Compare, Report."));
}

void ReportEditor::replaceText(const QString& text) {
  QTextCursor cursor(document());
  cursor.select(QTextCursor::Document);
  cursor.insertText(text);
  moveCursor(QTextCursor::Start);
}

void ReportEditor::insertWords(const QString& words) {
  textCursor().insertText(words);
  setFocus();
}

void ReportEditor::insertCommand(const QString& command) {
  QTextCursor cursor = textCursor();
  cursor.beginEditBlock();
  cursor.movePosition(QTextCursor::EndOfBlock);
  const bool empty = cursor.block().text().trimmed().isEmpty();
  cursor.insertText(empty ? command : "\n\n" + command);
  cursor.endEditBlock();
  setTextCursor(cursor);
  setFocus();
}

void ReportEditor::mark(const std::vector<report::Problem>& problems) {
  problems_ = problems;
  QList<QTextEdit::ExtraSelection> marks;
  for (const report::Problem& problem : problems_) {
    const QTextBlock block = document()->findBlockByNumber(problem.line - 1);
    if (!block.isValid()) continue;
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(block);
    mark.cursor.select(QTextCursor::LineUnderCursor);
    mark.cursor.movePosition(QTextCursor::StartOfBlock);
    mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(widgets::Theme::instance().colour(widgets::Token::kBad));
    mark.format.setToolTip(qtext(problem.sentence));
    marks.append(mark);
  }
  setExtraSelections(marks);
}

void ReportEditor::nextProblem() {
  if (problems_.empty()) return;
  const int now = line();
  for (const report::Problem& problem : problems_)
    if (problem.line > now) return goToLine(problem.line);
  goToLine(problems_.front().line);
}

int ReportEditor::line() const { return textCursor().blockNumber() + 1; }

void ReportEditor::goToLine(int line) {
  setTextCursor(QTextCursor(document()->findBlockByNumber(line - 1)));
  centerCursor();
  setFocus();
}

namespace {

void addNumbers(QMenu* menu, ReportEditor& editor, const QString& run) {
  for (const report::NumberName& number : report::runNumbers())
    menu->addAction(QString("%1\t%2").arg(qtext(number.name), said(number.help)), &editor, [&editor, run, name = qtext(number.name)] { editor.insertWords(QString("{{%1.%2}}").arg(run, name)); });
}

}  // namespace

QMenu* insertMenu(ReportEditor& editor, std::function<const report::Document&()> document) {
  auto* menu = new QMenu(&editor);
  QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, &editor, document = std::move(document)] {
    qDeleteAll(menu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    menu->clear();
    const auto command = [&editor](QMenu* to, const QString& name, const QString& words) { return to->addAction(name, &editor, [&editor, words] { editor.insertCommand("{{" + words + "}}"); }); };
    QMenu* numbers = menu->addMenu(QObject::tr("&Number of a run"));
    QMenu* figures = menu->addMenu(QObject::tr("&Figure"));
    for (const FigureDef& figure : paceline::figures()) command(figures, said(figure.title), "figure " + qtext(figure.id))->setToolTip(said(figure.summary));
    command(menu, QObject::tr("&Results table"), "results");
    command(menu, QObject::tr("&Differences of the runs"), "differences");
    QMenu* lanes = menu->addMenu(QObject::tr("&Lanes of a run"));
    for (const report::NamedRuns& each : document().runs) {
      addNumbers(numbers->addMenu(qtext(each.name)), editor, qtext(each.name));
      command(lanes, qtext(each.name), "lanes " + qtext(each.name));
    }
    for (QMenu* each : {numbers, lanes}) each->setEnabled(!each->isEmpty());
    for (QMenu* each : menu->findChildren<QMenu*>()) each->setToolTipsVisible(true);
  });
  return menu;
}

}  // namespace paceline::reports
