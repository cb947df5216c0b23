#include "app/ui/widgets/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace paceline::widgets {
namespace {

QByteArray outline(const QString& name, const QColor& colour) {
  QFile file(":/paceline/icons/" + name + ".svg");
  if (!file.open(QIODevice::ReadOnly)) return {};
  return file.readAll().replace("#000000", colour.name().toLatin1());
}

class TokenIcon : public QIconEngine {
 public:
  TokenIcon(QString name, Token token) : name_(std::move(name)), token_(token) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const double ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    const int size = std::min(rect.width(), rect.height());  // at the left: a wider icon size is room before the text
    painter->drawPixmap(QRect(rect.left(), rect.top() + (rect.height() - size) / 2, size, size), iconPixmap(name_.toLatin1(), colour(mode), size, ratio));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
    return scaledPixmap(size, mode, QIcon::Off, 1.0);
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
    QPixmap made(size);
    made.setDevicePixelRatio(scale);
    made.fill(Qt::transparent);
    QPainter painter(&made);
    paint(&painter, QRect(QPoint(), (QSizeF(size) / scale).toSize()), mode, state);
    return made;
  }
  QIconEngine* clone() const override { return new TokenIcon(*this); }

 private:
  QColor colour(QIcon::Mode mode) const { return Theme::instance().colour(mode == QIcon::Disabled ? Token::kTextMuted : token_); }

  QString name_;
  Token token_;
};

}  // namespace

QIcon icon(const char* name, Token token) { return QIcon(new TokenIcon(name, token)); }

QPixmap iconPixmap(const char* name, const QColor& colour, int size, double ratio) {
  const QString key = QString("paceline/%1/%2/%3/%4").arg(name, colour.name()).arg(size).arg(ratio);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  pixmap = QPixmap(QSize(size, size) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  QSvgRenderer(outline(name, colour)).render(&painter, QRectF(0, 0, size, size));
  painter.end();
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

QIcon programIcon() { return QIcon(":/paceline/icons/paceline.svg"); }

}  // namespace paceline::widgets
