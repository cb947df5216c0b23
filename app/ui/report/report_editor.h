// The text of a report: lines that have a problem are marked, pieces are inserted where they may stand. GUI thread.
#pragma once

#include <functional>
#include <vector>

#include <QMenu>
#include <QPlainTextEdit>

#include "app/report/document.h"

namespace paceline::reports {

class ReportEditor : public QPlainTextEdit {
  Q_OBJECT
 public:
  ReportEditor();

  void replaceText(const QString& text);  // one step that can be undone
  void insertWords(const QString& words);       // at the cursor
  void insertCommand(const QString& command);   // on a line of its own, below the cursor's
  void mark(const std::vector<report::Problem>& problems);
  void nextProblem();  // the cursor goes there, behind the last one to the first
  int line() const;    // of the cursor, from 1
  void goToLine(int line);

 private:
  std::vector<report::Problem> problems_;
};

// What can be inserted: numbers of the runs that the head names, figures, tables, lanes. Fills itself whenever it opens.
QMenu* insertMenu(ReportEditor& editor, std::function<const report::Document&()> document);

}  // namespace paceline::reports
