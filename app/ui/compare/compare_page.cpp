#include "app/ui/compare/compare_page.h"

#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QSettings>
#include <QSpinBox>

#include "app/models/words.h"
#include "app/ui/compare/figure_gallery.h"
#include "app/ui/compare/results_pane.h"
#include "app/ui/compare/run_picker.h"
#include "app/ui/widgets/choice_list.h"
#include "app/ui/widgets/file_dialog.h"

namespace paceline::compare {
namespace {

constexpr int kLowPage = 560, kLeastFigure = 150;  // px at normal text
constexpr int kLiveMs = 2000;  // while a chosen run is in progress
constexpr const char* kOwnSsgd = QT_TR_NOOP("SSGD (automatic)");  // beside it a run of SSGD may be chosen by its name
constexpr const char* kNotTicked = QT_TR_NOOP("%1 (not ticked)");  // the chosen reference while none of its runs is compared

template <class Spin, class Value>
Spin* spin(Value low, Value high, Value value, const QString& suffix, const char* key) {
  auto* made = new Spin;
  if constexpr (std::is_same_v<Spin, QDoubleSpinBox>) made->setDecimals(1);
  made->setRange(low, high);
  made->setValue(QSettings().value(key, value).template value<Value>());
  made->setSuffix(suffix);
  made->setButtonSymbols(QAbstractSpinBox::NoButtons);
  made->setAlignment(Qt::AlignRight);
  made->setKeyboardTracking(false);
  QObject::connect(made, qOverload<Value>(&Spin::valueChanged), made, [key](Value v) { QSettings().setValue(key, v); });
  return made;
}

QHBoxLayout* named(const QString& name, QWidget* editor) {
  auto* caption = widgets::label(name);
  caption->setBuddy(editor);
  editor->setAccessibleName(name);
  return widgets::across({{caption, 1}, {editor, 1}});
}

// The editor below its name: for entries that are longer than half of the pane.
QVBoxLayout* under(const QString& name, QWidget* editor) {
  auto* caption = widgets::label(name);
  caption->setBuddy(editor);
  editor->setAccessibleName(name);
  return widgets::down({caption, editor});
}

}  // namespace

// At the right: how the figure is computed and painted, and its export.
class FigureOptionsPane : public widgets::ScrollPane {
  Q_OBJECT
 public:
  FigureOptionsPane() : widgets::ScrollPane(228) {
    buildData();
    widgets::addAll(column_, {widgets::gap(4), widgets::horizontalLine(), widgets::gap(4)});
    buildExport();
    column_->addStretch(1);
  }

  FigureOptions options() const {
    FigureOptions options;
    options.variant = variant_->current() == 1 ? Variant::kPublished : Variant::kCorrected;
    options.x = static_cast<XAxis>(x_->currentIndex());
    options.logX = logX_->isChecked(), options.logY = logY_->isChecked();
    options.smoothing = smoothing_->value();
    options.groupSeeds = group_->isChecked();
    options.reference = over_->currentData().toString().toStdString();
    options.referenceName = reference().toStdString();
    return options;
  }

  // What a speed-up may be over: SSGD, or a configuration of the table. The chosen one stays, also while none of its runs is ticked.
  void offerReferences(const Results& results) {
    const QString chosen = over_->currentData().toString();
    const QString name = reference();
    std::vector<std::pair<QString, QString>> offered = {{tr(kOwnSsgd), ""}};  // a text, a run
    bool ticked = chosen.isEmpty();
    for (const ResultRow& row : results.rows) {
      const bool own = std::ranges::find(row.ids, chosen.toStdString()) != row.ids.end();
      offered.emplace_back(qtext(row.label), own ? chosen : qtext(row.ids.front()));
      ticked = ticked || own;
    }
    if (!ticked) offered.emplace_back(tr(kNotTicked).arg(name), chosen);
    if (std::ranges::equal(offered, offered_)) return;  // a list that is open stays open
    offered_ = offered;
    const QSignalBlocker quiet(over_);
    over_->clear();
    for (const auto& [text, run] : offered) over_->addItem(text, run);
    over_->setCurrentIndex(over_->findData(chosen));
  }

  QString reference() const { return over_->currentText().remove(tr(kNotTicked).arg(QString())); }  // its name
  figure::FigureStyle style() const { return style_->current() == 1 ? figure::FigureStyle::kPublished : figure::FigureStyle::kModern; }
  double target() const { return target_->value() / 100; }  // 0 to 1
  std::optional<Budget> budget() const {
    if (cut_->currentIndex() <= 0) return std::nullopt;
    return Budget{.of = static_cast<XAxis>(cut_->currentData().toInt())};
  }
  figure::FigureFile file(const QString& path) const {
    return {.path = path, .style = style(), .widthMm = width_->value(), .heightMm = height_->value(), .fontPoints = font_->value()};
  }

 signals:
  void optionsChanged();
  void styleChanged();
  void targetChanged();
  void budgetChanged();
  void exportAsked(const QString& format);  // png, svg, pdf, csv, json

 private:
  void buildData() {
    variant_ = new widgets::Segments({tr("Corrected"), tr("Published")});
    variant_->setToolTip(tr("Corrected: as measured. Published: the original scripts' formula"));
    style_ = new widgets::Segments({tr("Modern"), tr("Published")});
    style_->setToolTip(tr("Colours, dashes, markers and hatches; published: as in ESync's figures"));
    x_ = new widgets::ChoiceList;
    x_->addItems({tr("Time"), tr("Rounds"), tr("Epochs"), tr("Samples"), tr("Bytes")});
    over_ = new widgets::ChoiceList;
    over_->setObjectName("speedupOver");
    over_->addItem(tr(kOwnSsgd), "");
    over_->setToolTip(tr("Speed-up = time of this reference / time of a run. SSGD (automatic): the SSGD runs of the same configuration"));
    cut_ = new widgets::ChoiceList;
    cut_->setObjectName("cutTo");
    cut_->addItem(tr("Nothing: whole runs"));
    for (const auto& [words, axis] : {std::pair(tr("Common time"), XAxis::kTime), std::pair(tr("Common rounds"), XAxis::kRounds), std::pair(tr("Common samples"), XAxis::kSamples), std::pair(tr("Common traffic"), XAxis::kBytes)})
      cut_->addItem(words, static_cast<int>(axis));
    cut_->setToolTip(tr("Evaluations behind what all runs have are left out, so that none is ahead because it trained for longer"));
    logX_ = new QCheckBox(tr("Logarithmic x"));
    logY_ = new QCheckBox(tr("Logarithmic y"));
    group_ = new QCheckBox(tr("Seeds as mean and band"));
    group_->setChecked(true);
    smoothing_ = spin<QSpinBox, int>(1, 1000, 1, tr(" points"), "compare/smoothing");
    smoothing_->setSpecialValueText(tr("off"));
    target_ = spin<QDoubleSpinBox, double>(1, 100, 80, " %", "compare/target");
    widgets::addAll(column_, {widgets::label(tr("Formula"), "head"), variant_, widgets::label(tr("Look"), "head"), style_, widgets::gap(4), named(tr("x-axis"), x_), named(tr("Smoothing"), smoothing_),
                      named(tr("Target"), target_), under(tr("Speed-up over"), over_), under(tr("Cut to"), cut_), logX_, logY_, group_});
    for (QCheckBox* box : {logX_, logY_, group_}) connect(box, &QCheckBox::toggled, this, &FigureOptionsPane::optionsChanged);
    connect(variant_, &widgets::Segments::chosen, this, &FigureOptionsPane::optionsChanged);
    connect(x_, &QComboBox::currentIndexChanged, this, &FigureOptionsPane::optionsChanged);
    connect(over_, &QComboBox::currentIndexChanged, this, &FigureOptionsPane::optionsChanged);
    connect(cut_, &QComboBox::currentIndexChanged, this, &FigureOptionsPane::budgetChanged);
    connect(smoothing_, &QSpinBox::valueChanged, this, &FigureOptionsPane::optionsChanged);
    connect(style_, &widgets::Segments::chosen, this, &FigureOptionsPane::styleChanged);
    connect(target_, &QDoubleSpinBox::valueChanged, this, &FigureOptionsPane::targetChanged);
  }

  void buildExport() {
    width_ = spin<QDoubleSpinBox, double>(20, 2000, 160, " mm", "export/width");
    height_ = spin<QDoubleSpinBox, double>(0, 2000, 0, " mm", "export/height");
    height_->setSpecialValueText(tr("as needed"));
    height_->setToolTip(tr("As needed (0): five eighths of the width, or more where the legend or names need it"));
    font_ = spin<QDoubleSpinBox, double>(4, 40, 9, " pt", "export/font");
    auto* grid = new QGridLayout;
    grid->setSpacing(widgets::kGap);
    const char* const formats[] = {"PNG", "SVG", "PDF", "CSV", "JSON"};
    for (int i = 0; i < 5; ++i) {
      QPushButton* made = widgets::button(formats[i], "", [this, format = QString(formats[i]).toLower()] { emit exportAsked(format); });
      made->setObjectName(QString("export") + formats[i]);
      made->setToolTip(tr("Save this figure as %1").arg(formats[i]));
      grid->addWidget(made, i / 3, i % 3);
    }
    widgets::addAll(column_, {widgets::label(tr("Export"), "head"), named(tr("Width"), width_), named(tr("Height"), height_), named(tr("Font"), font_), grid});
  }

  widgets::Segments *variant_, *style_;
  QComboBox *x_, *over_, *cut_;
  std::vector<std::pair<QString, QString>> offered_;  // what over_ lists
  QCheckBox *logX_, *logY_, *group_;
  QSpinBox* smoothing_;
  QDoubleSpinBox *target_, *width_, *height_, *font_;
};

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

#include "compare_page.moc"
