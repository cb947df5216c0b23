#include "app/ui/figure/figure_options.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QSettings>

#include "app/ui/widgets/controls.h"

namespace paceline::figure {
namespace {

template <class Spin, class Value>
Spin* spin(Value low, Value high, Value value, const char* key) {
  auto* made = new Spin;
  made->setRange(low, high);
  made->setValue(QSettings().value(key, value).template value<Value>());
  made->setButtonSymbols(QAbstractSpinBox::NoButtons);
  made->setAlignment(Qt::AlignRight);
  made->setKeyboardTracking(false);
  QObject::connect(made, qOverload<Value>(&Spin::valueChanged), made, [key](Value v) { QSettings().setValue(key, v); });
  return made;
}

QDoubleSpinBox* millimetres(double value, const char* key) {
  auto* made = spin<QDoubleSpinBox, double>(20, 2000, value, key);
  made->setDecimals(1);
  made->setSuffix(" mm");
  return made;
}

void addRow(QVBoxLayout* column, const QString& name, QWidget* editor) {
  auto* row = new QHBoxLayout;
  row->setSpacing(widgets::kGap);
  auto* caption = widgets::label(name);
  caption->setBuddy(editor);
  editor->setAccessibleName(name);
  row->addWidget(caption, 1);
  row->addWidget(editor, 1);
  column->addLayout(row);
}

}  // namespace

FigureOptionsPane::FigureOptionsPane(QWidget* parent) : QFrame(parent) {
  setObjectName("pane");
  setMinimumWidth(228);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* inside = new QWidget;
  inside->setObjectName("plain");
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(widgets::kGroupGap, 12, widgets::kGroupGap, widgets::kGroupGap);
  column->setSpacing(widgets::kGap);
  buildData(column);
  column->addSpacing(4);
  column->addWidget(widgets::horizontalLine());
  column->addSpacing(4);
  buildExport(column);
  column->addStretch(1);
  scroll->setWidget(inside);
  outer->addWidget(scroll);
}

void FigureOptionsPane::buildData(QVBoxLayout* column) {
  variant_ = new widgets::Segments({"Corrected", "Published"});
  variant_->setToolTip("Corrected: what was measured. Published: the original scripts' formula");
  style_ = new widgets::Segments({"Modern", "Published"});
  style_->setToolTip("Colours, dashes, markers and hatches; published: as in ESync's figures");
  x_ = new QComboBox;
  x_->addItems({"Time", "Rounds", "Epochs", "Samples", "Bytes"});
  logX_ = new QCheckBox("Logarithmic x");
  logY_ = new QCheckBox("Logarithmic y");
  group_ = new QCheckBox("Seeds as mean and band");
  group_->setChecked(true);
  smoothing_ = spin<QSpinBox, int>(1, 1000, 1, "compare/smoothing");
  smoothing_->setSpecialValueText("off");
  smoothing_->setSuffix(" points");
  target_ = spin<QDoubleSpinBox, double>(1, 100, 80, "compare/target");
  target_->setDecimals(1);
  target_->setSuffix(" %");
  column->addWidget(widgets::label("Formula", "head"));
  column->addWidget(variant_);
  column->addWidget(widgets::label("Look", "head"));
  column->addWidget(style_);
  column->addSpacing(4);
  addRow(column, "x-axis", x_);
  addRow(column, "Smoothing", smoothing_);
  addRow(column, "Target", target_);
  for (QCheckBox* box : {logX_, logY_, group_}) {
    column->addWidget(box);
    connect(box, &QCheckBox::toggled, this, &FigureOptionsPane::optionsChanged);
  }
  connect(variant_, &widgets::Segments::chosen, this, &FigureOptionsPane::optionsChanged);
  connect(x_, &QComboBox::currentIndexChanged, this, &FigureOptionsPane::optionsChanged);
  connect(smoothing_, &QSpinBox::valueChanged, this, &FigureOptionsPane::optionsChanged);
  connect(style_, &widgets::Segments::chosen, this, &FigureOptionsPane::styleChanged);
  connect(target_, &QDoubleSpinBox::valueChanged, this, &FigureOptionsPane::targetChanged);
}

void FigureOptionsPane::buildExport(QVBoxLayout* column) {
  column->addWidget(widgets::label("Export", "head"));
  width_ = millimetres(160, "export/width");
  height_ = millimetres(100, "export/height");
  font_ = spin<QDoubleSpinBox, double>(4, 40, 9, "export/font");
  font_->setDecimals(1);
  font_->setSuffix(" pt");
  addRow(column, "Width", width_);
  addRow(column, "Height", height_);
  addRow(column, "Font", font_);
  auto* grid = new QGridLayout;
  grid->setSpacing(widgets::kGap);
  const char* const formats[] = {"PNG", "SVG", "PDF", "CSV", "JSON"};
  for (int i = 0; i < 5; ++i) {
    QPushButton* made = widgets::button(formats[i]);
    made->setObjectName(QString("export") + formats[i]);
    made->setToolTip(QString("Save this figure as %1").arg(formats[i]));
    grid->addWidget(made, i / 3, i % 3);
    connect(made, &QPushButton::clicked, this, [this, format = QString(formats[i]).toLower()] { emit exportAsked(format); });
  }
  column->addLayout(grid);
}

FigureOptions FigureOptionsPane::options() const {
  FigureOptions options;
  options.variant = variant_->current() == 1 ? Variant::kPublished : Variant::kCorrected;
  options.x = static_cast<XAxis>(x_->currentIndex());
  options.logX = logX_->isChecked();
  options.logY = logY_->isChecked();
  options.smoothing = smoothing_->value();
  options.groupSeeds = group_->isChecked();
  return options;
}

FigureStyle FigureOptionsPane::style() const { return style_->current() == 1 ? FigureStyle::kPublished : FigureStyle::kModern; }

double FigureOptionsPane::target() const { return target_->value() / 100; }

}  // namespace paceline::figure
