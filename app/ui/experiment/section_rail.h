// Beside the form, or above it where the room is narrow: its sections, each with its state. Arrows go through them, Return goes into one.
// GUI thread.
#pragma once

#include <vector>

#include <QBoxLayout>
#include <QButtonGroup>
#include <QPushButton>
#include <QWidget>

namespace paceline::experiment {

class SectionRail : public QWidget {
  Q_OBJECT
 public:
  explicit SectionRail(const QStringList& names);
  const QString& name(int section) const { return names_[section]; }
  void setState(int section, int errors, int warnings);
  void setShown(int section, bool shown);
  void setCurrent(int section);
  int current() const { return group_.checkedId(); }
  void setAlong(Qt::Orientation along);
  int wide() const;  // px that it takes beside the form

 signals:
  void chosen(int section);
  void entered(int section);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  QStringList names_;
  QButtonGroup group_;
  QBoxLayout* line_;
};

}  // namespace paceline::experiment
