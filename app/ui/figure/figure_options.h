// The right-hand pane of the compare page: how the figure is computed and painted, and its export. GUI thread.
#pragma once

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include "app/figures/figure.h"
#include "app/ui/figure/figure_style.h"
#include "app/ui/widgets/controls.h"

namespace paceline::figure {

class FigureOptionsPane : public widgets::ScrollPane {
  Q_OBJECT
 public:
  FigureOptionsPane();

  FigureOptions options() const;
  FigureStyle style() const { return style_->current() == 1 ? FigureStyle::kPublished : FigureStyle::kModern; }
  double target() const { return target_->value() / 100; }  // 0 to 1
  double widthMm() const { return width_->value(); }
  double heightMm() const { return height_->value(); }
  double fontPoints() const { return font_->value(); }

 signals:
  void optionsChanged();
  void styleChanged();
  void targetChanged();
  void exportAsked(const QString& format);  // png, svg, pdf, csv, json

 private:
  void buildData();
  void buildExport();

  widgets::Segments *variant_, *style_;
  QComboBox* x_;
  QCheckBox *logX_, *logY_, *group_;
  QSpinBox* smoothing_;
  QDoubleSpinBox *target_, *width_, *height_, *font_;
};

}  // namespace paceline::figure
