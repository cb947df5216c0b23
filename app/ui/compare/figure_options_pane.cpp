#include "app/ui/compare/figure_options_pane.h"

#include <algorithm>

#include <QGridLayout>
#include <QSettings>
#include <QSignalBlocker>

#include "app/models/words.h"
#include "app/ui/widgets/choice_list.h"

namespace paceline::compare {
namespace {

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

FigureOptionsPane::FigureOptionsPane() : widgets::ScrollPane(228) {
  buildData();
  widgets::addAll(column_, {widgets::gap(4), widgets::horizontalLine(), widgets::gap(4)});
  buildExport();
  column_->addStretch(1);
}

FigureOptions FigureOptionsPane::options() const {
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

void FigureOptionsPane::offerReferences(const Results& results) {
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

QString FigureOptionsPane::reference() const { return over_->currentText().remove(tr(kNotTicked).arg(QString())); }

std::optional<Budget> FigureOptionsPane::budget() const {
  if (cut_->currentIndex() <= 0) return std::nullopt;
  return Budget{.of = static_cast<XAxis>(cut_->currentData().toInt())};
}

figure::FigureFile FigureOptionsPane::file(const QString& path) const {
  return {.path = path, .style = style(), .widthMm = width_->value(), .heightMm = height_->value(), .fontPoints = font_->value()};
}

void FigureOptionsPane::buildData() {
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

void FigureOptionsPane::buildExport() {
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

}  // namespace paceline::compare
