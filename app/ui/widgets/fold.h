// What few people set, folded away behind a line "More" that says how much of it is set. GUI thread.
#pragma once

#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>

namespace paceline::widgets {

class Fold : public QWidget {
 public:
  Fold();
  QVBoxLayout* content() const { return column_; }
  const QWidget* inside() const { return inside_; }
  void setWords(const QString& behind);  // "2 set", after "More"; "": nothing
  void setOpen(bool open) { button_->setChecked(open); }
  bool isOpen() const { return button_->isChecked(); }
  QPushButton* button() const { return button_; }

 private:
  QPushButton* button_;
  QVBoxLayout* column_;
  QWidget* inside_;
};

void unfold(QWidget* widget);  // opens every fold that it lies in

}  // namespace paceline::widgets
