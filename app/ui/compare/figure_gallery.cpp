#include "app/ui/compare/figure_gallery.h"

#include <algorithm>

#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include "app/models/words.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/widgets/controls.h"

namespace paceline::compare {
namespace {

constexpr int kId = Qt::UserRole, kPicture = Qt::UserRole + 1, kShown = Qt::UserRole + 2, kStale = Qt::UserRole + 3;  // kStale: the picture is of before
constexpr QSize kStripPicture(92, 50), kOpenPicture(146, 88);  // px at normal text
constexpr int kPad = 4;
constexpr int kMostReasons = 3;  // rows seen; the others scroll

class StampDelegate : public QStyledItemDelegate {
 public:
  StampDelegate(const QListWidget* list, QObject* parent) : QStyledItemDelegate(parent), list_(list) {}

  static int captionHeight() { return QFontMetrics(widgets::Theme::instance().font(widgets::TextRole::kCaption)).height() + 2; }

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return list_->iconSize() + QSize(2 * kPad, 2 * kPad + captionHeight()); }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const widgets::Theme& theme = widgets::Theme::instance();
    const bool shown = index.data(kShown).toBool(), focused = (option.state & QStyle::State_HasFocus) != 0;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool over = (option.state & QStyle::State_MouseOver) != 0;
    painter->setPen(QPen(theme.colour(shown || focused ? widgets::Token::kAccent : over ? widgets::Token::kTextMuted : widgets::Token::kBorder), focused ? 2 : 1));
    painter->setBrush(theme.colour(shown ? widgets::Token::kAccentSoft : widgets::Token::kSurfaceRaised));
    painter->drawRoundedRect(frame, 6, 6);
    const QRect picture(option.rect.topLeft() + QPoint(kPad, kPad), list_->iconSize());
    if (const auto pixmap = index.data(kPicture).value<QPixmap>(); !pixmap.isNull() && picture.height() > 0) painter->drawPixmap(picture.topLeft(), pixmap);
    QFont font = theme.font(widgets::TextRole::kCaption);
    font.setBold(shown);
    painter->setFont(font);
    painter->setPen(theme.colour(widgets::Token::kText));
    const QRect words(picture.left() + 2, picture.bottom() + 1, picture.width() - 4, captionHeight());
    painter->drawText(words, Qt::AlignCenter, painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, words.width()));
    painter->restore();
  }

 private:
  const QListWidget* list_;
};

}  // namespace

FigureGallery::FigureGallery() {
  list_->setObjectName("figureGallery");
  list_->setAccessibleName(tr("Figures of the chosen runs; Enter shows one"));
  list_->setViewMode(QListView::IconMode);
  list_->setMovement(QListView::Static);
  list_->setResizeMode(QListView::Adjust);
  list_->setUniformItemSizes(true);
  list_->setSpacing(2);
  list_->setMouseTracking(true);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setItemDelegate(new StampDelegate(list_, list_));
  list_->setStyleSheet("QListView { background: transparent; }");
  list_->installEventFilter(this);
  list_->viewport()->installEventFilter(this);
  fold_ = widgets::button("", "", [this] { layOut(); }, {.kind = "quiet", .name = "notApplicable", .help = tr("Why each of them has nothing to draw")});
  fold_->setCheckable(true);
  all_ = widgets::button(tr("All figures"), "", [this] { setOpen(!open_); }, {.kind = "quiet", .name = "allFigures", .help = tr("All figures at once; Enter or a click shows one (Esc goes back)")});
  reasons_->setObjectName("notApplicableReasons");
  reasons_->setAccessibleName(tr("Figures that do not apply, and why"));
  reasons_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  reasons_->setWordWrap(true);
  reasons_->hide();
  below_ = widgets::boxed(widgets::across({fold_, widgets::room(), all_}, {}, 4));
  setLayout(widgets::down({{list_, 1}, below_, reasons_}, {}, 2));
  for (QListWidget* each : {list_, reasons_}) {
    const auto show = [this](const QListWidgetItem* item) {
      setOpen(false);
      emit chosen(item->data(kId).toString());
    };
    connect(each, &QListWidget::itemActivated, this, show);
    connect(each, &QListWidget::itemClicked, this, show);
  }
  paint_.setSingleShot(true);
  connect(&paint_, &QTimer::timeout, this, &FigureGallery::paintNext);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { layOut(), repaintAll(); });
  setGallery({});
  layOut();
}

QListWidgetItem* FigureGallery::itemOf(const QString& id) const {
  for (int i = 0; i < list_->count(); ++i)
    if (list_->item(i)->data(kId).toString() == id) return list_->item(i);
  return nullptr;
}

void FigureGallery::setGallery(const Gallery& gallery) {
  QStringList now, before;
  for (const GalleryEntry& entry : gallery)
    if (entry.why.empty()) now << qtext(entry.id);
  for (int i = 0; i < list_->count(); ++i) before << list_->item(i)->data(kId).toString();
  figures_.clear();
  for (const GalleryEntry& entry : gallery)
    if (entry.why.empty()) figures_[qtext(entry.id)] = entry.figure;
  if (now != before) rebuild(gallery);
  reasons_->clear();
  for (const GalleryEntry& entry : gallery)
    if (!entry.why.empty()) {
      auto* item = new QListWidgetItem(QString("%1: %2").arg(said(findFigure(entry.id)->title), said(entry.why)), reasons_);
      item->setData(kId, qtext(entry.id));
      item->setToolTip(item->text());
    }
  const int folded = reasons_->count();
  fold_->setText(tr("%n figure(s) do not apply", nullptr, folded));
  fold_->setVisible(folded > 0);
  if (gallery.empty()) setOpen(false);
  setVisible(!gallery.empty());
  layOut();
  repaintAll();
}

// Items stay while the same figures apply: the one with the keyboard keeps it.
void FigureGallery::rebuild(const Gallery& gallery) {
  const QString current = list_->currentItem() ? list_->currentItem()->data(kId).toString() : shown_;
  list_->clear();
  for (const GalleryEntry& entry : gallery) {
    if (!entry.why.empty()) continue;
    const FigureDef* def = findFigure(entry.id);
    auto* item = new QListWidgetItem(said(def->title), list_);
    item->setData(kId, qtext(entry.id));
    item->setToolTip(said(def->title) + ": " + said(def->summary));
    item->setData(Qt::AccessibleDescriptionRole, said(def->summary));
  }
  setShown(shown_);
  if (QListWidgetItem* item = itemOf(current)) list_->setCurrentItem(item);
}

void FigureGallery::setShown(const QString& id) {
  shown_ = id;
  for (int i = 0; i < list_->count(); ++i) {
    QListWidgetItem* item = list_->item(i);
    const bool shown = item->data(kId).toString() == id;
    item->setData(kShown, shown);
    item->setData(Qt::AccessibleTextRole, shown ? tr("%1, shown").arg(item->text()) : item->text());
    if (shown) list_->setCurrentItem(item);
  }
}

void FigureGallery::setFigureStyle(figure::FigureStyle style) {
  if (std::exchange(style_, style) != style) repaintAll();
}

void FigureGallery::setOpen(bool open) {
  if (std::exchange(open_, open) == open) return;
  all_->setText(open ? tr("One figure") : tr("All figures"));
  layOut();
  repaintAll();
  emit opened(open);
  if (open) list_->setFocus();
}

void FigureGallery::setLow(bool low) {
  if (std::exchange(low_, low) == low) return;
  layOut();
  repaintAll();
}

void FigureGallery::layOut() {
  const bool names = low_ && !open_;
  const QSize picture = open_ ? kOpenPicture : names ? QSize(kStripPicture.width(), 0) : kStripPicture;
  below_->setVisible(!names);
  reasons_->setVisible(!names && reasons_->count() > 0 && fold_->isChecked());
  list_->setIconSize({widgets::scaled(picture.width()), widgets::scaled(picture.height())});
  const int row = list_->iconSize().height() + 2 * kPad + StampDelegate::captionHeight() + 2 * list_->spacing();
  list_->setMinimumHeight(row);
  list_->setMaximumHeight(open_ ? QWIDGETSIZE_MAX : row);
  list_->doItemsLayout();
  if (list_->currentItem()) list_->scrollToItem(list_->currentItem());
  const int rows = std::min(kMostReasons, reasons_->count());
  reasons_->setFixedHeight(rows * (reasons_->fontMetrics().height() + kPad) + 2 * kPad);
  setSizePolicy(QSizePolicy::Preferred, open_ ? QSizePolicy::Expanding : QSizePolicy::Maximum);
  updateGeometry();
}

void FigureGallery::repaintAll() {
  for (int i = 0; i < list_->count(); ++i) list_->item(i)->setData(kStale, true);  // an old picture stays until the new one is there
  paint_.start(0);
}

// One that has no picture of what is now, first of all among those that are seen.
void FigureGallery::paintNext() {
  if (!isVisible()) return;
  QListWidgetItem* next = nullptr;
  for (int i = 0; i < list_->count(); ++i) {
    QListWidgetItem* item = list_->item(i);
    if (!item->data(kStale).toBool()) continue;
    if (next == nullptr) next = item;
    if (!isSeen(item)) continue;
    next = item;
    break;
  }
  if (next == nullptr) return;
  const auto figure = figures_.find(next->data(kId).toString());
  if (figure != figures_.end() && list_->iconSize().height() > 0) next->setData(kPicture, figure::thumbnail(figure->second, list_->iconSize(), devicePixelRatioF(), style_, widgets::Theme::instance().dark()));
  next->setData(kStale, false);
  paint_.start(0);
}

int FigureGallery::waiting() const {
  int all = 0;
  for (int i = 0; i < list_->count(); ++i) all += list_->item(i)->data(kStale).toBool() ? 1 : 0;
  return all;
}

bool FigureGallery::seenArePainted() const {
  for (int i = 0; i < list_->count(); ++i)
    if (list_->item(i)->data(kStale).toBool() && isSeen(list_->item(i))) return false;
  return true;
}

bool FigureGallery::isSeen(const QListWidgetItem* item) const { return list_->viewport()->rect().intersects(list_->visualItemRect(item)); }

bool FigureGallery::eventFilter(QObject* object, QEvent* event) {
  if (object == list_ && event->type() == QEvent::KeyPress && open_ && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) return setOpen(false), true;
  if (event->type() == QEvent::Show) paint_.start(0);
  return QWidget::eventFilter(object, event);
}

void FigureGallery::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) layOut();
  QWidget::changeEvent(event);
}

}  // namespace paceline::compare
