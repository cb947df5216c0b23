// Small shared pieces of pages: labels by role, buttons, fields, empty states, banners, segments, tiles. GUI thread; Qt's parents own them.
#pragma once

#include <functional>
#include <vector>

#include <QAbstractButton>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/ui/widgets/icons.h"
#include "app/ui/widgets/theme.h"

namespace paceline::widgets {

QLabel* label(const QString& text, const char* role = "", QWidget* parent = nullptr);
QPushButton* button(const QString& text, const char* iconName = "", const char* kind = "");
QPushButton* primaryButton(const QString& text, const char* iconName = "");
QToolButton* toolButton(const char* iconName, const QString& words);  // words: tool tip and accessible name
QFrame* horizontalLine();
void styleCard(QFrame* frame);  // which has no layout yet: a QVBoxLayout of 16 px margins
QFrame* card();
QLineEdit* searchField(const QString& placeholder);

// Sets a dynamic property and lets the stylesheet see it.
void setLook(QWidget* widget, const char* property, const QVariant& value);
void emptyLayout(QLayout* layout);  // deletes the widgets in it

// Says what goes here and offers the action.
class EmptyState : public QWidget {
  Q_OBJECT
 public:
  EmptyState(const char* iconName, const QString& title, const QString& text, const QString& action = {}, QWidget* parent = nullptr);
  void setWords(const QString& title, const QString& text);
  void setActionVisible(bool visible);

 signals:
  void acted();

 private:
  void paintIcon();
  const char* iconName_;
  QLabel *icon_, *title_, *text_;
  QPushButton* action_;
};

// A strip across the window: what happened, where, the next step, with buttons. Hidden while it has nothing to say.
class Banner : public QFrame {
  Q_OBJECT
 public:
  explicit Banner(QWidget* parent = nullptr);
  void tell(Token token, const char* iconName, const QString& text, const QString& action = {}, std::function<void()> act = {});
  QString text() const;

 private:
  void follow();
  Token token_ = Token::kWarn;
  const char* iconName_ = "warning";
  QLabel *icon_, *text_;
  QPushButton *action_, *copy_;
  std::function<void()> act_;
};

// A few exclusive choices side by side.
class Segments : public QWidget {
  Q_OBJECT
 public:
  explicit Segments(const QStringList& words, QWidget* parent = nullptr);
  int current() const { return current_; }
  void setCurrent(int index);

 signals:
  void chosen(int index);

 private:
  std::vector<QPushButton*> buttons_;
  int current_ = 0;
};

// A number with its name above it.
class Tile : public QWidget {
  Q_OBJECT
 public:
  explicit Tile(const QString& name, QWidget* parent = nullptr);
  void setValue(const QString& value, const QString& detail = {});

 private:
  QLabel *value_, *detail_;
};

// Words of which long ones (paths, fingerprints) break anywhere. Its text is copied from the context menu, without the breaks.
class BreakingLabel : public QLabel {
  Q_OBJECT
 public:
  explicit BreakingLabel(const char* role = "", QWidget* parent = nullptr);
  void setFullText(const QString& text);
  const QString& fullText() const { return full_; }
  void copy() const;

 private:
  QString full_;
};

// One line that is cut in the middle when there is no room; its tool tip has all of it.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
  void setFullText(const QString& text);
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void elide();
  QString full_;
};

}  // namespace paceline::widgets
