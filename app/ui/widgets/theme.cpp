#include "app/ui/widgets/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleFactory>
#include <QSvgRenderer>

#include "app/ui/widgets/system_scheme.h"

static void initResources() { Q_INIT_RESOURCE(workbench); }  // of a static library; not inside a namespace

namespace paceline::widgets {

namespace {

struct TokenValue {
  const char* name;
  QRgb light, dark;
};

constexpr std::array<TokenValue, static_cast<std::size_t>(Token::kCount)> kTokens{{
    {"surface", 0xf4f6f8, 0x15181c},
    {"surfaceSunken", 0xe9edf1, 0x101317},
    {"surfaceRaised", 0xffffff, 0x1c2026},
    {"border", 0xd6dce2, 0x2f363e},
    {"text", 0x171b20, 0xe7eaee},
    {"textMuted", 0x565f6a, 0x9ba5b1},
    {"accent", 0x0a63c2, 0x6cb3ff},
    {"accentText", 0xffffff, 0x08131f},
    {"accentSoft", 0xdfebf9, 0x1d3146},
    {"ok", 0x17753d, 0x5ecb8c},
    {"warn", 0x8a5300, 0xe5b052},
    {"bad", 0xb92525, 0xff8a85},
    {"stale", 0x6a4fa3, 0xbca7ea},
    {"grid", 0xe6eaee, 0x2a3037},
}};

const TokenValue& entry(Token token) { return kTokens[static_cast<std::size_t>(token)]; }

QString firstInstalled(const QStringList& families, const QString& otherwise) {
  const QStringList installed = QFontDatabase::families();
  for (const QString& family : families)
    if (installed.contains(family)) return family;
  return otherwise;
}

double linear(double channel) { return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4); }

double luminance(const QColor& c) { return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF()); }

constexpr int kPixelSizes[] = {11, 13, 15, 20, 13, 11};  // by TextRole

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

Theme& Theme::instance() {
  static Theme theme;
  return theme;
}

Theme::Theme() {
  initResources();
  auto* scheme = new SystemScheme(this);
  systemDark_ = scheme->dark();
  dark_ = systemDark_;
  connect(scheme, &SystemScheme::changed, this, &Theme::systemChanged);
}

void Theme::setMode(ThemeMode mode) {
  if (std::exchange(mode_, mode) != mode) emit modeChanged(static_cast<int>(mode));
  const bool dark = mode == ThemeMode::kSystem ? systemDark_ : mode == ThemeMode::kDark;
  if (dark == dark_) return;
  dark_ = dark;
  apply();
}

void Theme::systemChanged(bool dark) {
  systemDark_ = dark;
  setMode(mode_);
}

void Theme::setScale(double scale) {
  if (std::abs(scale - scale_) < 1e-6) return;
  scale_ = std::clamp(scale, 0.8, 1.6);
  apply();
}

int scaled(int px) { return static_cast<int>(std::lround(px * std::max(1.0, Theme::instance().scale()))); }

QColor Theme::value(Token token, bool dark) { return QColor::fromRgb(dark ? entry(token).dark : entry(token).light); }
const char* Theme::tokenName(Token token) { return entry(token).name; }

QString Theme::uiFamily() {
  static const QString family = [] {
    const QString system = QFontInfo(QFontDatabase::systemFont(QFontDatabase::GeneralFont)).family();
    const bool chosen = !system.isEmpty() && !system.startsWith("DejaVu") && system != "Sans Serif";
    return chosen ? system : firstInstalled({"Inter", "Noto Sans", "DejaVu Sans"}, system);
  }();
  return family;
}

QString Theme::monoFamily() {
  static const QString family = firstInstalled({"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono"},
                                               QFontInfo(QFontDatabase::systemFont(QFontDatabase::FixedFont)).family());
  return family;
}

QFont Theme::font(TextRole role) const {
  const bool mono = role == TextRole::kMono || role == TextRole::kMonoCaption;
  QFont font(mono ? monoFamily() : uiFamily());
  // DejaVu is a tenth wider and taller than the fonts these sizes were chosen for.
  const double family = font.family().startsWith("DejaVu") ? 0.92 : 1.0;
  font.setPixelSize(static_cast<int>(std::lround(kPixelSizes[static_cast<int>(role)] * scale_ * family + (role == TextRole::kCaption ? 0.4 : 0.0))));
  if (role == TextRole::kSection || role == TextRole::kPage) font.setWeight(QFont::DemiBold);
  return font;
}

QString Theme::styleSheet() const {
  QFile file(":/paceline/ui/workbench.qss");
  if (!file.open(QIODevice::ReadOnly)) return {};
  QString sheet = QString::fromUtf8(file.readAll());
  const auto replace = [&sheet](const QString& name, const QString& value) { sheet.replace("@" + name + ";", value + ";"); };
  for (std::size_t i = 0; i < kTokens.size(); ++i) {
    const auto token = static_cast<Token>(i);
    sheet.replace(QString("{%1}").arg(tokenName(token)), colour(token).name());
  }
  const auto pixels = [this](TextRole role) { return QString("%1px").arg(font(role).pixelSize()); };
  replace("caption", pixels(TextRole::kCaption));
  replace("body", pixels(TextRole::kBody));
  replace("section", pixels(TextRole::kSection));
  replace("page", pixels(TextRole::kPage));
  replace("mono", "'" + monoFamily() + "'");
  sheet.replace("@scheme", dark_ ? "dark" : "light");
  static const QRegularExpression kScaled("@(\\d+)px");  // heights of what holds text
  for (QRegularExpressionMatch match; (match = kScaled.match(sheet)).hasMatch();)
    sheet.replace(match.capturedStart(), match.capturedLength(), QString("%1px").arg(scaled(match.captured(1).toInt())));
  return sheet;
}

void Theme::apply() {
  QPalette palette;
  constexpr std::pair<QPalette::ColorRole, Token> kRoles[] = {
      {QPalette::Window, Token::kSurface}, {QPalette::WindowText, Token::kText}, {QPalette::Base, Token::kSurfaceRaised},
      {QPalette::AlternateBase, Token::kSurface}, {QPalette::Text, Token::kText}, {QPalette::Button, Token::kSurfaceRaised},
      {QPalette::ButtonText, Token::kText}, {QPalette::ToolTipBase, Token::kSurfaceRaised}, {QPalette::ToolTipText, Token::kText},
      {QPalette::Highlight, Token::kAccent}, {QPalette::HighlightedText, Token::kAccentText}, {QPalette::PlaceholderText, Token::kTextMuted},
      {QPalette::Link, Token::kAccent}, {QPalette::Mid, Token::kBorder}};
  for (const auto& [role, token] : kRoles) palette.setColor(role, colour(token));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, colour(Token::kTextMuted));
  if (QApplication::style()->name() != "fusion") QApplication::setStyle(QStyleFactory::create("Fusion"));
  QApplication::setPalette(palette);
  QApplication::setFont(font(TextRole::kBody));
  qApp->setStyleSheet(styleSheet());
  emit changed();
}

double contrastRatio(const QColor& a, const QColor& b) {
  const double high = std::max(luminance(a), luminance(b)), low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

QColor mixed(const QColor& a, const QColor& b, double share) {
  const auto mix = [share](int x, int y) { return static_cast<int>(x + (y - x) * share + 0.5); };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

QString hex(Token token) { return Theme::instance().colour(token).name(); }

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
