#include "app/ui/runs/view_menu.h"

#include <QLineEdit>
#include <QWidgetAction>

#include "app/models/runs/runs_model.h"
#include "app/ui/widgets/controls.h"

namespace paceline::runs {
namespace {

QString escaped(QString name) { return name.replace("&", "&&"); }

}  // namespace

ViewMenu::ViewMenu(const std::vector<ColumnTable::Heading>& headings, Acts acts) : QPushButton(tr("Views")), headings_(headings), acts_(std::move(acts)), menu_(new QMenu(this)) {
  setObjectName("viewMenu");
  setProperty("kind", "quiet");
  setToolTip(tr("Saved filters, orders and columns"));
  setMenu(menu_);
  connect(menu_, &QMenu::aboutToShow, this, &ViewMenu::fill);
}

void ViewMenu::fill() {
  menu_->clear();
  RunView now = acts_.present();
  const std::vector<RunView> saved = savedViews();
  for (const RunView& view : saved) {
    now.name = view.name;
    QAction* action = menu_->addAction(escaped(view.name), this, [this, view] { acts_.show(view); });
    action->setCheckable(true);
    action->setChecked(now == view);
  }
  if (!saved.empty()) menu_->addSeparator();
  addName();
  if (!saved.empty()) {
    QMenu* gone = menu_->addMenu(tr("&Delete a view"));
    for (const RunView& view : saved) gone->addAction(escaped(view.name), this, [name = view.name] { deleteView(name); });
  }
  menu_->addSeparator();
  addColumns(now);
}

void ViewMenu::addName() {
  auto* name = new QLineEdit;
  name->setObjectName("viewName");
  name->setPlaceholderText(tr("Name the present view, Enter saves it"));
  name->setAccessibleName(tr("Name of the present view"));
  name->setMinimumWidth(widgets::scaled(260));
  auto* action = new QWidgetAction(menu_);
  action->setText(tr("&Save the present view"));
  action->setDefaultWidget(name);
  menu_->addAction(action);
  connect(action, &QAction::hovered, name, [name] { name->setFocus(); });
  connect(name, &QLineEdit::returnPressed, this, [this, name] {
    RunView view = acts_.present();
    view.name = name->text().trimmed();
    if (view.name.isEmpty()) return;
    saveView(view);
    menu_->close();
  });
}

// The name stays: a row without it is nobody's.
void ViewMenu::addColumns(const RunView& now) {
  QMenu* columns = menu_->addMenu(tr("&Columns"));
  for (int column = 0; column < static_cast<int>(headings_.size()); ++column) {
    if (column == RunsModel::kName) continue;
    QAction* action = columns->addAction(QString::fromUtf8(headings_[static_cast<std::size_t>(column)].title), this, [this, column](bool shown) { acts_.setColumn(column, shown); });
    action->setCheckable(true);
    action->setChecked(!now.hidden.contains(column));
  }
}

}  // namespace paceline::runs
