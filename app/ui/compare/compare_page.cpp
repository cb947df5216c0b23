#include "app/ui/compare/compare_page.h"

#include <algorithm>
#include <utility>

#include <QFileInfo>
#include <QSettings>

#include "app/models/words.h"
#include "app/ui/compare/figure_gallery.h"
#include "app/ui/compare/figure_options_pane.h"
#include "app/ui/compare/results_pane.h"
#include "app/ui/compare/run_picker.h"
#include "app/ui/widgets/file_dialog.h"

namespace paceline::compare {
namespace {

constexpr int kLowPage = 560, kLeastFigure = 150;  // px at normal text
constexpr int kLiveMs = 2000;  // while a chosen run is in progress

}  // namespace

ComparePage::ComparePage(Shell& shell)
    : widgets::Page(tr("Compare")), shell_(shell), comparison_(shell.recorder.storePath()), picker_(new RunPicker(shell.runs)), gallery_(new FigureGallery),
      view_(new figure::FigureView), options_(new FigureOptionsPane), stack_(new QStackedWidget), results_(new ResultsPane) {
  auto* report = widgets::button(tr("Report"), "", [this] { shell_.reportRuns(comparison_.runs()); }, {.name = "compareReport"});
  report->setToolTip(tr("A text with live numbers, tables and figures of the ticked runs, to write on and export (Ctrl+Shift+R)"));
  titleRow_->addWidget(report);
  titleRow_->addWidget(widgets::button(tr("Export figure"), "export", [this] { primary(); },
                                        {.kind = "primary", .name = "exportFigure", .help = tr("PNG, SVG or PDF in the size at the right (Ctrl+Return)")}));
  widgets::addAll(body_, {widgets::horizontalLine(), {widgets::splitter(Qt::Horizontal, {{widgets::splitter(Qt::Vertical, {{widgets::splitter(Qt::Horizontal, {{picker_, 248}, {middle(), 624, 1}}), 400, 1}, {results_, 230}}), 872, 1}, {options_, 230}}), 1}});
  connect(picker_, &RunPicker::changed, this, [this] { comparison_.setRuns(picker_->chosen()); });
  connect(&comparison_, &Comparison::ready, this, &ComparePage::follow);
  connect(&comparison_, &Comparison::galleryReady, this, [this] { gallery_->setGallery(comparison_.gallery()); });
  connect(&comparison_, &Comparison::failed, this, &widgets::Page::failed);
  const auto recompute = [this] {
    FigureOptions options = options_->options();
    if (const auto catalog = shell_.catalogue.get()) options.titles = titlesOf(*catalog);
    comparison_.setOptions(options);
  };
  connect(options_, &FigureOptionsPane::optionsChanged, this, recompute);
  connect(&shell_.catalogue, &Catalogue::changed, this, recompute);
  connect(options_, &FigureOptionsPane::targetChanged, this, [this] { comparison_.setTarget(options_->target()); });
  connect(options_, &FigureOptionsPane::budgetChanged, this, [this] { comparison_.setBudget(options_->budget()); });
  connect(options_, &FigureOptionsPane::styleChanged, this, [this] { view_->setFigureStyle(options_->style()), gallery_->setFigureStyle(options_->style()); });
  connect(options_, &FigureOptionsPane::exportAsked, this, &ComparePage::exportAs);
  connect(view_, &figure::FigureView::exportAsked, this, &ComparePage::primary);
  connect(view_, &figure::FigureView::runsChosen, this, &ComparePage::narrow);
  live_.setInterval(kLiveMs);
  connect(&live_, &QTimer::timeout, this, [this] {
    const bool active = std::ranges::any_of(comparison_.runs(), [this](const std::string& id) {
      const runs::RunItem* item = shell_.runs.find(id);
      return item && isActive(item->row.state);
    });
    if (std::exchange(active_, active) || active) comparison_.refresh();  // once more behind the end: its last rows
  });
  comparison_.setTarget(options_->target());
  gallery_->setShown(qtext(comparison_.figureId()));
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &ComparePage::fitHeight);
  fitHeight();
  recompute();
}

// Where the window is low the figure keeps its room: names instead of thumbnails, notes in one line.
void ComparePage::fitHeight() {
  const bool low = height() < widgets::scaled(kLowPage);
  gallery_->setLow(low), results_->setLow(low);
  view_->setNoteLines(low ? 1 : 3);
  stack_->setMinimumHeight(widgets::scaled(kLeastFigure));
}

// Only these stay in the comparison.
void ComparePage::narrow(const std::vector<std::string>& runs) {
  const auto before = static_cast<int>(comparison_.runs().size());
  choose(runs);
  emit told(tr("%1 of %2 runs are compared now; the list at the left has the others.").arg(runs.size()).arg(before));
}

QWidget* ComparePage::middle() {
  empty_ = new widgets::EmptyState("compare", {}, {});
  stack_->addWidget(widgets::card({view_}));
  stack_->addWidget(empty_);
  connect(gallery_, &FigureGallery::chosen, this, &ComparePage::showFigure);
  connect(gallery_, &FigureGallery::opened, stack_, [this](bool open) { stack_->setVisible(!open); });
  return widgets::boxed(widgets::down({gallery_, {stack_, 1}}, {widgets::kGroupGap, 4, widgets::kGroupGap, widgets::kGap}));
}

void ComparePage::follow() {
  const Figure& figure = comparison_.figure();
  view_->setFigure(figure);
  if (comparison_.runs().empty()) empty_->setWords(tr("Pick runs to compare"), tr("Tick runs or groups of seeds at the left: every figure is drawn from what was recorded."));
  else empty_->setWords(tr("Nothing to draw yet"), tr("%1.", "a sentence").arg(asSentence(said(whyNothing(figure)))));
  stack_->setCurrentIndex(figure.empty() ? 1 : 0);
  results_->setResults(comparison_.results());
  options_->offerReferences(comparison_.results());
}

void ComparePage::choose(const std::vector<std::string>& runs) { picker_->choose(runs); }
void ComparePage::showFigure(const QString& id) {
  if (!findFigure(id.toStdString())) return;
  comparison_.setFigure(id.toStdString());
  gallery_->setShown(id);
  QSettings().setValue("compare/figure", id);
}

void ComparePage::exportAs(const QString& format) {
  if (comparison_.figure().empty()) return emit failed(comparison_.runs().empty() ? tr("Nothing to export: no run is ticked.") : tr("Nothing to export: %1.").arg(said(whyNothing(comparison_.figure()))));
  const QString name = qtext(comparison_.figureId()) + "." + format;
  const QString folder = QSettings().value("export/folder").toString();
  const QString path = widgets::askSavePath(this, {.title = tr("Export the figure"), .at = folder.isEmpty() ? name : folder + "/" + name,
                                                   .filters = format == "pdf" ? tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)") : format.toUpper() + " (*." + format + ")"});
  if (path.isEmpty()) return;
  QSettings().setValue("export/folder", QFileInfo(path).absolutePath());
  try {
    exportTo(path);
    emit told(tr("Wrote %1").arg(path));
  } catch (const std::exception& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

void ComparePage::exportTo(const QString& path) {
  const QString format = QFileInfo(path).suffix().toLower();
  const Figure& figure = comparison_.figure();
  if (format != "csv" && format != "json") return figure::saveFigure(figure, options_->file(path));
  figure::writeFile(path, QByteArray::fromStdString(format == "csv" ? figureToCsv(figure) : figureToJson(figure)));
}

double ComparePage::target() const { return options_->target(); }

void ComparePage::find() { picker_->find(); }

void ComparePage::entered() {
  shell_.runs.refresh();
  showFigure(QSettings().value("compare/figure").toString());
  live_.start();
}

}  // namespace paceline::compare
