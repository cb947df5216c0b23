// Widgets side by side, in as many lines as the width asks for: no row of buttons decides how narrow a page may be. Owns its items. GUI thread.
#pragma once

#include <memory>
#include <vector>

#include <QLayout>

namespace paceline::widgets {

class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(std::initializer_list<QWidget*> widgets);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { items_.emplace_back(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  QSize sizeHint() const override;         // all in one line
  QSize minimumSize() const override;      // of the widest item
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool move) const;  // the height that it takes

  std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace paceline::widgets
