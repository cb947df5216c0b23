#include "app/ui/clusters/host_import_pane.h"

#include <QFileDialog>
#include <QHeaderView>

#include "app/models/task_queue.h"
#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"

namespace paceline::clusters {
namespace {

constexpr std::pair<const char*, const char*> kFormats[] = {
    {"Detected from the file", "auto"}, {"List of addresses", "list"},     {"MPI hostfile", "mpi"},       {"ECL hosts.json", "ecl"},
    {"MXNet-G hosts", "mxnet"},     {"ps_pytorch", "ps_pytorch"}, {"ssh_config", "ssh_config"}};

}  // namespace

HostImportPane::HostImportPane(const HostsModel& hosts, QWidget* parent)
    : QFrame(parent), hosts_(hosts), file_(new widgets::ElidedLabel), format_(new QComboBox), summary_(widgets::wrapped(widgets::label("", "muted"))),
      table_(new QTableWidget(0, 4)), problems_(new QPlainTextEdit), copy_(widgets::copyButton("Copy errors", [this] { return problems_->toPlainText(); })),
      add_(widgets::button("Add hosts", "", [this] { emit accepted(imported_.hosts); }, {.kind = "primary", .name = "addImported"})) {
  setObjectName("pane");
  setMinimumWidth(372);
  file_->setProperty("role", "mono");
  for (const auto& [title, id] : kFormats) format_->addItem(title, id);
  format_->setAccessibleName("Format");
  table_->setHorizontalHeaderLabels({"Name", "Address", "User", "Port"});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setObjectName("importPreview");
  widgets::styleTable(table_);
  table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  problems_->setReadOnly(true);
  problems_->setObjectName("importProblems");
  setLayout(widgets::down({widgets::label("Import hosts", "section"), widgets::across({{file_, 1}, widgets::button("Choose file…", "", [this] { choose(); })}), format_, summary_, {table_, 2},
                  {problems_, 1}, widgets::across({copy_, widgets::room(), widgets::button("Cancel", "", [this] { emit cancelled(); }), add_})},
                 {widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap}));
  connect(format_, &QComboBox::activated, this, [this] { read(path_); });
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
  inBackground(
      tasks_, this,
      [import = hosts_.services().import, book = hosts_.book(), path, format = format_->currentData().toString()](const std::stop_token&) {
        return import(book, path.toStdString(), format.toStdString());
      },
      [this, path](ImportedHosts imported, const QString& error) {
        if (!error.isEmpty()) imported.problems.push_back(error.toStdString());
        if (path == path_) take(imported);
      });
}

void HostImportPane::take(const ImportedHosts& imported) {
  imported_ = imported;
  const auto hosts = static_cast<int>(imported.hosts.size());
  const auto wrong = static_cast<int>(imported.problems.size());
  table_->setRowCount(hosts);
  for (int i = 0; i < hosts; ++i) {
    const hosts::HostEntry& entry = imported.hosts[static_cast<std::size_t>(i)];
    const QString cells[] = {qtext(entry.name), qtext(entry.address), qtext(entry.user), entry.port > 0 ? QString::number(entry.port) : QString()};
    for (int c = 0; c < 4; ++c) table_->setItem(i, c, new QTableWidgetItem(cells[c]));
  }
  problems_->setPlainText(qtexts(imported.problems).join('\n'));
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
