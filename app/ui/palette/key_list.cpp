#include "app/ui/palette/key_list.h"

#include <QGridLayout>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>

#include "app/ui/widgets/controls.h"

namespace paceline::palette {
namespace {

constexpr int kListWidth = 560, kListHeight = 560, kKeysWidth = 150;  // px at normal text

}  // namespace

QString plainText(const QAction* action) { return QString(action->text()).remove(QRegularExpression(R"(\(&\w\)|&(?!&))")); }

std::vector<KeyLine> menuKeys(const QMenuBar* menus) {
  std::vector<KeyLine> lines;
  for (const QAction* menu : menus->actions())
    for (const QAction* each : menu->menu()->actions())
      if (!each->shortcut().isEmpty())
        lines.push_back({QObject::tr("Everywhere"), each->shortcut().toString(QKeySequence::NativeText), plainText(each)});
  return lines;
}

KeyList::KeyList(const std::vector<KeyLine>& lines, QWidget* window) : QDialog(window) {
  setWindowTitle(tr("Keyboard"));
  setObjectName("keyList");
  setAttribute(Qt::WA_DeleteOnClose);
  QVBoxLayout* column = widgets::down({}, {widgets::kPageMargin, widgets::kGroupGap, widgets::kPageMargin, widgets::kGroupGap});
  QString place;
  QGridLayout* grid = nullptr;
  for (const KeyLine& line : lines) {
    if (line.place != place || !grid) {
      if (grid) column->addSpacing(widgets::kGroupGap);
      column->addWidget(widgets::label(place = line.place, "section"));
      column->addLayout(grid = new QGridLayout);
      grid->setColumnMinimumWidth(0, widgets::scaled(kKeysWidth));
      grid->setColumnStretch(1, 1);
      grid->setVerticalSpacing(4);
    }
    const int row = grid->rowCount();
    grid->addWidget(widgets::label(line.keys, "mono"), row, 0, Qt::AlignTop);
    grid->addWidget(widgets::wrapped(widgets::label(line.act)), row, 1);
  }
  column->addStretch(1);
  auto* scroll = new widgets::ColumnScroll;
  scroll->setAccessibleName(tr("Keyboard"));
  scroll->setWidget(widgets::boxed(column));
  scroll->widget()->setObjectName("plain");
  scroll->setFocusPolicy(Qt::StrongFocus);  // arrows scroll
  setLayout(widgets::down({{scroll, 1}}, {}, 0));
  resize(widgets::scaled(kListWidth), std::min(widgets::scaled(kListHeight), window->height()));
  scroll->setFocus();
}

}  // namespace paceline::palette
