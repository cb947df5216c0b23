// Small shared pieces of pages: buttons, fields, empty states, segments, tiles. GUI thread; Qt's parents own them.
#pragma once

#include <functional>
#include <vector>

#include <QComboBox>
#include <QFrame>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/ui/widgets/labels.h"
#include "app/ui/widgets/tables.h"
#include "app/ui/widgets/theme.h"

namespace paceline::widgets {

struct ButtonLook {
  const char* kind = "";  // "primary", "quiet", "bad"
  const char* name = "";  // object name
  QString help = {};       // tool tip
};
QPushButton* button(const QString& text, const char* iconName, std::function<void()> clicked, const ButtonLook& look = {});
QPushButton* copyButton(const QString& text, std::function<QString()> what, const ButtonLook& look = {});  // to the clipboard
QToolButton* toolButton(const char* iconName, const QString& words);  // words: tool tip and accessible name
QFrame* horizontalLine();
void styleCard(QFrame* frame);  // which has no layout yet: a QVBoxLayout of 16 px margins
bool sure(QWidget* parent, const QString& title, const QString& words);  // asks before something is lost; the title is what the button says, too
QLineEdit* searchField(const QString& placeholder, const char* objectName, std::function<void(const QString&)> typed);  // Esc empties and leaves it
void makeSearchable(QComboBox* list, const QString& placeholder);  // by typing any part of an entry
void focusAll(QLineEdit* field);  // by a shortcut: typing replaces the text

// What stands in a line of a layout: a widget or a layout, each with its stretch and place, some px of nothing, or room that stretches.
struct Cell {
  Cell(QWidget* shown, int share = 0, Qt::Alignment at = {}) : widget(shown), stretch(share), place(at) {}
  Cell(QLayout* shown, int share = 0) : layout(shown), stretch(share) {}
  QWidget* widget = nullptr;
  QLayout* layout = nullptr;
  int stretch = 0, gap = 0;
  Qt::Alignment place{};
};
Cell gap(int px);
Cell room(int stretch = 1);
using Cells = std::initializer_list<Cell>;
void addAll(QBoxLayout* to, Cells cells);
QHBoxLayout* across(Cells cells, const QMargins& margins = {}, int spacing = kGap);
QVBoxLayout* down(Cells cells, const QMargins& margins = {}, int spacing = kGap);
QWidget* boxed(QLayout* layout);
QFrame* card(Cells cells);

struct Part {
  QWidget* widget;
  int size, stretch = 0;  // px at first; share of what is added
};
QSplitter* splitter(Qt::Orientation along, std::initializer_list<Part> parts);  // none of which can be folded away

// Along the lower edge of a painted widget: a line of `height` px with words, and the frame around it all while it has the keyboard.
void paintFoot(QPainter& painter, const QWidget* widget, int height, const QString& words, Token ink, Qt::Alignment alignment);

// Sets a dynamic property and lets the stylesheet see it.
void setLook(QWidget* widget, const char* property, const QVariant& value);
void emptyLayout(QLayout* layout);  // deletes the widgets in it

// Scrolls its widget up and down and is never narrower than it: nothing is cut at the right.
class ColumnScroll : public QScrollArea {
 public:
  explicit ColumnScroll(QWidget* parent = nullptr);
  QSize minimumSizeHint() const override;
  void keepFree(int bottom);  // px at its lower edge that something lies over: nothing is shown there, and what has the keyboard is above
  void letCover() { covered_ = true; }  // what ends there scrolls by itself: nothing is kept free, nothing moves

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  bool covered_ = false;
};

// The pane at the right of a page: a column that scrolls.
class ScrollPane : public QFrame {
 public:
  explicit ScrollPane(int minimumWidth);
  QSize minimumSizeHint() const override { return QFrame::minimumSizeHint().expandedTo({least_, 0}); }

 protected:
  QWidget* inside_;
  QVBoxLayout *column_, *outer_;  // the scrolled part; with the fixed part below it
  void toTop();

 private:
  ColumnScroll* scroll_ = new ColumnScroll;
  int least_;
};

// In place of an empty list: its purpose and the action that fills it.
class EmptyState : public QWidget {
 public:
  EmptyState(const char* iconName, const QString& title, const QString& text, const QString& action = {}, std::function<void()> acted = {});
  void setWords(const QString& title, const QString& text);
  void setActionVisible(bool visible) { action_->setVisible(visible); }

 private:
  QLabel *title_, *text_;
  QPushButton* action_;
};

// Names at the left, values that can be selected at the right.
class FactGrid : public QGridLayout {
 public:
  explicit FactGrid(int nameWidth = 0);
  void add(const QString& name, const QString& value, bool mono = false);  // no line for an empty value
};

// A few exclusive choices side by side.
class Segments : public QWidget {
  Q_OBJECT
 public:
  explicit Segments(const QStringList& words);
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
 public:
  explicit Tile(const QString& name);
  void setValue(const QString& value, const QString& detail = {});

 private:
  QLabel *value_ = label("—", "value"), *detail_ = label("", "caption");
};

}  // namespace paceline::widgets
