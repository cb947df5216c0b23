#include "app/ui/widgets/page.h"

#include <algorithm>

#include <QHeaderView>

#include "app/ui/widgets/controls.h"

namespace paceline::widgets {

Page::Page(const QString& title, QWidget* parent)
    : QWidget(parent), title_(label(title, "page")) {
  setObjectName("page");
  setAttribute(Qt::WA_StyledBackground);
  setFocusPolicy(Qt::ClickFocus);
  title_->setMinimumHeight(32);
  titleRow_ = across({title_, room()}, {kPageMargin, 16, kPageMargin, 12});
  setLayout(body_ = down({titleRow_}, {}, 0));
}

QHBoxLayout* Page::addRow() {
  QHBoxLayout* row = across({}, {kPageMargin, 0, kPageMargin, 12});
  body_->addLayout(row);
  return row;
}

void styleTable(QTableView* table) {
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setTextElideMode(Qt::ElideRight);
  table->verticalHeader()->hide();
  table->verticalHeader()->setMinimumSectionSize(kRowHeight);
  table->verticalHeader()->setDefaultSectionSize(kRowHeight);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setFixedHeight(28);
  table->setTabKeyNavigation(false);
}

void setWidths(QTableView* table, const std::vector<int>& widths) {
  QHeaderView* header = table->horizontalHeader();
  for (int i = 0; i < static_cast<int>(widths.size()); ++i)
    header->resizeSection(i, std::max(widths[static_cast<std::size_t>(i)], header->sectionSizeHint(i) + kGap));
}

}  // namespace paceline::widgets
