// The left rail: one entry a page, icon and label, collapsible to icons. GUI thread.
#pragma once

#include <vector>

#include <QAbstractButton>
#include <QLabel>
#include <QWidget>

namespace paceline::widgets {

class RailButton : public QAbstractButton {
  Q_OBJECT
 public:
  RailButton(const char* iconName, const QString& text, const QString& shortcut, QWidget* parent = nullptr);
  void setCompact(bool compact);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  const char* iconName_;
  bool compact_ = false, hover_ = false, ring_ = false;  // ring: focus that came by keyboard
};

class Rail : public QWidget {
  Q_OBJECT
 public:
  explicit Rail(QWidget* parent = nullptr);
  void setCurrent(int page);
  void setCompact(bool compact);
  bool compact() const { return compact_; }
  void setStatus(const QString& words);  // runs in progress, at the bottom

 signals:
  void chosen(int page);

 private:
  std::vector<RailButton*> buttons_;
  QWidget* brand_;
  QLabel *mark_, *name_, *status_;
  RailButton* fold_;
  bool compact_ = false;
};

}  // namespace paceline::widgets
