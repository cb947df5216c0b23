#include "app/ui/widgets/labels.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>

#include "app/models/words.h"

namespace paceline::widgets {
namespace {

constexpr int kLongestWord = 18;
constexpr QChar kSeam(0x200b);  // a space of no width

}  // namespace

QLabel* label(const QString& text, const char* role, QWidget* parent) {
  auto* made = new QLabel(text, parent);
  made->setProperty("role", role);
  return made;
}

QLabel* problemLine() {
  QLabel* made = wrapped(label("", "finding"));
  made->hide();
  return made;
}

void tell(QLabel* line, const QString& words) {
  line->setText(asSentence(words));
  line->setVisible(!words.isEmpty());
}

QLabel* wrapped(QLabel* label) {
  label->setWordWrap(true);
  return label;
}

QLabel* selectable(QLabel* label) {
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

BreakingLabel::BreakingLabel(const char* role) {
  setProperty("role", role);
  setWordWrap(true);
  setTextFormat(Qt::PlainText);
  selectable(this);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(addAction(tr("Copy")), &QAction::triggered, this, &BreakingLabel::copy);
}

void BreakingLabel::setFullText(const QString& text) {
  if (text == full_) return;
  full_ = text;
  QStringList words = text.split(' ');
  for (QString& word : words) {
    if (word.size() <= kLongestWord) continue;
    QString broken;
    for (const QChar c : word) broken += c, broken += kSeam;
    word = broken;
  }
  setText(words.join(' '));
  setAccessibleName(text);
}

void BreakingLabel::copy() const { QApplication::clipboard()->setText(hasSelectedText() ? selectedWords() : full_); }

QString BreakingLabel::selectedWords() const { return selectedText().remove(kSeam); }

void BreakingLabel::keyPressEvent(QKeyEvent* event) {
  hasSelectedText() && event->matches(QKeySequence::Copy) ? copy() : QLabel::keyPressEvent(event);
}

void BreakingLabel::mousePressEvent(QMouseEvent* event) {
  const bool twice = event->type() == QEvent::MouseButtonDblClick;
  if (!twice && event->button() == Qt::LeftButton && !event->modifiers().testFlag(Qt::ShiftModifier)) setSelection(0, 0);  // dragged away it would have the breaks
  QLabel::mousePressEvent(event);
  if (twice) selectLongWord();
}

void BreakingLabel::mouseReleaseEvent(QMouseEvent* event) {
  QLabel::mouseReleaseEvent(event);
  if (hasSelectedText() && QApplication::clipboard()->supportsSelection()) QApplication::clipboard()->setText(selectedWords(), QClipboard::Selection);
}

// Each of its letters is a word to Qt.
void BreakingLabel::selectLongWord() {
  const QString all = text();
  qsizetype from = selectionStart(), to = from + selectedText().size();
  if (from < 0 || !all.mid(from, to - from + 1).contains(kSeam)) return;
  while (from > 0 && !all[from - 1].isSpace()) --from;
  while (to < all.size() && !all[to].isSpace()) ++to;
  setSelection(static_cast<int>(from), static_cast<int>(to - from));
}

ElidedLabel::ElidedLabel(const char* role, const QString& text) {
  setProperty("role", role);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setFullText(text);
}

void ElidedLabel::setFullText(const QString& text) {
  full_ = text;
  elide();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  elide();
}

void ElidedLabel::elide() {
  const QString cut = fontMetrics().elidedText(full_, Qt::ElideRight, std::max(20, width()));
  if (cut != text()) setText(cut);
  setToolTip(cut == full_ ? QString() : full_);
}

}  // namespace paceline::widgets
