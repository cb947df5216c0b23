#include "app/ui/experiment/topology_preview.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/models/words.h"
#include "app/ui/palette/keys.h"
#include "app/ui/widgets/controls.h"

namespace paceline::experiment {
namespace {

constexpr int kWordsHeight = 24;
constexpr double kNear = 6;              // px from an edge that still means it
constexpr int kNamed = 32, kDotted = 96;  // workers: up to so many have their names in them, more become smaller dots
constexpr double kNameRadius = 13, kDotRadius = 6, kSmallRadius = 3;

double distanceTo(const QPointF& point, const QPointF& a, const QPointF& b) {
  const QPointF along = b - a, to = point - a;
  const double length = QPointF::dotProduct(along, along);
  const double share = length > 0 ? std::clamp(QPointF::dotProduct(to, along) / length, 0.0, 1.0) : 0.0;
  const QPointF off = to - share * along;
  return std::sqrt(QPointF::dotProduct(off, off));
}

}  // namespace

TopologyPreview::TopologyPreview() {
  setObjectName("topologyPreview");
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Picture of the topology"));
  palette::tellKeys(this, tr("Picture of the topology"), {{tr("Arrow keys"), tr("Choose an edge")}, {tr("Del"), tr("Remove it")}});
  setToolTip(tr("Drag from one worker to another to join or to part them. Arrow keys choose an edge, Del removes it"));
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, qOverload<>(&QWidget::update));
}

void TopologyPreview::show(TopologyGraph graph) {
  from_ = -1;
  graph_ = std::move(graph);
  choose(-1);
}

void TopologyPreview::choose(int edge) {
  current_ = edge;
  setAccessibleDescription(QString::fromStdString(edge < 0 ? graph_.summary : graph_.edges[static_cast<std::size_t>(edge)].text));
  update();
}

double TopologyPreview::nodeRadius() const {
  const int nodes = static_cast<int>(graph_.nodes.size());
  return nodes <= kNamed ? kNameRadius : nodes <= kDotted ? kDotRadius : kSmallRadius;
}

QPointF TopologyPreview::place(int node) const {
  const double margin = nodeRadius() + 6;
  const double high = height() - kWordsHeight - 2 * margin, wide = std::min(width() - 2 * margin, 1.6 * high);
  const auto& [x, y] = graph_.places[static_cast<std::size_t>(node)];
  return {width() / 2.0 + (x - 0.5) * wide, margin + y * high};
}

int TopologyPreview::edgeAt(const QPointF& at) const {
  int nearest = -1;
  double least = kNear;
  for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
    const double distance = distanceTo(at, place(graph_.edges[i].a), place(graph_.edges[i].b));
    if (distance < least) least = distance, nearest = static_cast<int>(i);
  }
  return nearest;
}

int TopologyPreview::nodeAt(const QPointF& at) const {
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const QPointF off = at - place(static_cast<int>(i));
    if (std::hypot(off.x(), off.y()) <= nodeRadius() + kNear / 2) return static_cast<int>(i);
  }
  return -1;
}

void TopologyPreview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintEdges(painter);
  paintNodes(painter);
  const bool bad = !graph_.problem.empty();
  const std::string& words = bad ? graph_.problem : current_ >= 0 ? graph_.edges[static_cast<std::size_t>(current_)].text : graph_.summary;
  const widgets::Token ink = bad ? widgets::Token::kBad : current_ >= 0 ? widgets::Token::kText : widgets::Token::kTextMuted;
  widgets::paintFoot(painter, this, kWordsHeight, asSentence(QString::fromStdString(words)), ink, Qt::AlignCenter);
}

void TopologyPreview::paintEdges(QPainter& painter) const {
  QColor quiet = widgets::Theme::instance().colour(widgets::Token::kTextMuted);
  if (graph_.edges.size() > 60) quiet.setAlphaF(0.45F);
  painter.setPen(QPen(quiet, 1));
  for (const GraphEdge& edge : graph_.edges) painter.drawLine(place(edge.a), place(edge.b));
  if (from_ >= 0) {
    const int over = nodeAt(to_);
    painter.setPen(QPen(widgets::Theme::instance().colour(widgets::Token::kAccent), 2, Qt::DashLine));
    painter.drawLine(place(from_), over >= 0 ? place(over) : to_);
  }
  if (current_ < 0) return;
  const GraphEdge& edge = graph_.edges[static_cast<std::size_t>(current_)];
  painter.setPen(QPen(widgets::Theme::instance().colour(widgets::Token::kAccent), 3));
  painter.drawLine(place(edge.a), place(edge.b));
}

void TopologyPreview::paintNodes(QPainter& painter) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  const double radius = nodeRadius();
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const int node = static_cast<int>(i);
    const bool named = current_ >= 0 && (graph_.edges[static_cast<std::size_t>(current_)].a == node || graph_.edges[static_cast<std::size_t>(current_)].b == node);
    painter.setPen(QPen(theme.colour(named ? widgets::Token::kAccent : widgets::Token::kTextMuted), named ? 2 : 1));
    painter.setBrush(theme.colour(named ? widgets::Token::kAccentSoft : widgets::Token::kSurfaceRaised));
    painter.drawEllipse(place(node), radius, radius);
    if (radius < kNameRadius) continue;
    const QRectF inside(place(node) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
    const QString name = QString::fromStdString(graph_.nodes[i]);
    painter.setPen(theme.colour(widgets::Token::kText));
    painter.drawText(inside, Qt::AlignCenter, QFontMetrics(painter.font()).elidedText(name, Qt::ElideMiddle, static_cast<int>(2 * radius - 2)));
  }
}

void TopologyPreview::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  from_ = nodeAt(event->position());
  to_ = event->position();
}

void TopologyPreview::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
  const int from = std::exchange(from_, -1), over = nodeAt(event->position());
  update();
  if (from >= 0 && over >= 0 && from != over) emit toggled(from, over);
}

void TopologyPreview::mouseMoveEvent(QMouseEvent* event) {
  if (from_ >= 0) {
    to_ = event->position();
    return update();
  }
  const int edge = edgeAt(event->position());
  if (edge != current_) choose(edge);
}

void TopologyPreview::keyPressEvent(QKeyEvent* event) {
  const int count = static_cast<int>(graph_.edges.size());
  if (event->key() == Qt::Key_Delete && current_ >= 0) {
    const GraphEdge edge = graph_.edges[static_cast<std::size_t>(current_)];
    return emit toggled(edge.a, edge.b);
  }
  const bool forth = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down, back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
  if (count == 0 || (!forth && !back)) return QWidget::keyPressEvent(event);
  choose(forth ? (current_ + 1) % count : (std::max(current_, 0) + count - 1) % count);
}

}  // namespace paceline::experiment
