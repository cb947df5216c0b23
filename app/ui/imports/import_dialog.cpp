#include "app/ui/imports/import_dialog.h"

#include <memory>
#include <utility>

#include <QCoreApplication>
#include <QFileInfo>
#include <QHeaderView>
#include <QPointer>

#include "app/models/words.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/widgets/file_dialog.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"

namespace paceline {
namespace {

constexpr int kPreviewRows = 5, kMargin = 16;

struct Separator {
  const char *value, *words;
};
constexpr Separator kSeparators[] = {{"", QT_TRANSLATE_NOOP("ImportDialog", "As it looks")}, {",", QT_TRANSLATE_NOOP("ImportDialog", "Comma")}, {";", QT_TRANSLATE_NOOP("ImportDialog", "Semicolon")}, {"tab", QT_TRANSLATE_NOOP("ImportDialog", "Tab")}};

}  // namespace

ImportDialog::ImportDialog(QWidget* parent, Shell& shell, FollowedFiles& followed, const std::string& path)
    : QDialog(parent), shell_(shell), followed_(followed), choice_(path), path_(new widgets::BreakingLabel("mono")), roles_(new QWidget), grid_(new QGridLayout(roles_)), preview_(new QTableWidget),
      follow_(new QCheckBox(tr("Follow: import again when it grows, until this window closes"))), problem_(widgets::problemLine()),
      go_(widgets::button(tr("Import"), "imported", [this] { start(); }, {.kind = "primary", .name = "importGo"})) {
  setWindowTitle(tr("Import"));
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(640);
  preview_->setObjectName("importPreview");
  preview_->setAccessibleName(tr("First rows"));
  preview_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  widgets::styleTable(preview_);
  follow_->setObjectName("importFollow");
  problem_->setObjectName("importProblem");
  QSizePolicy policy = problem_->sizePolicy();
  policy.setRetainSizeWhenHidden(true);  // nothing moves when it speaks
  problem_->setSizePolicy(policy);
  grid_->setContentsMargins({});
  grid_->setHorizontalSpacing(widgets::kGroupGap);
  grid_->setVerticalSpacing(widgets::kGap);
  fillRoles();
  QPushButton* no = widgets::button(tr("Cancel"), "", [this] { reject(); });
  no->setAutoDefault(false);
  go_->setDefault(true);
  setLayout(widgets::down({widgets::label(tr("Import"), "section"), places(), preview_, roles_, follow_, problem_, widgets::across({profiles(), widgets::room(), no, go_}, {0, widgets::kGap, 0, 0})},
                          {widgets::kPageMargin, widgets::kPageMargin, widgets::kPageMargin, kMargin}, 12));
  fill();
}

QWidget* ImportDialog::places() {
  const auto taken = [this](const QString& path) {
    if (!path.isEmpty()) choose(path.toStdString());
  };
  QPushButton* file = widgets::button(tr("Choose a file…"), "", [this, taken] { taken(widgets::askOpenPath(this, {.title = tr("A table, or results of another tool"), .at = qtext(choice_.path())})); }, {.name = "importFile"});
  QPushButton* folder = widgets::button(tr("Choose a folder…"), "", [this, taken] { taken(widgets::askFolderPath(this, {.title = tr("A folder with results of another tool"), .at = qtext(choice_.path())})); }, {.name = "importFolder"});
  for (QPushButton* each : {file, folder}) each->setAutoDefault(false);
  return widgets::boxed(widgets::across({{path_, 1}, file, folder}));
}

QWidget* ImportDialog::profiles() {
  const QString filters = tr("Profiles of imports (*.json)");
  QPushButton* open = widgets::button(tr("Load a profile…"), "", [this, filters] { load(widgets::askOpenPath(this, {.title = tr("A profile of imports"), .filters = filters})); }, {.kind = "quiet", .name = "importLoad", .help = tr("What was saved here, or written for paceline import --profile")});
  QPushButton* keep = widgets::button(tr("Save as a profile…"), "", [this, filters] { save(widgets::askSavePath(this, {.title = tr("A profile of imports"), .filters = filters})); }, {.kind = "quiet", .name = "importSave"});
  for (QPushButton* each : {open, keep}) each->setAutoDefault(false);
  return widgets::boxed(widgets::across({open, keep}));
}

// Two columns of roles; the lists are filled for each file.
void ImportDialog::fillRoles() {
  int at = 0;
  const auto add = [this, &at](const std::string& role, const QString& name, const QString& help) {
    auto* list = new QComboBox;
    list->setObjectName(QString("import-%1").arg(qtext(role)));
    list->setAccessibleName(name);
    list->setMinimumWidth(160);
    QLabel* caption = widgets::label(name);
    for (QWidget* each : std::initializer_list<QWidget*>{caption, list}) each->setToolTip(help);
    grid_->addWidget(caption, at / 2, at % 2 * 2);
    grid_->addWidget(list, at / 2, at % 2 * 2 + 1);
    connect(list, &QComboBox::currentTextChanged, this, &ImportDialog::take);
    lists_[role] = list;
    ++at;
  };
  for (const ImportRole& each : importRoles()) {
    add(each.role, each.name, each.help);
    if (each.role == "run") add("separator", tr("Separator"), tr("Between the columns"));  // what belongs to a row a number stands in one line
  }
  for (const Separator& each : kSeparators) lists_["separator"]->addItem(QCoreApplication::translate("ImportDialog", each.words), each.value);
}

void ImportDialog::choose(const std::string& path) {
  choice_ = ImportChoice(path);
  fill();
}

void ImportDialog::fill() {
  filling_ = true;
  path_->setFullText(choice_.path().empty() ? tr("No file is chosen") : qtext(choice_.path()));
  for (QWidget* each : {roles_, static_cast<QWidget*>(follow_)}) each->setVisible(!choice_.path().empty());
  for (const ImportRole& each : importRoles()) {
    QComboBox* list = lists_.at(each.role);
    list->clear();
    list->setEditable(!choice_.isTable());  // the names of another tool's series are typed
    list->addItem(each.role == "step" && choice_.isTable() && !choice_.head().stepKnown ? tr("Choose…") : choice_.isTable() ? tr("By its name") : QString());
    for (const std::string& name : choice_.head().names) list->addItem(qtext(name), qtext(name));
    const std::string chosen = choice_.of(each.role);
    if (!chosen.empty() && list->findData(qtext(chosen)) < 0) list->addItem(qtext(chosen), qtext(chosen));
    list->setCurrentIndex(chosen.empty() ? 0 : list->findData(qtext(chosen)));
    list->setEnabled(choice_.isTable() || (!each.ofTables && !choice_.path().empty()));
  }
  QComboBox* separator = lists_.at("separator");
  separator->setCurrentIndex(std::max(0, separator->findData(qtext(choice_.of("separator")))));
  separator->setEnabled(choice_.isTable());
  fillPreview();
  filling_ = false;
  take();
}

void ImportDialog::fillPreview() {
  const interchange::TableHead& head = choice_.head();
  preview_->setVisible(choice_.isTable());
  preview_->clear();
  preview_->setColumnCount(static_cast<int>(head.names.size()));
  preview_->setRowCount(static_cast<int>(head.rows.size()));
  for (int column = 0; column < preview_->columnCount(); ++column) {
    preview_->setHorizontalHeaderItem(column, new QTableWidgetItem(qtext(head.names[static_cast<std::size_t>(column)])));
    for (int row = 0; row < preview_->rowCount(); ++row) {
      auto* cell = new QTableWidgetItem(qtext(head.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]));
      cell->setTextAlignment(Qt::AlignVCenter | Qt::AlignRight);
      preview_->setItem(row, column, cell);
    }
    preview_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignVCenter | Qt::AlignRight);
  }
  widgets::fitRows(preview_, kPreviewRows);
}

void ImportDialog::take() {
  if (filling_) return;
  const std::string before = choice_.of("separator");
  for (const auto& [role, list] : lists_) {
    const bool told = list->isEditable() || list->currentIndex() > 0;
    choice_.set(role, told ? (list->isEditable() ? list->currentText().trimmed() : list->currentData().toString()).toStdString() : "");
  }
  if (choice_.of("separator") != before) return fill();
  widgets::tell(problem_, choice_.path().empty() ? QString() : choice_.problem());
  go_->setEnabled(choice_.problem().isEmpty());
}

void ImportDialog::load(const QString& file) {
  if (file.isEmpty()) return;
  const auto text = fileText(file.toStdString());
  const QString problem = text ? choice_.load(*text, file.toStdString()) : tr("%1 cannot be read").arg(file);
  fill();
  if (!problem.isEmpty()) widgets::tell(problem_, problem);
}

void ImportDialog::save(const QString& file) const {
  if (file.isEmpty()) return;
  try {
    figure::writeFile(file, QByteArray::fromStdString(choice_.profile() + "\n"));
  } catch (const Error& error) {
    widgets::tell(problem_, qtext(error.what()));
  }
}

void ImportDialog::start() {
  struct Outcome {
    int runs = 0;
    QString problem;
  };
  if (std::exchange(asking_, true)) return;
  const auto outcome = std::make_shared<Outcome>();
  const auto ask = [outcome, path = choice_.path(), profile = choice_.profile()](recorder::Client& client) {
    try {
      outcome->runs = static_cast<int>(client.importPaths({path}, profile).size());
    } catch (const Error& error) {
      outcome->problem = QString::fromUtf8(error.what());
    }
  };
  shell_.recorder.ask(ask, [guard = QPointer(this), outcome] {
    if (guard) guard->finished(outcome->runs, outcome->problem);
  });
}

void ImportDialog::finished(int runs, const QString& problem) {
  asking_ = false;
  widgets::tell(problem_, problem);
  if (!problem.isEmpty()) return;
  if (follow_->isChecked()) followed_.follow(choice_.path(), choice_.profile());
  shell_.runs.refresh();
  const QString name = QFileInfo(qtext(choice_.path())).fileName(), many = tr("%n run(s)", nullptr, runs);
  emit imported(follow_->isChecked() ? tr("Imported %1 from %2, which is followed as it grows.").arg(many, name) : tr("Imported %1 from %2.").arg(many, name));
  accept();
}

}  // namespace paceline
