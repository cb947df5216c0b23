// What every page is: a title row with its one primary action at the right, a filter row where it lists things, the content. GUI thread.
#pragma once

#include <vector>

#include <QHBoxLayout>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>
#include <QWidget>

namespace paceline::widgets {

class Page : public QWidget {
  Q_OBJECT
 public:
  explicit Page(const QString& title, QWidget* parent = nullptr);

  virtual void find() {}      // Ctrl+F
  virtual void primary() {}   // Ctrl+Return
  virtual void entered() {}   // became the visible page

 signals:
  void failed(const QString& sentence);

 protected:
  QHBoxLayout* titleRow() { return titleRow_; }  // after the title and a stretch
  QVBoxLayout* body() { return body_; }          // below the title, no side margins
  QLabel* title() { return title_; }
  QHBoxLayout* addRow();                         // a filter row with page margins

 private:
  QHBoxLayout* titleRow_;
  QVBoxLayout* body_;
  QLabel* title_;
};

// Rows of 26 px, no grid, whole rows selected, header like a caption.
void styleTable(QTableView* table);
void setWidths(QTableView* table, const std::vector<int>& widths);  // at least as wide as the header needs

}  // namespace paceline::widgets
