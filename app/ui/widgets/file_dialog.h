// Every file dialog of the window. Its icons and file types come from names and stat(): Qt's own open and close the files of the folder that is
// shown, and POSIX then drops every lock that this process holds on them, those of SQLite on an open store too. A desktop's dialog would open them
// as well, so none is used. GUI thread; each returns when the dialog is closed, "" where it was cancelled.
#pragma once

#include <QString>

class QFileDialog;
class QWidget;

namespace paceline::widgets {

struct FileAsk {
  QString title;
  QString at{};       // a folder, or a file in it that is proposed; "": the current folder
  QString filters{};  // "Experiments (*.json);;All files (*)"
  QString accept{};   // words of its button; "": Open or Save
};
QString askOpenPath(QWidget* parent, const FileAsk& ask);
QString askSavePath(QWidget* parent, const FileAsk& ask);    // asks before a file is replaced; a name without an ending gets the filter's
QString askFolderPath(QWidget* parent, const FileAsk& ask);
QString askCreatePath(QWidget* parent, const FileAsk& ask);  // of a file that is there, or will be made with the filter's ending; nothing is replaced

// So set up and not shown yet; the caller owns it.
QFileDialog* fileDialog(QWidget* parent, const FileAsk& ask, bool save);

}  // namespace paceline::widgets
