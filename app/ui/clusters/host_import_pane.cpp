#include "app/ui/clusters/host_import_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QVBoxLayout>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"

namespace paceline::clusters {
namespace {

constexpr std::pair<const char*, const char*> kFormats[] = {
    {"Find out by itself", "auto"}, {"List of addresses", "list"},     {"MPI hostfile", "mpi"},       {"ECL hosts.json", "ecl"},
    {"MXNet-G hosts", "mxnet"},     {"ps_pytorch", "ps_pytorch"}, {"ssh_config", "ssh_config"}};

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

HostImportPane::HostImportPane(const HostsModel& hosts, QWidget* parent)
    : QFrame(parent), hosts_(hosts), file_(new widgets::ElidedLabel), format_(new QComboBox), summary_(widgets::label("", "muted")),
      table_(new QTableWidget(0, 4)), problems_(new QPlainTextEdit), copy_(widgets::button("Copy errors", "copy")), add_(widgets::primaryButton("Add hosts")) {
  setObjectName("pane");
  setMinimumWidth(372);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap);
  column->setSpacing(widgets::kGap);
  column->addWidget(widgets::label("Import hosts", "section"));
  auto* row = new QHBoxLayout;
  file_->setProperty("role", "mono");
  QPushButton* other = widgets::button("Choose file…");
  row->addWidget(file_, 1);
  row->addWidget(other);
  column->addLayout(row);
  for (const auto& [title, id] : kFormats) format_->addItem(title, id);
  format_->setAccessibleName("Format");
  column->addWidget(format_);
  summary_->setWordWrap(true);
  column->addWidget(summary_);
  table_->setHorizontalHeaderLabels({"Name", "Address", "User", "Port"});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setObjectName("importPreview");
  widgets::styleTable(table_);
  table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  column->addWidget(table_, 2);
  problems_->setReadOnly(true);
  problems_->setObjectName("importProblems");
  column->addWidget(problems_, 1);
  auto* end = new QHBoxLayout;
  QPushButton* cancel = widgets::button("Cancel");
  add_->setObjectName("addImported");
  end->addWidget(copy_);
  end->addStretch(1);
  end->addWidget(cancel);
  end->addWidget(add_);
  column->addLayout(end);
  connect(other, &QPushButton::clicked, this, &HostImportPane::choose);
  connect(format_, &QComboBox::activated, this, [this] { read(path_); });
  connect(cancel, &QPushButton::clicked, this, &HostImportPane::cancelled);
  connect(add_, &QPushButton::clicked, this, [this] { emit accepted(imported_.hosts); });
  connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(problems_->toPlainText()); });
  take({});
}

void HostImportPane::choose() {
  const QString path = QFileDialog::getOpenFileName(this, "A file that lists hosts");
  if (!path.isEmpty()) read(path);
}

void HostImportPane::read(const QString& path) {
  if (path.isEmpty()) return;
  path_ = path;
  file_->setFullText(path);
  summary_->setText("Reading");
  tasks_.post([this, import = hosts_.services().import, book = hosts_.book(), path, format = format_->currentData().toString()](const std::stop_token&) {
    ImportedHosts imported;
    try {
      imported = import(book, path.toStdString(), format.toStdString());
    } catch (const std::exception& error) {
      imported.problems.emplace_back(error.what());
    }
    QMetaObject::invokeMethod(
        this,
        [this, imported, path] {
          if (path == path_) take(imported);
        },
        Qt::QueuedConnection);
  });
}

void HostImportPane::take(const ImportedHosts& imported) {
  imported_ = imported;
  const auto hosts = static_cast<int>(imported.hosts.size());
  const auto wrong = static_cast<int>(imported.problems.size());
  table_->setRowCount(hosts);
  for (int i = 0; i < hosts; ++i) {
    const hosts::HostEntry& entry = imported.hosts[static_cast<std::size_t>(i)];
    const QString cells[] = {text(entry.name), text(entry.address), text(entry.user), entry.port > 0 ? QString::number(entry.port) : QString()};
    for (int c = 0; c < 4; ++c) table_->setItem(i, c, new QTableWidgetItem(cells[c]));
  }
  QStringList problems;
  for (const std::string& problem : imported.problems) problems << text(problem);
  problems_->setPlainText(problems.join('\n'));
  problems_->setVisible(wrong > 0);
  copy_->setVisible(wrong > 0);
  if (path_.isEmpty()) summary_->setText("A plain list of addresses, an MPI hostfile, ECL's hosts.json, MXNet-G's hosts, ps_pytorch's hosts or an ssh_config.");
  else if (wrong > 0) summary_->setText(QString("%1: mend the file, then choose it again. Nothing was added.").arg(plural(wrong, "problem")));
  else summary_->setText((hosts > 0 ? plural(hosts, "host") + " will be added." : QString("There is no new host in this file.")) +
                         (imported.known.empty() ? QString() : QString(" %1 in the list already.").arg(imported.known.size())));
  add_->setEnabled(hosts > 0 && wrong == 0);
  add_->setText(hosts > 0 ? "Add " + plural(hosts, "host") : QString("Add hosts"));
}

void HostImportPane::refuse(const QString& sentence) {
  problems_->setPlainText(sentence);
  problems_->show();
  copy_->show();
}

}  // namespace paceline::clusters
