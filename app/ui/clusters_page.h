// The machines: this computer, with what its agent measured and what its worker can do. GUI thread.
#pragma once

#include <QGridLayout>
#include <QPushButton>

#include "app/models/this_computer.h"
#include "app/ui/page.h"
#include "app/ui/shell.h"

namespace paceline {

class ClustersPage : public Page {
  Q_OBJECT
 public:
  explicit ClustersPage(Shell& shell, QWidget* parent = nullptr);
  void primary() override { check(); }
  void entered() override;
  const ThisComputer& computer() const { return computer_; }

 private:
  void check();
  void follow();
  void fillFacts();
  void fillCatalogue();
  enum class Standing { kFine, kAbsent, kProblem };
  void addLine(QGridLayout* grid, const QString& name, const QString& value, Standing standing = Standing::kFine);

  Shell& shell_;
  ThisComputer computer_;
  QPushButton* check_;
  QGridLayout *facts_, *abilities_;
};

}  // namespace paceline
