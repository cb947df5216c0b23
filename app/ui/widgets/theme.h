// The look as values: colour tokens, type sizes, spacing. GUI thread only; the one instance lives as long as the application.
// Widgets ask for tokens and never hold a literal colour. Nothing here fails.
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPixmap>
#include <QString>

namespace paceline::widgets {

enum class Token {
  kSurface,        // behind everything
  kSurfaceSunken,  // the rail, table headers
  kSurfaceRaised,  // cards, tables, fields
  kBorder,
  kText,
  kTextMuted,
  kAccent,
  kAccentText,  // on accent
  kAccentSoft,  // selection, hover of the rail
  kOk,
  kWarn,
  kBad,
  kStale,
  kGrid,        // of charts
  kCount
};

enum class TextRole { kCaption, kBody, kSection, kPage, kMono, kMonoCaption };
enum class ThemeMode { kSystem, kLight, kDark };

// 4 px grid.
constexpr int kGap = 8;        // between related things
constexpr int kGroupGap = 16;  // between groups
constexpr int kPageMargin = 24;
constexpr int kControlHeight = 28;
constexpr int kRowHeight = 26;

inline constexpr double kTextSizes[] = {0.9, 1.0, 1.15, 1.3};  // Small, Normal, Large, Larger

int scaled(int px);  // as much more as text is larger than normal; never less

class Theme : public QObject {
  Q_OBJECT
 public:
  static Theme& instance();

  void setMode(ThemeMode mode);
  ThemeMode mode() const { return mode_; }
  bool dark() const { return dark_; }
  void setScale(double scale);  // of all text, 0.8 to 1.6
  double scale() const { return scale_; }

  QColor colour(Token token) const { return value(token, dark_); }
  static QColor value(Token token, bool dark);
  static const char* tokenName(Token token);
  QFont font(TextRole role) const;
  static QString uiFamily();    // the system's, else Inter, Noto Sans, DejaVu Sans
  static QString monoFamily();

  void apply();  // palette, font and stylesheet of the application

 signals:
  void changed();
  void modeChanged(int mode);

 private:
  Theme();
  void systemChanged(bool dark);
  QString styleSheet() const;

  ThemeMode mode_ = ThemeMode::kSystem;
  bool systemDark_ = false, dark_ = false;
  double scale_ = 1.0;
};

// WCAG 2 contrast ratio, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);

QColor mixed(const QColor& a, const QColor& b, double share);  // of b, 0 to 1

// "#rrggbb" of a token as the theme is now, for rich text.
QString hex(Token token);

// The outline icons of resources/icons, painted in a token's colour of the moment: a theme switch needs no new icons. GUI thread.
QIcon icon(const char* name, Token token = Token::kText);
QPixmap iconPixmap(const char* name, const QColor& colour, int size, double ratio);
QIcon programIcon();

}  // namespace paceline::widgets
