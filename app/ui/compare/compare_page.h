// Runs beside each other: pick at the left, every figure and the results table in the middle, options and export at the right. GUI thread.
#pragma once

#include <QStackedWidget>
#include <QTimer>

#include "app/models/compare/comparison.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"

namespace paceline::compare {

class FigureGallery;
class FigureOptionsPane;
class ResultsPane;
class RunPicker;

class ComparePage : public widgets::Page {
  Q_OBJECT
 public:
  explicit ComparePage(Shell& shell);

  const std::vector<std::string>& runs() const { return comparison_.runs(); }
  double target() const;
  void choose(const std::vector<std::string>& runs);
  void showFigure(const QString& id);
  void find() override;
  void primary() override { exportAs("pdf"); }
  void entered() override;
  // Writes the figure that is shown; throws Error naming the file.
  void exportTo(const QString& path);
  const Comparison& comparison() const { return comparison_; }

 protected:
  void resizeEvent(QResizeEvent*) override { fitHeight(); }

 private:
  void fitHeight();
  void narrow(const std::vector<std::string>& runs);
  QWidget* middle();
  void follow();
  void exportAs(const QString& format);

  Shell& shell_;
  Comparison comparison_;
  RunPicker* picker_;
  FigureGallery* gallery_;
  figure::FigureView* view_;
  FigureOptionsPane* options_;
  widgets::EmptyState* empty_;
  QStackedWidget* stack_;
  ResultsPane* results_;
  QTimer live_;
  bool active_ = false;  // a run of the comparison was in progress at the last look
};

}  // namespace paceline::compare
