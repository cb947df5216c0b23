#include "app/ui/widgets/state_mark.h"

#include <QApplication>
#include <QPainter>
#include <QStyledItemDelegate>

#include "app/models/runs/run_log.h"
#include "app/models/runs/run_rows.h"
#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::widgets {

void paintCell(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  QStyleOptionViewItem blank = option;
  blank.text.clear();
  blank.icon = {};
  blank.index = index;
  const QWidget* widget = option.widget;
  (widget ? widget->style() : QApplication::style())->drawControl(QStyle::CE_ItemViewItem, &blank, painter, widget);
}

namespace {

constexpr int kPad = 8, kIcon = 16, kIconGap = 6, kEnd = 4, kLogPad = 24;
constexpr int kBesideMarked = kPad + kIcon + kIconGap + kEnd;

StateMark nodeStateMark(const QString& word) {
  if (word == "failed") return {"failed", Token::kBad};
  if (word == "finished") return {"finished", Token::kOk};
  if (word == "not known" || word == "silent") return {"stale", Token::kStale};
  if (word == "stopped" || word == "ended") return {"stopped", Token::kTextMuted};
  if (word == "training" || word == "evaluating" || word == "serving") return {"running", Token::kAccent};
  return {"waiting", Token::kTextMuted};
}

StateMark levelMark(const QString& level) {
  if (level == "error") return {"failed", Token::kBad};
  if (level == "warn" || level == "warning") return {"warning", Token::kWarn};
  return {"info", Token::kTextMuted};
}

class PaintedCells : public QStyledItemDelegate {
 public:
  PaintedCells(Paint paint, QObject* parent, int beside, TextRole font) : QStyledItemDelegate(parent), paint_(std::move(paint)), beside_(beside), font_(font) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QFontMetrics metrics(Theme::instance().font(font_));
    return {metrics.horizontalAdvance(index.data().toString()) + beside_, QStyledItemDelegate::sizeHint(option, index).height()};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    paint_(painter, option, index);
    painter->restore();
  }

 private:
  Paint paint_;
  int beside_;
  TextRole font_;
};

class NumberCells : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant number = index.data(runs::RunRows::kShortRole);
    if (number.isValid() && option->rect.isValid() && option->fontMetrics.horizontalAdvance(option->text) + 2 * kPad > option->rect.width()) option->text = number.toString();
  }
};

void paintMarked(QPainter* painter, const QRect& rect, const StateMark& mark, const QString& word, const QFont& font) {
  const QColor colour = Theme::instance().colour(mark.token);
  const QRect at(rect.left() + kPad, rect.center().y() - kIcon / 2 + 1, kIcon, kIcon);
  painter->drawPixmap(at, iconPixmap(mark.icon, colour, kIcon, painter->device() ? painter->device()->devicePixelRatioF() : 1.0));
  painter->setPen(colour);
  painter->setFont(font);
  const QRect text = rect.adjusted(kPad + kIcon + kIconGap, 0, -kEnd, -1);
  painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft, painter->fontMetrics().elidedText(word, Qt::ElideRight, text.width()));
}

// A triangle that points at what it unfolds.
void paintFold(QPainter* painter, const QRect& rect, bool folded) {
  const qreal side = scaled(4);
  const QPointF at(rect.left() + kPad + side, rect.center().y() + 0.5);
  const QPolygonF shape = folded ? QPolygonF{{at.x() - side / 2, at.y() - side}, {at.x() + side, at.y()}, {at.x() - side / 2, at.y() + side}}
                                 : QPolygonF{{at.x() - side, at.y() - side / 2}, {at.x() + side, at.y() - side / 2}, {at.x(), at.y() + side}};
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(Theme::instance().colour(Token::kTextMuted));
  painter->drawPolygon(shape);
}

void paintRunName(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  paintCell(painter, option, index);
  const Theme& theme = Theme::instance();
  const auto kind = static_cast<runs::RunRows::Kind>(index.data(runs::RunRows::kKindRole).toInt());
  if (kind == runs::RunRows::Kind::kSuite) paintFold(painter, option.rect, index.data(runs::RunRows::kFoldedRole).toBool());
  const int in = kind == runs::RunRows::Kind::kRun ? 0 : kind == runs::RunRows::Kind::kSuite ? foldWidth() - kPad : foldWidth();
  painter->setPen(theme.colour(Token::kText));
  painter->setFont(option.font);
  const QRect rect = option.rect.adjusted(kPad + in, 0, -kPad, -1);
  const QString name = painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, rect.width());  // ends of names differ
  painter->drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, name);
  int x = rect.left() + painter->fontMetrics().horizontalAdvance(name) + kPad;
  painter->setFont(theme.font(TextRole::kCaption));
  painter->setRenderHint(QPainter::Antialiasing);
  for (const QString& tag : index.data(runs::RunsModel::kTagsRole).toStringList()) {
    const int width = painter->fontMetrics().horizontalAdvance(tag) + 2 * 6, height = painter->fontMetrics().height() + 2;
    if (x + width > rect.right()) break;
    const QRect chip(x, rect.center().y() - height / 2 + 1, width, height);
    painter->setPen(theme.colour(Token::kBorder));
    painter->setBrush(theme.colour(Token::kSurface));
    painter->drawRoundedRect(chip, 4, 4);
    painter->setPen(theme.colour(Token::kTextMuted));
    painter->drawText(chip, Qt::AlignCenter, tag);
    x += width + 4;
  }
}

void paintLog(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  const Theme& theme = Theme::instance();
  if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, theme.colour(Token::kAccentSoft));
  const QFont font = theme.font(TextRole::kMonoCaption);
  const QString level = index.data(runs::LogModel::kLevelRole).toString(), text = index.data().toString();
  const bool message = index.column() == runs::LogModel::kText;
  if (message && level != "info") return paintMarked(painter, option.rect, levelMark(level), text, font);
  painter->setFont(font);
  painter->setPen(theme.colour(message ? Token::kText : Token::kTextMuted));
  const QRect rect = option.rect.adjusted(index.column() == runs::LogModel::kTime ? kLogPad : kPad, 0, -kEnd, 0);
  painter->drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, painter->fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
}

}  // namespace

StateMark stateMark(store::RunState state) {
  static constexpr StateMark kMarks[] = {{"draft", Token::kTextMuted}, {"waiting", Token::kAccent}, {"waiting", Token::kAccent},   {"waiting", Token::kAccent},
                                         {"running", Token::kAccent},  {"stopped", Token::kWarn},   {"finished", Token::kOk},      {"stopped", Token::kTextMuted},
                                         {"failed", Token::kBad},      {"stale", Token::kStale},    {"imported", Token::kTextMuted}};
  return kMarks[static_cast<std::size_t>(state)];
}

StateMark standingMark(clusters::HostStanding standing) {
  static constexpr StateMark kMarks[] = {{"draft", Token::kTextMuted}, {"running", Token::kAccent}, {"imported", Token::kAccent},
                                         {"finished", Token::kOk},     {"warning", Token::kWarn},   {"failed", Token::kBad}};
  return kMarks[static_cast<std::size_t>(standing)];
}

StateMark standingMark(recorder::CellStanding standing) {
  static constexpr StateMark kMarks[] = {{"finished", Token::kOk}, {"running", Token::kAccent}, {"waiting", Token::kTextMuted}, {"lock", Token::kWarn},      {"stale", Token::kStale},
                                         {"failed", Token::kBad},  {"stopped", Token::kTextMuted}, {"draft", Token::kTextMuted},  {"trash", Token::kTextMuted},
                                         {"minus", Token::kTextMuted}};
  static_assert(std::size(kMarks) == recorder::kStandings);
  return kMarks[static_cast<std::size_t>(standing)];
}

StateBadge::StateBadge()
    : mark_(stateMark(store::RunState::kDraft)), icon_(new QLabel), word_(new QLabel(stateWord(store::RunState::kDraft))) {
  setLayout(across({icon_, word_}, {}, 6));
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  connect(&Theme::instance(), &Theme::changed, this, &StateBadge::follow);
  follow();
}

void StateBadge::setState(store::RunState state) { setMark(stateMark(state), stateWord(state)); }

void StateBadge::setMark(const StateMark& mark, const QString& word) {
  if (qstrcmp(mark.icon, mark_.icon) == 0 && mark.token == mark_.token && word == word_->text()) return;
  mark_ = mark;
  word_->setText(word);
  follow();
}

void StateBadge::follow() {
  icon_->setPixmap(iconPixmap(mark_.icon, Theme::instance().colour(mark_.token), 18, devicePixelRatioF()));
  word_->setStyleSheet(QString("color: %1; font-weight: 600;").arg(hex(mark_.token)));
}

QAbstractItemDelegate* paintedCells(Paint paint, QObject* parent, int beside, TextRole font) { return new PaintedCells(std::move(paint), parent, beside, font); }

QAbstractItemDelegate* markedCells(std::function<StateMark(const QModelIndex& index)> markOf, QObject* parent) {
  const auto paint = [markOf = std::move(markOf)](QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
    paintCell(painter, option, index);
    paintMarked(painter, option.rect, markOf(index), index.data().toString(), option.font);
  };
  return paintedCells(paint, parent, kBesideMarked);
}

QAbstractItemDelegate* runStateCells(QObject* parent) {
  return markedCells(
      [](const QModelIndex& index) {
        const QVariant standing = index.data(runs::RunRows::kStandingRole);
        const bool cell = standing.isValid() && standing.toInt() >= 0;
        return cell ? standingMark(static_cast<recorder::CellStanding>(standing.toInt())) : stateMark(static_cast<store::RunState>(index.data(runs::RunsModel::kStateRole).toInt()));
      },
      parent);
}

QAbstractItemDelegate* nodeStateCells(QObject* parent) {
  return markedCells([](const QModelIndex& index) { return nodeStateMark(index.data(runs::WorkersModel::kStateRole).toString()); }, parent);
}

QAbstractItemDelegate* runNameCells(QObject* parent) { return paintedCells(paintRunName, parent, 2 * kPad + foldWidth()); }
QAbstractItemDelegate* runNumberCells(QObject* parent) { return new NumberCells(parent); }
int foldWidth() { return scaled(22); }
QAbstractItemDelegate* logCells(QObject* parent) { return paintedCells(paintLog, parent, kLogPad + kEnd, TextRole::kMonoCaption); }

}  // namespace paceline::widgets
