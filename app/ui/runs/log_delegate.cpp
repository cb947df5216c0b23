#include "app/ui/runs/log_delegate.h"

#include <QPainter>

#include "app/models/runs/log_model.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {

void LogDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  painter->save();
  if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, theme.colour(widgets::Token::kAccentSoft));
  const QFont font = theme.font(widgets::TextRole::kMonoCaption);
  const QString level = index.data(LogModel::kLevelRole).toString(), text = index.data().toString();
  const bool message = index.column() == LogModel::kText;
  if (message && level != "info") {
    const double ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    widgets::paintMarked(painter, option.rect, widgets::levelMark(level), text, font, ratio);
  } else {
    painter->setFont(font);
    painter->setPen(theme.colour(message ? widgets::Token::kText : widgets::Token::kTextMuted));
    const QRect rect = option.rect.adjusted(index.column() == LogModel::kTime ? 24 : 8, 0, -4, 0);
    painter->drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, painter->fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
  }
  painter->restore();
}

}  // namespace paceline::runs
