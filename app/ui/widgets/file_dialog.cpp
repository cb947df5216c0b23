#include "app/ui/widgets/file_dialog.h"

#include <QAbstractFileIconProvider>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QRegularExpression>
#include <QStyle>
#include <QTreeView>
#include <memory>

namespace paceline::widgets {
namespace {

// Asked on the dialog's own thread too, so its icons are made before.
class NamesOnly : public QAbstractFileIconProvider {
 public:
  QIcon icon(IconType type) const override { return type == File ? file_ : folder_; }
  QIcon icon(const QFileInfo& info) const override { return info.isDir() ? folder_ : file_; }
  QString type(const QFileInfo& info) const override {
    if (info.isDir()) return QObject::tr("Folder");
    return info.suffix().isEmpty() ? QObject::tr("File") : QObject::tr("%1 file").arg(info.suffix().toUpper());
  }

 private:
  QIcon folder_ = QApplication::style()->standardIcon(QStyle::SP_DirIcon), file_ = QApplication::style()->standardIcon(QStyle::SP_FileIcon);
};

// "PDF (*.pdf)" -> "pdf": what a name without an ending gets
QString endingOf(const QString& filter) {
  static const QRegularExpression kEnding(R"(\*\.(\w+))");
  return kEnding.match(filter).captured(1);
}

QString asked(QWidget* parent, const FileAsk& ask, bool save, bool replaces, QFileDialog::FileMode opens = QFileDialog::ExistingFile) {
  const std::unique_ptr<QFileDialog> dialog(fileDialog(parent, ask, save));
  if (!save) dialog->setFileMode(opens);
  dialog->setOption(QFileDialog::DontConfirmOverwrite, !replaces);
  if (replaces) {  // before it asks whether to replace that file
    const auto follow = [asks = dialog.get()](const QString& filter) { asks->setDefaultSuffix(endingOf(filter)); };
    QObject::connect(dialog.get(), &QFileDialog::filterSelected, dialog.get(), follow);
    follow(dialog->selectedNameFilter());
  }
  if (dialog->exec() != QDialog::Accepted) return {};
  QString path = dialog->selectedFiles().value(0);
  const bool made = save && !replaces && !QFileInfo::exists(path) && QFileInfo(path).suffix().isEmpty();
  if (const QString ending = endingOf(dialog->selectedNameFilter()); made && !ending.isEmpty()) path += "." + ending;
  return path;
}

}  // namespace

QFileDialog* fileDialog(QWidget* parent, const FileAsk& ask, bool save) {
  static auto* const names = new NamesOnly;  // for as long as a dialog's thread may ask; its icons do not outlive the application in a destructor
  // The constructor shows a folder with Qt's icons: one in which no store is. The right one comes when the icons are ours.
  auto* dialog = new QFileDialog(parent, ask.title, QDir::rootPath(), ask.filters);
  dialog->setOptions(QFileDialog::DontUseNativeDialog | QFileDialog::DontUseCustomDirectoryIcons);
  dialog->setIconProvider(names);
  dialog->setAcceptMode(save ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
  dialog->setFileMode(QFileDialog::AnyFile);
  const QFileInfo at(ask.at.isEmpty() ? QDir::currentPath() : ask.at);
  dialog->setDirectory(at.isDir() ? at.absoluteFilePath() : at.absolutePath());
  if (!at.isDir()) dialog->selectFile(at.fileName());
  if (auto* files = dialog->findChild<QTreeView*>("treeView")) {  // dates are read whole
    files->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    files->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  }
  if (!ask.accept.isEmpty()) dialog->setLabelText(QFileDialog::Accept, ask.accept);
  return dialog;
}

QString askOpenPath(QWidget* parent, const FileAsk& ask) { return asked(parent, ask, false, false); }
QString askSavePath(QWidget* parent, const FileAsk& ask) { return asked(parent, ask, true, true); }
QString askFolderPath(QWidget* parent, const FileAsk& ask) { return asked(parent, ask, false, false, QFileDialog::Directory); }
QString askCreatePath(QWidget* parent, const FileAsk& ask) { return asked(parent, ask, true, false); }

}  // namespace paceline::widgets
