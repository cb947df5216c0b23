// The frame around the content: the page with its title row, and the rail that leads to the pages. GUI thread.
#pragma once

#include <vector>

#include <QHBoxLayout>
#include <QLabel>

namespace paceline::widgets {

// A title row with its one primary action at the right, a filter row where it lists things, the content.
class Page : public QWidget {
  Q_OBJECT
 public:
  explicit Page(const QString& title);

  virtual void find() {}      // Ctrl+F
  virtual void primary() {}   // Ctrl+Return
  virtual void entered() {}   // became the visible page

 signals:
  void failed(const QString& sentence);
  void told(const QString& sentence);  // a file was written

 protected:
  QHBoxLayout* addRow();  // a filter row with page margins

  QHBoxLayout* titleRow_;  // after the title and a stretch
  QVBoxLayout* body_;      // below the title, no side margins
  QLabel* title_;
};

class RailButton;

// At the left: one entry a page, icon and label; icons alone where a person wants that or the content needs the room.
class Rail : public QWidget {
  Q_OBJECT
 public:
  Rail();
  void setCurrent(int page);
  void setCompact(bool compact);
  bool compact() const { return compact_; }  // wanted so
  void setRoom(int px);                      // that the content leaves
  void setStatus(const QString& words);  // runs in progress, at the bottom

 signals:
  void chosen(int page);

 private:
  std::vector<RailButton*> buttons_;
  QLabel *name_, *status_;
  void fold();

  RailButton* fold_;
  bool compact_ = false;
  int room_ = QWIDGETSIZE_MAX;
};

QWidget* beside(Rail* rail, QWidget* content);  // the window's two parts: no narrower than the rail's icons and the content

}  // namespace paceline::widgets
