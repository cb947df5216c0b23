// How the figure of the page Compare is computed and painted, and its export. GUI thread.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include "app/models/compare/comparison.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/widgets/controls.h"

namespace paceline::compare {

class FigureOptionsPane : public widgets::ScrollPane {
  Q_OBJECT
 public:
  FigureOptionsPane();

  FigureOptions options() const;
  // What a speed-up may be over: SSGD, or a configuration of the table. The chosen one stays, also while none of its runs is ticked.
  void offerReferences(const Results& results);
  QString reference() const;  // its name
  figure::FigureStyle style() const { return style_->current() == 1 ? figure::FigureStyle::kPublished : figure::FigureStyle::kModern; }
  double target() const { return target_->value() / 100; }  // 0 to 1
  std::optional<Budget> budget() const;
  figure::FigureFile file(const QString& path) const;

 signals:
  void optionsChanged();
  void styleChanged();
  void targetChanged();
  void budgetChanged();
  void exportAsked(const QString& format);  // png, svg, pdf, csv, json

 private:
  void buildData();
  void buildExport();

  widgets::Segments *variant_, *style_;
  QComboBox *x_, *over_, *cut_;
  std::vector<std::pair<QString, QString>> offered_;  // what over_ lists
  QCheckBox *logX_, *logY_, *group_;
  QSpinBox* smoothing_;
  QDoubleSpinBox *target_, *width_, *height_, *font_;
};

}  // namespace paceline::compare
