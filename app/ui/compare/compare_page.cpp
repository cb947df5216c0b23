#include "app/ui/compare/compare_page.h"

#include <algorithm>
#include <utility>

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QSaveFile>
#include <QSettings>
#include <QSplitter>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/figure/figure_options.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/compare/run_picker.h"
#include "engine/core/base/error.h"

namespace paceline::compare {
namespace {

constexpr int kLiveMs = 2000;  // while a chosen run is in progress

}  // namespace

ComparePage::ComparePage(Shell& shell, QWidget* parent)
    : widgets::Page("Compare", parent), shell_(shell), comparison_(shell.recorder.storePath()), picker_(new RunPicker(shell.runs)), tabs_(new QTabBar),
      view_(new figure::FigureView), options_(new figure::FigureOptionsPane), stack_(new QStackedWidget), results_(new QTableWidget) {
  titleRow()->addWidget(widgets::button("Export figure", "export", [this] { primary(); },
                               {.kind = "primary", .name = "exportFigure", .help = "PNG, SVG or PDF in the size at the right (Ctrl+Return)"}));
  auto* splitter = new QSplitter;
  splitter->setChildrenCollapsible(false);
  picker_->setMinimumWidth(200);
  splitter->addWidget(picker_);
  splitter->addWidget(middle());
  splitter->addWidget(options_);
  splitter->setSizes({208, 664, 230});
  splitter->setStretchFactor(1, 1);
  widgets::addAll(body(), {widgets::horizontalLine(), {splitter, 1}});
  connect(picker_, &RunPicker::changed, this, [this] { comparison_.setRuns(picker_->chosen()); });
  connect(&comparison_, &Comparison::ready, this, &ComparePage::follow);
  connect(&comparison_, &Comparison::failed, this, &widgets::Page::failed);
  connect(options_, &figure::FigureOptionsPane::optionsChanged, this, &ComparePage::recompute);
  connect(options_, &figure::FigureOptionsPane::targetChanged, this, [this] { comparison_.setTarget(options_->target()); });
  connect(options_, &figure::FigureOptionsPane::styleChanged, this, [this] { view_->setFigureStyle(options_->style()); });
  connect(options_, &figure::FigureOptionsPane::exportAsked, this, &ComparePage::exportAs);
  connect(view_, &figure::FigureView::exportAsked, this, &ComparePage::primary);
  live_.setInterval(kLiveMs);
  connect(&live_, &QTimer::timeout, this, [this] {
    const bool active = std::any_of(comparison_.runs().begin(), comparison_.runs().end(), [this](const std::string& id) {
      const runs::RunItem* item = shell_.runs.find(id);
      return item && isActive(item->row.state);
    });
    if (std::exchange(active_, active) || active) comparison_.refresh();  // once more behind the end: its last rows
  });
  comparison_.setTarget(options_->target());
  recompute();
}

QWidget* ComparePage::middle() {
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->setChildrenCollapsible(false);
  tabs_->setObjectName("figureTabs");
  tabs_->setAccessibleName("Figures");
  tabs_->setExpanding(false);
  tabs_->setDrawBase(false);
  tabs_->setUsesScrollButtons(true);
  tabs_->setElideMode(Qt::ElideNone);
  for (const FigureDef& def : figures()) {
    const int at = tabs_->addTab(qtext(def.title));
    tabs_->setTabData(at, qtext(def.id));
    tabs_->setTabToolTip(at, qtext(def.summary));
  }
  empty_ = new widgets::EmptyState("compare", "Pick runs to compare", "Tick runs or groups of seeds at the left: every figure is drawn from what was recorded.");
  QFrame* frame = widgets::card();
  frame->layout()->addWidget(view_);
  stack_->addWidget(frame);
  stack_->addWidget(empty_);
  splitter->addWidget(widgets::boxed(widgets::down({tabs_, {stack_, 1}}, {widgets::kGroupGap, 4, widgets::kGroupGap, widgets::kGap})));
  resultsBox_ = resultsBox();
  splitter->addWidget(resultsBox_);
  splitter->setSizes({440, 190});
  splitter->setStretchFactor(0, 1);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    comparison_.setFigure(tabs_->tabData(index).toString().toStdString());
    QSettings().setValue("compare/figure", tabs_->tabData(index));
  });
  return splitter;
}

QWidget* ComparePage::resultsBox() {
  results_->setObjectName("results");
  results_->setAccessibleName("Results");
  widgets::styleTable(results_);
  results_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  QHBoxLayout* row = widgets::across({widgets::label("Results", "section"), widgets::room(),
                             widgets::copyButton("Copy LaTeX", [this] { return qtext(summary::summariesToLatex(comparison_.summaries())); }, {.kind = "quiet"}),
                             widgets::copyButton("Copy CSV", [this] { return qtext(resultsToCsv(comparison_.results())); }, {.kind = "quiet"})},
                            {widgets::kGroupGap, 0, widgets::kGroupGap, 0});
  QWidget* box = widgets::boxed(widgets::down({row, {results_, 1}}, {0, widgets::kGap, 0, 0}));
  box->setMinimumHeight(110);
  return box;
}

void ComparePage::recompute() { comparison_.setOptions(options_->options()); }

void ComparePage::follow() {
  const Figure& figure = comparison_.figure();
  view_->setFigure(figure);
  if (comparison_.runs().empty())
    empty_->setWords("Pick runs to compare", "Tick runs or groups of seeds at the left: every figure is drawn from what was recorded.");
  else
    empty_->setWords("Nothing to draw yet", figure.notes.empty() ? "The chosen runs have no rows for this figure." : qtext(figure.notes.front()));
  stack_->setCurrentIndex(figure.empty() ? 1 : 0);
  fillResults();
  resultsBox_->setVisible(results_->rowCount() > 0);
}

void ComparePage::fillResults() {
  const Results& results = comparison_.results();
  results_->clear();
  results_->setRowCount(static_cast<int>(results.rows.size()));
  results_->setColumnCount(static_cast<int>(results.columns.size()) + 2);
  QStringList titles{"Configuration", "Runs"};
  for (const ResultColumn& column : results.columns) titles << qtext(column.title);
  results_->setHorizontalHeaderLabels(titles);
  const auto put = [this](int row, int column, const QString& words, bool best, bool number) {
    auto* item = new QTableWidgetItem(words);
    const Qt::Alignment alignment = Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft);
    item->setTextAlignment(alignment);
    QFont font = widgets::Theme::instance().font(widgets::TextRole::kBody);
    font.setBold(best);
    item->setFont(font);
    results_->setItem(row, column, item);
    if (QTableWidgetItem* head = results_->horizontalHeaderItem(column)) head->setTextAlignment(alignment);
  };
  for (int r = 0; r < results_->rowCount(); ++r) {
    const ResultRow& row = results.rows[static_cast<std::size_t>(r)];
    put(r, 0, qtext(row.label), false, false);
    put(r, 1, QString::number(row.runs), false, true);
    for (std::size_t c = 0; c < row.cells.size(); ++c) put(r, static_cast<int>(c) + 2, qtext(row.cells[c].text), row.cells[c].best, true);
  }
  results_->resizeColumnsToContents();
  std::vector<int> widths;
  for (int c = 0; c < results_->columnCount(); ++c) widths.push_back(std::clamp(results_->columnWidth(c), 40, 240));
  widgets::setWidths(results_, widths);
}

void ComparePage::choose(const std::vector<std::string>& runs) { picker_->choose(runs); }

void ComparePage::showFigure(const QString& id) {
  for (int i = 0; i < tabs_->count(); ++i)
    if (tabs_->tabData(i).toString() == id) tabs_->setCurrentIndex(i);
}

void ComparePage::exportAs(const QString& format) {
  const QString name = qtext(comparison_.figureId()) + "." + format;
  const QString folder = QSettings().value("export/folder").toString();
  const QString path = QFileDialog::getSaveFileName(this, "Export the figure", folder.isEmpty() ? name : folder + "/" + name,
                                                    format == "pdf" ? "PDF (*.pdf);;SVG (*.svg);;PNG (*.png)" : format.toUpper() + " (*." + format + ")");
  if (path.isEmpty()) return;
  QSettings().setValue("export/folder", QFileInfo(path).absolutePath());
  try {
    exportTo(path);
    emit told("Wrote " + path);
  } catch (const std::exception& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

void ComparePage::exportTo(const QString& path) {
  const QString format = QFileInfo(path).suffix().toLower();
  const Figure& figure = comparison_.figure();
  if (format != "csv" && format != "json") {
    return figure::saveFigure(figure, {.path = path, .style = options_->style(), .widthMm = options_->widthMm(), .heightMm = options_->heightMm(),
                               .fontPoints = options_->fontPoints()});
  }
  QSaveFile file(path);
  const QByteArray bytes = QByteArray::fromStdString(format == "csv" ? figureToCsv(figure) : figureToJson(figure));
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
    throw Error(Errc::kFile, strCat(path.toStdString(), ": cannot be written: ", file.errorString().toStdString()));
}

void ComparePage::primary() { exportAs("pdf"); }

void ComparePage::find() { picker_->find(); }

void ComparePage::entered() {
  shell_.runs.refresh();
  showFigure(QSettings().value("compare/figure").toString());
  live_.start();
}

}  // namespace paceline::compare
