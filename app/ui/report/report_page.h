// A report: its text at the left, what it becomes at the right, with numbers, tables and figures as the store has them now. GUI thread.
#pragma once

#include <functional>

#include <QLockFile>
#include <QTextBrowser>

#include "app/models/report/live_report.h"
#include "app/ui/report/report_editor.h"
#include "app/ui/report/report_pictures.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"

namespace paceline::reports {

class ReportPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit ReportPage(Shell& shell);

  std::function<bool(const QString& sentence)> mayReplace;  // asked before a text goes that is in no file

  void beginFrom(const std::vector<std::string>& runs, double target);  // a new report of them
  bool open(const QString& path);                                      // false: it was refused, and failed() said why
  void saveTo(const QString& path);
  void exportTo(const QString& path);  // told() or failed() when it is done
  void find() override { editor_->setFocus(); }
  void primary() override { exportAs(); }
  void entered() override;

  const LiveReport& live() const { return live_; }
  bool isDrawn() const { return live_.current() && pictures_.isDrawn() && !relayout_.isActive(); }
  ReportEditor& editor() { return *editor_; }
  QTextBrowser& paper() { return *paper_; }

 private:
  void build();
  void shortcut(const QKeySequence& keys, const QString& act, std::function<void()> does);
  void follow();       // the newest answer
  void showPaper();
  void showLine();     // of the cursor, on paper
  void nameFile();
  void openAs();
  void save();
  void saveAs();
  void exportAs();
  void showHelp();
  bool mayGo();        // what is here, for another text
  bool mayOverwrite(const QString& path);
  void take(const QString& text, const QString& path, bool saved);
  void keep();         // across restarts

  Shell& shell_;
  LiveReport live_;
  ReportPictures pictures_;
  ReportEditor* editor_;
  QTextBrowser* paper_;
  widgets::ElidedLabel* file_;
  QLabel* problem_;
  QPushButton *insert_, *next_;
  QTimer refresh_, relayout_;
  std::unique_ptr<QLockFile> lock_;
  QString group_;         // of the settings, where the text is kept
  QString path_, saved_;  // the file's text when it was last read or written
  std::shared_ptr<const report::Report> shown_;
  std::string seen_;  // of it
};

}  // namespace paceline::reports
