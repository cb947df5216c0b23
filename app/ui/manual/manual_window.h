// F1: the manual beside the work, with its contents, a search, and back and forward. A window of its own, which stays while one works. GUI thread.
#pragma once

#include <vector>

#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QWidget>

#include "app/ui/manual/manual_book.h"

namespace paceline::manual {

class ManualWindow : public QWidget {
  Q_OBJECT
 public:
  explicit ManualWindow(QWidget* window);

  void open(const Place& place);
  void search(const QString& words);
  const Place& place() const { return place_; }
  const Book& book() const { return book_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void fill();                     // the list of contents
  void display(const Place& place);  // without a step of history
  void goTo(const QString& anchor);
  void follow(const QUrl& link);
  void step(int by);
  void followSearch();

  Book book_;
  Place place_;
  std::vector<Place> history_;
  int at_ = -1;                    // in it
  QString shown_;                  // file whose text is there
  QLineEdit* typed_;
  QTreeWidget* contents_ = new QTreeWidget;
  QListWidget* hits_ = new QListWidget;
  QTextBrowser* text_ = new QTextBrowser;
  QToolButton *back_, *forward_;
};

}  // namespace paceline::manual
