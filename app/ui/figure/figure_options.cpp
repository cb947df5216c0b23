#include "app/ui/figure/figure_options.h"

#include <QSettings>

namespace paceline::figure {
namespace {

template <class Spin, class Value>
Spin* spin(Value low, Value high, Value value, const char* suffix, const char* key) {
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

}  // namespace

FigureOptionsPane::FigureOptionsPane() : widgets::ScrollPane(228) {
  buildData();
  widgets::addAll(column(), {widgets::gap(4), widgets::horizontalLine(), widgets::gap(4)});
  buildExport();
  column()->addStretch(1);
}

void FigureOptionsPane::buildData() {
  variant_ = new widgets::Segments({"Corrected", "Published"});
  variant_->setToolTip("Corrected: as measured. Published: the original scripts' formula");
  style_ = new widgets::Segments({"Modern", "Published"});
  style_->setToolTip("Colours, dashes, markers and hatches; published: as in ESync's figures");
  x_ = new QComboBox;
  x_->addItems({"Time", "Rounds", "Epochs", "Samples", "Bytes"});
  logX_ = new QCheckBox("Logarithmic x");
  logY_ = new QCheckBox("Logarithmic y");
  group_ = new QCheckBox("Seeds as mean and band");
  group_->setChecked(true);
  smoothing_ = spin<QSpinBox, int>(1, 1000, 1, " points", "compare/smoothing");
  smoothing_->setSpecialValueText("off");
  target_ = spin<QDoubleSpinBox, double>(1, 100, 80, " %", "compare/target");
  widgets::addAll(column(), {widgets::label("Formula", "head"), variant_, widgets::label("Look", "head"), style_, widgets::gap(4), named("x-axis", x_), named("Smoothing", smoothing_),
                    named("Target", target_), logX_, logY_, group_});
  for (QCheckBox* box : {logX_, logY_, group_}) connect(box, &QCheckBox::toggled, this, &FigureOptionsPane::optionsChanged);
  connect(variant_, &widgets::Segments::chosen, this, &FigureOptionsPane::optionsChanged);
  connect(x_, &QComboBox::currentIndexChanged, this, &FigureOptionsPane::optionsChanged);
  connect(smoothing_, &QSpinBox::valueChanged, this, &FigureOptionsPane::optionsChanged);
  connect(style_, &widgets::Segments::chosen, this, &FigureOptionsPane::styleChanged);
  connect(target_, &QDoubleSpinBox::valueChanged, this, &FigureOptionsPane::targetChanged);
}

void FigureOptionsPane::buildExport() {
  width_ = spin<QDoubleSpinBox, double>(20, 2000, 160, " mm", "export/width");
  height_ = spin<QDoubleSpinBox, double>(20, 2000, 100, " mm", "export/height");
  font_ = spin<QDoubleSpinBox, double>(4, 40, 9, " pt", "export/font");
  auto* grid = new QGridLayout;
  grid->setSpacing(widgets::kGap);
  const char* const formats[] = {"PNG", "SVG", "PDF", "CSV", "JSON"};
  for (int i = 0; i < 5; ++i) {
    QPushButton* made = widgets::button(formats[i], "", [this, format = QString(formats[i]).toLower()] { emit exportAsked(format); });
    made->setObjectName(QString("export") + formats[i]);
    made->setToolTip(QString("Save this figure as %1").arg(formats[i]));
    grid->addWidget(made, i / 3, i % 3);
  }
  widgets::addAll(column(), {widgets::label("Export", "head"), named("Width", width_), named("Height", height_), named("Font", font_), grid});
}

FigureOptions FigureOptionsPane::options() const {
  FigureOptions options;
  options.variant = variant_->current() == 1 ? Variant::kPublished : Variant::kCorrected;
  options.x = static_cast<XAxis>(x_->currentIndex());
  options.logX = logX_->isChecked(), options.logY = logY_->isChecked();
  options.smoothing = smoothing_->value();
  options.groupSeeds = group_->isChecked();
  return options;
}

}  // namespace paceline::figure
