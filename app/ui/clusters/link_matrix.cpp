#include "app/ui/clusters/link_matrix.h"

#include <algorithm>

#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "app/models/words.h"
#include "app/ui/palette/keys.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::clusters {
namespace {

constexpr int kTop = 32, kCellHeight = 44, kLeastCell = 88, kMostCell = 140, kLeastHead = 72, kMostHead = 180, kLinkIcon = 14;
constexpr double kInk = 4.5;  // contrast of text

// Names of hosts in plain text.
class Heads : public QHeaderView {
 public:
  using QHeaderView::QHeaderView;

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override {
    const bool across = orientation() == Qt::Horizontal;
    const QRect room = across ? rect.adjusted(4, 0, -4, 0) : rect.adjusted(4, 0, -12, 0);
    painter->setFont(widgets::Theme::instance().font(widgets::TextRole::kBody));
    painter->setPen(widgets::Theme::instance().colour(widgets::Token::kText));
    const QString name = painter->fontMetrics().elidedText(model()->headerData(section, orientation()).toString(), Qt::ElideRight, room.width());
    painter->drawText(room, across ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter, name);
  }
};

void paintLink(QPainter& painter, const QRect& rect, const check::LinkMeasure* link) {
  const widgets::Theme& theme = widgets::Theme::instance();
  const bool known = link && link->reachable;
  const QColor background = known ? LinkMatrix::shade(linkLevel(link->mbps), theme) : theme.colour(widgets::Token::kSurfaceRaised);
  painter.fillRect(rect, background);
  painter.setFont(theme.font(widgets::TextRole::kBody));
  if (!link) {
    painter.setPen(theme.colour(widgets::Token::kTextMuted));
    return painter.drawText(rect, Qt::AlignCenter, "—");
  }
  if (!link->reachable) {
    const QColor bad = theme.colour(widgets::Token::kBad);
    painter.setFont(theme.font(widgets::TextRole::kCaption));
    const int width = painter.fontMetrics().horizontalAdvance(QObject::tr("unreachable")) + kLinkIcon + 4, left = rect.center().x() - width / 2;
    painter.drawPixmap(QRect(left, rect.center().y() - kLinkIcon / 2, kLinkIcon, kLinkIcon),
                       widgets::iconPixmap("failed", bad, kLinkIcon, painter.device()->devicePixelRatioF()));
    painter.setPen(bad);
    return painter.drawText(QRect(left + kLinkIcon + 4, rect.top(), width, rect.height()), Qt::AlignVCenter | Qt::AlignLeft, QObject::tr("unreachable"));
  }
  painter.setPen(LinkMatrix::inkOn(background, theme));
  const QRect upper(rect.left(), rect.top() + 4, rect.width(), rect.height() / 2 - 2), lower(rect.left(), rect.center().y(), rect.width(), rect.height() / 2 - 3);
  painter.drawText(upper, Qt::AlignCenter, linkSpeedText(link->mbps));
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  painter.drawText(lower, Qt::AlignCenter, linkLatencyText(link->latencyMs));
}

}  // namespace

LinkMatrix::LinkMatrix(LinksModel& links) : links_(links), corner_(widgets::label(tr("from \\ to"), "caption", this)) {
  setObjectName("linkMatrix");
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Links between hosts"));
  palette::tellKeys(this, tr("Links between hosts"), {{tr("Space"), tr("Tell of the chosen link")}});
  setHorizontalHeader(new Heads(Qt::Horizontal, this));
  setVerticalHeader(new Heads(Qt::Vertical, this));
  horizontalHeader()->setFixedHeight(kTop);
  verticalHeader()->setDefaultSectionSize(kCellHeight);
  for (QHeaderView* each : {horizontalHeader(), verticalHeader()}) each->setSectionResizeMode(QHeaderView::Fixed);
  for (const auto set : {&LinkMatrix::setHorizontalScrollMode, &LinkMatrix::setVerticalScrollMode}) (this->*set)(ScrollPerPixel);
  setShowGrid(false);
  setSelectionMode(NoSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setCornerButtonEnabled(false);
  corner_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  const auto paint = [this](QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& at) { paintCell(*painter, option.rect, at); };
  setItemDelegate(widgets::paintedCells(paint, this));
  connect(this, &QTableWidget::currentCellChanged, this, [this](int from, int to) { setAccessibleDescription(describe(from, to)); });
  connect(&links_, &LinksModel::changed, viewport(), qOverload<>(&QWidget::update));
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &LinkMatrix::layoutCells);
}

void LinkMatrix::setHosts(const std::vector<std::string>& hosts) {
  if (hosts == hosts_) return;
  hosts_ = hosts;
  setRowCount(static_cast<int>(hosts.size()));
  setColumnCount(rowCount());
  setHorizontalHeaderLabels(qtexts(hosts));
  setVerticalHeaderLabels(qtexts(hosts));
  layoutCells();
  if (currentColumn() < 0) setCurrentCell(0, 1);
}

void LinkMatrix::layoutCells() {
  const QFontMetrics metrics(widgets::Theme::instance().font(widgets::TextRole::kBody));
  int head = kLeastHead;
  for (const std::string& host : hosts_) head = std::max(head, metrics.horizontalAdvance(qtext(host)) + 24);
  head = std::min(head, kMostHead);
  verticalHeader()->setFixedWidth(head);
  horizontalHeader()->setDefaultSectionSize(hosts_.empty() ? kLeastCell : std::clamp(viewport()->width() / columnCount(), kLeastCell, kMostCell));
  corner_->setGeometry(0, 0, head - 12, kTop);
  corner_->raise();
  viewport()->update();
}

void LinkMatrix::resizeEvent(QResizeEvent* event) {
  QTableWidget::resizeEvent(event);
  layoutCells();
}

// Between the colour of surfaces and the accent. In the middle neither light nor dark text can be read: such shades step aside, down in the
// lower half of the scale and up in the upper one, so that a faster link never looks slower.
QColor LinkMatrix::shade(double level, const widgets::Theme& theme) {
  const QColor low = theme.colour(widgets::Token::kSurfaceRaised), high = theme.colour(widgets::Token::kAccent);
  int percent = static_cast<int>(8 + 92 * level);  // whole ones: all that step aside arrive at the same
  QColor made = widgets::mixed(low, high, percent / 100.0);
  while (widgets::contrastRatio(inkOn(made, theme), made) < kInk && percent > 0 && percent < 100) made = widgets::mixed(low, high, (percent += level < 0.5 ? -1 : 1) / 100.0);
  return made;
}

QColor LinkMatrix::inkOn(const QColor& background, const widgets::Theme& theme) {
  const QColor ink = theme.colour(widgets::Token::kText), inverse = theme.colour(widgets::Token::kAccentText);
  if (widgets::contrastRatio(ink, background) >= kInk) return ink;
  return widgets::contrastRatio(inverse, background) > widgets::contrastRatio(ink, background) ? inverse : ink;
}

QString LinkMatrix::describe(int from, int to) const {
  if (from < 0 || to < 0) return {};
  const std::string &a = hosts_[static_cast<std::size_t>(from)], &b = hosts_[static_cast<std::size_t>(to)];
  if (from == to) return qtext(a);
  const QString pair = qtext(a) + " → " + qtext(b);
  const check::LinkMeasure* link = links_.at(a, b);
  if (!link) return pair + "\n" + tr("not measured");
  if (!link->reachable) return pair + "\n" + tr("unreachable: %1").arg(qtext(link->problem));
  return tr("%1\n%2 Mbit/s\n%3 ms one way (half the round trip's median)").arg(pair).arg(link->mbps, 0, 'f', 1).arg(link->latencyMs, 0, 'f', 3);
}

void LinkMatrix::showTip(const QPoint& place, const QModelIndex& cell) {
  QToolTip::showText(place, describe(cell.row(), cell.column()), viewport(), visualRect(cell));
}

bool LinkMatrix::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QTableWidget::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  showTip(help->globalPos(), indexAt(help->pos()));
  return true;
}

void LinkMatrix::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space) return QTableWidget::keyPressEvent(event);
  showTip(viewport()->mapToGlobal(visualRect(currentIndex()).center()), currentIndex());
}

void LinkMatrix::paintCell(QPainter& painter, const QRect& rect, const QModelIndex& at) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  const QRect inner = rect.adjusted(1, 1, -1, -1);
  const std::string &from = hosts_[static_cast<std::size_t>(at.row())], &to = hosts_[static_cast<std::size_t>(at.column())];
  if (from == to) painter.fillRect(inner, theme.colour(widgets::Token::kSurfaceSunken));
  else paintLink(painter, inner, links_.at(from, to));
  if (!hasFocus() || at != currentIndex()) return;
  painter.setPen(QPen(theme.colour(widgets::Token::kText), 2));
  painter.drawRect(inner.adjusted(0, 0, -1, -1));
}

QWidget* linkScale() {
  QHBoxLayout* row = widgets::across({}, {}, 0);
  std::vector<std::pair<double, QLabel*>> steps;
  for (const double speed : {10, 100, 1000, 10000}) {
    steps.emplace_back(speed, widgets::label(linkSpeedText(speed)));
    steps.back().second->setAlignment(Qt::AlignCenter);
    row->addWidget(steps.back().second, 1);
  }
  QWidget* scale = widgets::boxed(row);
  scale->setFixedSize(360, 20);
  const auto paint = [steps] {
    const widgets::Theme& theme = widgets::Theme::instance();
    for (const auto& [speed, step] : steps) {
      const QColor background = LinkMatrix::shade(linkLevel(speed), theme);
      step->setStyleSheet(QString("background: %1; color: %2; font-size: %3px;").arg(background.name(), LinkMatrix::inkOn(background, theme).name()).arg(theme.font(widgets::TextRole::kCaption).pixelSize()));
    }
  };
  paint();
  QObject::connect(&widgets::Theme::instance(), &widgets::Theme::changed, scale, paint);
  return scale;
}

}  // namespace paceline::clusters
