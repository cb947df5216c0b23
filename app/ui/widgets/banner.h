// What the window tells above its pages, at their lower edge: nothing on a page moves when a message comes or goes. GUI thread; Qt's parents own them.
#pragma once

#include <functional>

#include <QFrame>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/ui/widgets/labels.h"
#include "app/ui/widgets/theme.h"

namespace paceline::widgets {

// One message: event, place, next step, with buttons. A sentence whatever it is made of (asSentence). Two lines of it, the others on demand. Hidden while there is none.
class Banner : public QFrame {
 public:
  enum Stay { kUntilFollowed, kWhileItHolds };  // once its button was pressed: it goes unless that told something else; or only whoever told it knows when it is over
  explicit Banner(Stay stay = kUntilFollowed);
  void tell(Token token, const char* iconName, const QString& text, const QString& action = {}, std::function<void()> act = {});
  QString text() const { return isHidden() ? QString() : text_->fullText(); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void act();
  void follow();
  void fit();
  const Stay stay_;
  int told_ = 0;       // messages so far
  bool open_ = false;  // all lines are shown
  Token token_ = Token::kWarn;
  const char* iconName_ = "warning";
  QLabel* icon_;
  BreakingLabel* text_;
  QPushButton *action_, *more_, *copy_;
  std::function<void()> act_;
};

// Lies over `area`, its child, as high as what it shows; follows the area's size. What comes newly stands above what is there: a button under the pointer stays there.
// Columns that scroll below it keep their lower edge free for it.
class Overlay : public QWidget {
 public:
  Overlay(QWidget* area, std::initializer_list<QWidget*> shown);  // from top to bottom, where they come together

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void place();
  void clear(QScrollArea* column) const;
  QVBoxLayout* column_;
};

}  // namespace paceline::widgets
