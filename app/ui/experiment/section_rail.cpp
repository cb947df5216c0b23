#include "app/ui/experiment/section_rail.h"

#include <QKeyEvent>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::experiment {
namespace {

constexpr int kWide = 116;  // px at normal text

}  // namespace

SectionRail::SectionRail(const QStringList& names) : names_(names), line_(new QBoxLayout(QBoxLayout::TopToBottom)) {
  setObjectName("sectionRail");
  line_->setSpacing(2);
  for (int i = 0; i < names.size(); ++i) {
    QPushButton* each = widgets::button(names[i], "", [this, i] { emit chosen(i); }, {.kind = "section"});
    each->setObjectName("section:" + names[i]);
    each->setCheckable(true);
    each->installEventFilter(this);
    group_.addButton(each, i);
    line_->addWidget(each);
    setState(i, 0, 0);
  }
  line_->addStretch(1);
  setLayout(line_);
  setAlong(Qt::Vertical);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { setAlong(line_->direction() == QBoxLayout::TopToBottom ? Qt::Vertical : Qt::Horizontal); });
}

void SectionRail::setState(int section, int errors, int warnings) {
  QAbstractButton* button = group_.button(section);
  const int many = errors > 0 ? errors : warnings;
  const QString state = errors > 0 ? tr("%n error(s)", nullptr, errors) : warnings > 0 ? tr("%n warning(s)", nullptr, warnings) : tr("no findings");
  button->setIcon(errors > 0 ? widgets::icon("failed", widgets::Token::kBad) : warnings > 0 ? widgets::icon("warning", widgets::Token::kWarn) : widgets::icon("finished", widgets::Token::kTextMuted));
  button->setText(many > 0 ? QString("%1  %2").arg(names_[section]).arg(many) : names_[section]);
  button->setAccessibleName(QString("%1: %2").arg(names_[section], state));
  button->setToolTip(button->accessibleName());
}

void SectionRail::setShown(int section, bool shown) { group_.button(section)->setVisible(shown); }

void SectionRail::setCurrent(int section) { group_.button(section)->setChecked(true); }

void SectionRail::setAlong(Qt::Orientation along) {
  const bool beside = along == Qt::Vertical;
  line_->setDirection(beside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  line_->setContentsMargins(beside ? QMargins(widgets::kGap, widgets::kGroupGap, 0, widgets::kGroupGap) : QMargins(widgets::kPageMargin, widgets::kGap, widgets::kPageMargin, 0));
  setMinimumWidth(beside ? wide() : 0);
  setMaximumWidth(beside ? wide() : QWIDGETSIZE_MAX);
}

int SectionRail::wide() const { return widgets::scaled(kWide) + widgets::kGap; }

bool SectionRail::eventFilter(QObject* object, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(object, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key != Qt::Key_Return && key != Qt::Key_Enter) return QWidget::eventFilter(object, event);
  emit entered(group_.id(qobject_cast<QAbstractButton*>(object)));
  return true;
}

}  // namespace paceline::experiment
