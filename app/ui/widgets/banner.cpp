#include "app/ui/widgets/banner.h"

#include <algorithm>

#include <QEvent>
#include <QPointer>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::widgets {

namespace {

constexpr int kWidest = 760;

}  // namespace

Banner::Banner(Stay stay)
    : stay_(stay), icon_(new QLabel), text_(new BreakingLabel), action_(button("", "", [this] { act(); }, {.name = "act"})),
      more_(button(tr("More"), "", [this] { open_ = !open_, fit(); }, {.kind = "quiet", .name = "more"})), copy_(copyButton(tr("Copy"), [this] { return text_->fullText(); }, {.kind = "quiet"})) {
  setObjectName("banner");
  QToolButton* close = toolButton("close", tr("Dismiss"));
  setLayout(across({icon_, {text_, 1}, more_, action_, copy_, close}, {kGroupGap, 6, 12, 6}));
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(&Theme::instance(), &Theme::changed, this, &Banner::follow);
  hide();
}

void Banner::tell(Token token, const char* iconName, const QString& text, const QString& action, std::function<void()> act) {
  ++told_;
  token_ = token;
  iconName_ = iconName;
  act_ = std::move(act);
  text_->setFullText(asSentence(text));
  action_->setText(action);
  action_->setVisible(!action.isEmpty());
  copy_->setVisible(token == Token::kBad || token == Token::kWarn);
  open_ = false;
  follow();
  fit();
  setVisible(!text.isEmpty());
}

void Banner::act() {
  const auto act = act_;  // a copy: what it does may tell something else here
  const QPointer<Banner> here(this);
  const int told = told_;
  if (act) act();
  if (here && stay_ == kUntilFollowed && told_ == told) hide();
}

void Banner::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fit();
}

void Banner::fit() {
  const int two = text_->fontMetrics().size(0, "x\nx").height();  // a third line would show its upper edge
  const int beside = text_->width() - (more_->isHidden() ? more_->sizeHint().width() + kGap : 0);  // of the text, where there is the button
  const bool more = text_->heightForWidth(beside) > two;
  more_->setVisible(more);
  more_->setText(open_ ? tr("Less") : tr("More"));
  text_->setAlignment(Qt::AlignLeft | (more ? Qt::AlignTop : Qt::AlignVCenter));
  text_->setMaximumHeight(more && !open_ ? two : QWIDGETSIZE_MAX);
}

void Banner::follow() {
  icon_->setPixmap(iconPixmap(iconName_, Theme::instance().colour(token_), 18, devicePixelRatioF()));
  setStyleSheet(QString("QFrame#banner { background: %1; border: 1px solid %2; border-left: 3px solid %3; border-radius: 6px; }")
                    .arg(hex(Token::kSurfaceRaised), hex(Token::kBorder), hex(token_)));
}

Overlay::Overlay(QWidget* area, std::initializer_list<QWidget*> shown) : QWidget(area), column_(down({}, {}, kGap)) {
  for (QWidget* each : shown) {
    column_->addWidget(each);
    each->installEventFilter(this);  // where all are hidden this is hidden too, and its layout asks for nothing
  }
  setLayout(column_);
  area->installEventFilter(this);
  place();
}

// A message got other words.
bool Overlay::event(QEvent* event) {
  const bool done = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) place();
  return done;
}

bool Overlay::eventFilter(QObject* object, QEvent* event) {
  const bool area = object == parentWidget();
  if (auto* shown = qobject_cast<QWidget*>(object); event->type() == QEvent::ShowToParent && column_->indexOf(shown) > 0) column_->removeWidget(shown), column_->insertWidget(0, shown);
  if (area ? event->type() == QEvent::Resize : event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent) place();
  if (area && event->type() == QEvent::ChildAdded) raise();
  auto* column = qobject_cast<QScrollArea*>(object);
  if (column && (event->type() == QEvent::Show || event->type() == QEvent::Resize)) clear(column);
  return QWidget::eventFilter(object, event);
}

void Overlay::place() {
  const QSize area = parentWidget()->size();
  const int width = std::min(kWidest, area.width() - 2 * kGroupGap);
  const int height = layout()->isEmpty() ? 0 : layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : layout()->totalSizeHint().height();
  setGeometry((area.width() - width) / 2, area.height() - height - kGroupGap, width, height);
  setVisible(height > 0);
  layout()->activate();  // else it does not ask again
  raise();
  for (QScrollArea* column : parentWidget()->findChildren<QScrollArea*>()) {
    column->installEventFilter(this);
    clear(column);
  }
}

void Overlay::clear(QScrollArea* scroll) const {
  auto* column = dynamic_cast<ColumnScroll*>(scroll);
  if (!column || !column->isVisible()) return;  // comes again when it is shown
  const QRect place(column->mapTo(parentWidget(), QPoint()), column->size());
  const bool covered = isVisible() && geometry().intersects(place);
  column->keepFree(covered ? std::clamp(place.bottom() + 1 - geometry().top(), 0, place.height() / 2) : 0);
}

}  // namespace paceline::widgets
