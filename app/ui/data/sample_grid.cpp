#include "app/ui/data/sample_grid.h"

#include <algorithm>

#include <QKeyEvent>
#include <QPainter>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::data {
namespace {

constexpr int kPicture = 64, kBetween = 8, kCaption = 18, kFoot = 24;  // px; captions and foot at normal text
constexpr int kNumbers = 4;  // of what is no picture, in its place

int cellWidth() { return widgets::scaled(kPicture) + kBetween; }
int cellHeight() { return widgets::scaled(kPicture) + widgets::scaled(kCaption) + kBetween; }

QImage imageOf(const worker::LookedSample& sample) {
  if (!sample.isPicture() || (sample.side(0) != 1 && sample.side(0) != 3)) return {};
  const int width = sample.side(2), height = sample.side(1);
  const std::vector<std::uint8_t> bytes = worker::bytesOf(sample);
  const std::size_t plane = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  QImage image(width, height, QImage::Format_RGB32);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
      const bool grey = sample.side(0) == 1;
      image.setPixel(x, y, qRgb(bytes[i], bytes[grey ? i : plane + i], bytes[grey ? i : 2 * plane + i]));
    }
  return image;
}

}  // namespace

SampleGrid::SampleGrid() {
  setObjectName("sampleGrid");
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(tr("Samples"));
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { updateGeometry(), update(); });
}

QSize SampleGrid::minimumSizeHint() const { return {3 * cellWidth(), cellHeight() + widgets::scaled(kFoot)}; }

int SampleGrid::columns(int width) const { return std::max(1, (width + kBetween) / cellWidth()); }

int SampleGrid::heightForWidth(int width) const {
  const int across = columns(width), lines = std::max(1, (count() + across - 1) / across);
  return lines * cellHeight() + widgets::scaled(kFoot);
}

QRect SampleGrid::cell(int index) const {
  const int across = columns(width());
  return {index % across * cellWidth(), index / across * cellHeight(), cellWidth() - kBetween, cellHeight() - kBetween};
}

int SampleGrid::at(const QPointF& position) const {
  for (int i = 0; i < count(); ++i)
    if (cell(i).contains(position.toPoint())) return i;
  return -1;
}

void SampleGrid::show(std::shared_ptr<const worker::LookedData> looked) {
  if (looked == looked_) return;
  looked_ = std::move(looked);
  pictures_.clear();
  for (int i = 0; i < count(); ++i) pictures_.push_back(imageOf(looked_->samples[static_cast<std::size_t>(i)]));
  choose(-1);
  updateGeometry();
}

void SampleGrid::setStale(bool stale) {
  if (std::exchange(stale_, stale) != stale) update();
}

QString SampleGrid::words() const {
  if (chosen_ >= 0 && chosen_ < count()) return sampleWords(*looked_, looked_->samples[static_cast<std::size_t>(chosen_)]);
  return count() == 0 ? QString() : tr("%1 to %2, drawn by seed %3").arg(tr("%n sample(s)", nullptr, count()), said(looked_->split)).arg(looked_->seed);
}

void SampleGrid::choose(int index) {
  chosen_ = index;
  setAccessibleDescription(words());
  update();
}

void SampleGrid::focusOutEvent(QFocusEvent* event) {
  choose(-1);
  QWidget::focusOutEvent(event);
}

void SampleGrid::keyPressEvent(QKeyEvent* event) {
  const int across = columns(width());
  const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Down ? across : event->key() == Qt::Key_Up ? -across : 0;
  if (step == 0 || count() == 0) return QWidget::keyPressEvent(event);
  if (chosen_ < 0) return choose(0);
  if (const int next = chosen_ + step; next >= 0 && next < count()) choose(next);
}

void SampleGrid::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setOpacity(stale_ ? 0.4 : 1);
  for (int i = 0; i < count(); ++i) paintSample(painter, i);
  painter.setOpacity(1);
  widgets::paintFoot(painter, this, widgets::scaled(kFoot), words(), chosen_ >= 0 ? widgets::Token::kText : widgets::Token::kTextMuted, Qt::AlignLeft | Qt::AlignVCenter);
}

void SampleGrid::paintSample(QPainter& painter, int index) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  const worker::LookedSample& sample = looked_->samples[static_cast<std::size_t>(index)];
  const QRect place = cell(index), square(place.topLeft(), QSize(place.width(), place.width()));
  const QImage& image = pictures_[static_cast<std::size_t>(index)];
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  if (image.isNull()) {
    painter.fillRect(square, theme.colour(widgets::Token::kSurfaceSunken));
    painter.setPen(theme.colour(sample.problem.empty() ? widgets::Token::kTextMuted : widgets::Token::kBad));
    QStringList sides;
    for (const std::int64_t side : sample.stored) sides << QString::number(side);
    const QString numbers = qtext(sample.numbers).split(", ").mid(0, kNumbers).join('\n');
    painter.drawText(square.adjusted(3, 2, -3, -2), numbers.isEmpty() ? Qt::AlignCenter | Qt::TextWordWrap : Qt::AlignLeft | Qt::AlignTop, !sample.problem.empty() ? tr("broken") : numbers.isEmpty() ? sides.join("x") : numbers);
  } else {
    const QSize size = image.size().scaled(square.size(), Qt::KeepAspectRatio);
    const QRect inside(square.left() + (square.width() - size.width()) / 2, square.top() + (square.height() - size.height()) / 2, size.width(), size.height());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, image.width() > size.width());  // small ones keep their pixels
    painter.drawImage(inside, image);
  }
  painter.setPen(QPen(theme.colour(index == chosen_ ? widgets::Token::kAccent : widgets::Token::kBorder), index == chosen_ ? 2 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(square.adjusted(0, 0, -1, -1));
  painter.setPen(theme.colour(widgets::Token::kTextMuted));
  const QRect caption(place.left(), square.bottom() + 2, place.width(), widgets::scaled(kCaption) - 2);
  const QString name = qtext(worker::targetOf(*looked_, sample));
  painter.drawText(caption, Qt::AlignHCenter | Qt::AlignTop, painter.fontMetrics().elidedText(name, Qt::ElideRight, caption.width()));
}

}  // namespace paceline::data
