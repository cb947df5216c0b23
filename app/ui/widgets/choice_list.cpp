#include "app/ui/widgets/choice_list.h"

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QListView>

namespace paceline::widgets {
namespace {

constexpr int kLeastLetters = 10;
constexpr qint64 kPauseMs = 1500;  // then another word begins

QStringList namesOf(const QModelIndex& entry) {
  const QString text = entry.data(Qt::DisplayRole).toString();
  return QStringList{text, entry.data(Qt::UserRole).toString()} + text.split(kTitleAndId);
}

template <class Fits>
int firstEntry(const QAbstractItemModel& entries, Fits fits) {
  for (int row = 0; row < entries.rowCount(); ++row)
    for (const QString& name : namesOf(entries.index(row, 0)))
      if (fits(name)) return row;
  return -1;
}

int called(const QAbstractItemModel& entries, const QString& name) {
  return firstEntry(entries, [&name](const QString& each) { return each.compare(name, Qt::CaseInsensitive) == 0; });
}

class EntryView : public QListView {
 public:
  void keyboardSearch(const QString& typed) override {
    if (typed.isEmpty() || !since_.isValid() || since_.elapsed() > kPauseMs) word_.clear();
    word_ += typed;
    since_.start();
    int row = called(*model(), word_);
    if (row < 0) row = firstEntry(*model(), [this](const QString& each) { return each.startsWith(word_, Qt::CaseInsensitive); });
    if (row < 0) row = firstEntry(*model(), [this](const QString& each) { return each.contains(word_, Qt::CaseInsensitive); });
    if (row >= 0 && !word_.isEmpty()) setCurrentIndex(model()->index(row, 0));
  }

 private:
  QString word_;
  QElapsedTimer since_;
};

}  // namespace

ChoiceList::ChoiceList(QWidget* parent) : QComboBox(parent) {
  setView(new EntryView);
  setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);  // as wide as its place, not as its longest entry: pages fit a small window
  setMinimumContentsLength(kLeastLetters);
}

void ChoiceList::keyPressEvent(QKeyEvent* event) {
  const bool command = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
  const QString text = event->text();
  if (isEditable() || command || text.isEmpty() || !text[0].isPrint() || text[0].isSpace()) return QComboBox::keyPressEvent(event);
  showPopup();
  view()->keyboardSearch(text);
}

int entryCalled(const QComboBox& list, const QString& name) { return called(*list.model(), name.trimmed()); }

}  // namespace paceline::widgets
