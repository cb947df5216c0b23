// The widget around the plot: toolbar, hover card, notes. The painting itself is in figure_view.cpp.
#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QEnterEvent>
#include <QMouseEvent>
#include <QTimer>

#include "app/ui/figure/figure_layout.h"
#include "app/ui/figure/figure_plot.h"
#include "app/ui/figure/figure_view.h"
#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::figure {
namespace {

constexpr int kReplotMs = 100;  // ten times a second at most
constexpr int kHoverGap = 14;
constexpr qsizetype kNotes = 3;  // shown; the tool tip has all of them

// Tells the view where the pointer is without a subclass of the plot.
class PointerWatch : public QObject {
 public:
  PointerWatch(QObject* parent, std::function<void(std::optional<QPointF>)> told) : QObject(parent), told_(std::move(told)) {}
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::MouseMove) told_(static_cast<QMouseEvent*>(event)->position());
    if (event->type() == QEvent::Leave) told_(std::nullopt);
    return false;
  }

 private:
  std::function<void(std::optional<QPointF>)> told_;
};

}  // namespace

struct FigureView::Impl {
  std::shared_ptr<const Figure> figure = std::make_shared<const Figure>();
  FigureStyle style = FigureStyle::kModern;
  bool compact = false;
  FigurePlot* plot = nullptr;
  QLabel *card = nullptr, *notes = nullptr;
  QWidget* toolbar = nullptr;
  QTimer timer;
  QElapsedTimer sinceReplot;
  bool stale = false;  // draw() is due

  ~Impl() { delete plot; }
  void draw() {
    const widgets::Theme& theme = widgets::Theme::instance();
    plot->draw(figure, {.style = style, .dark = theme.dark(), .font = theme.font(widgets::TextRole::kCaption)});
    stale = false;
  }
};

FigureView::FigureView(QWidget* parent) : QWidget(parent), impl_(std::make_unique<Impl>()) {
  impl_->plot = new FigurePlot(this);
  impl_->notes = widgets::selectable(widgets::label("", "caption"));
  impl_->notes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  impl_->notes->hide();
  setLayout(widgets::down({{impl_->plot->widget(), 1}, impl_->notes}, {}, 4));
  impl_->card = new QLabel(this);
  impl_->card->setAttribute(Qt::WA_TransparentForMouseEvents);
  impl_->card->setTextFormat(Qt::RichText);
  impl_->card->hide();
  impl_->toolbar = makeToolbar();
  impl_->timer.setSingleShot(true);
  connect(&impl_->timer, &QTimer::timeout, this, &FigureView::paintNow);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &FigureView::followTheme);
  impl_->plot->onViewChanged = [this] { showNotes(); };
  impl_->plot->widget()->installEventFilter(new PointerWatch(this, [this](std::optional<QPointF> at) {
    if (at) hoverAt(*at);
    if (!at) impl_->card->hide(), impl_->plot->mark(std::nullopt);
  }));
  setMinimumSize(160, 120);
  followTheme();
}

FigureView::~FigureView() = default;

QWidget* FigureView::makeToolbar() {
  const auto made = [this](const char* name, const QString& words, auto action) {
    QToolButton* button = widgets::toolButton(name, words);
    button->setIcon(widgets::icon(name, widgets::Token::kTextMuted));
    connect(button, &QToolButton::clicked, this, action);
    return button;
  };
  QWidget* bar = widgets::boxed(widgets::across({made("copy", "Copy the data as CSV", [this] { QApplication::clipboard()->setText(qtext(figureToCsv(*impl_->figure))); }),
                               made("reset-zoom", "Show everything (double click)", [this] { resetZoom(); }),
                               made("export", "Export this figure", [this] { emit exportAsked(); })},
                              {}, 4));
  bar->setParent(this);
  bar->hide();
  return bar;
}

void FigureView::setFigure(Figure figure) {
  impl_->figure = std::make_shared<const Figure>(std::move(figure));
  impl_->stale = true;
  showNotes();
  schedule();
}

void FigureView::setFigureStyle(FigureStyle style) {
  if (style == impl_->style) return;
  impl_->style = style;
  impl_->stale = true;
  schedule();
}

void FigureView::setCompact(bool compact) {
  impl_->compact = compact;
  showNotes();
}

const Figure& FigureView::figure() const { return *impl_->figure; }

void FigureView::resetZoom() { impl_->plot->resetZoom(); }

void FigureView::schedule() {
  if (impl_->timer.isActive()) return;
  const qint64 since = impl_->sinceReplot.isValid() ? impl_->sinceReplot.elapsed() : kReplotMs;
  impl_->timer.start(static_cast<int>(std::clamp<qint64>(kReplotMs - since, 0, kReplotMs)));
}

void FigureView::paintNow() {
  impl_->timer.stop();
  if (impl_->stale) impl_->draw();
  impl_->plot->replot(true);
  impl_->sinceReplot.start();
  showNotes();
}

void FigureView::followTheme() {
  impl_->card->setStyleSheet(QString("background:%1;border:1px solid %2;border-radius:6px;padding:6px 8px;font-size:%3px;")
                                 .arg(widgets::hex(widgets::Token::kSurfaceRaised), widgets::hex(widgets::Token::kBorder))
                                 .arg(widgets::Theme::instance().font(widgets::TextRole::kCaption).pixelSize()));
  impl_->stale = true;
  schedule();
}

void FigureView::showNotes() {
  QStringList lines;
  if (impl_->plot->pointsShown() < impl_->plot->pointsVisible())
    lines << QString("%1 of %2 points shown").arg(impl_->plot->pointsShown()).arg(impl_->plot->pointsVisible());
  for (const std::string& note : impl_->figure->notes) lines << QString::fromStdString(note);
  impl_->notes->setToolTip(lines.join("\n"));
  const qsizetype more = lines.size() - kNotes;
  lines = lines.mid(0, kNotes);
  for (QString& line : lines) line = impl_->notes->fontMetrics().elidedText(line, Qt::ElideRight, std::max(100, width() - 8));
  if (more > 0) lines.last() += QString(" (and %1 more)").arg(more);
  impl_->notes->setText(lines.join("\n"));
  impl_->notes->setVisible(!impl_->compact && !lines.isEmpty());
}

void FigureView::hoverAt(const QPointF& position) {
  const auto x = impl_->plot->xAt(position);
  const QString text = x && !impl_->stale ? hoverCard(*impl_->figure, *x, impl_->style, widgets::Theme::instance().dark()) : QString();
  impl_->card->setVisible(!text.isEmpty());
  impl_->plot->mark(text.isEmpty() || impl_->figure->lines.empty() ? std::nullopt : x);
  if (text.isEmpty()) return;
  impl_->card->setText(text);
  impl_->card->adjustSize();
  const QPoint at = impl_->plot->widget()->mapTo(this, position.toPoint());
  const bool left = at.x() + kHoverGap + impl_->card->width() > width();
  impl_->card->move(left ? at.x() - kHoverGap - impl_->card->width() : at.x() + kHoverGap,
                    std::clamp(at.y() - impl_->card->height() / 2, 0, std::max(0, height() - impl_->card->height())));
  impl_->card->raise();
}

void FigureView::enterEvent(QEnterEvent*) { impl_->toolbar->setVisible(!impl_->compact && !impl_->figure->empty()); }

void FigureView::leaveEvent(QEvent*) { impl_->toolbar->hide(); }

void FigureView::resizeEvent(QResizeEvent*) {
  impl_->toolbar->adjustSize();
  impl_->toolbar->move(width() - impl_->toolbar->width() - 4, 4);
  impl_->toolbar->raise();
  impl_->plot->arrange();
  showNotes();
  schedule();
}

double figurePaintMilliseconds(const Figure& figure, const QSize& size) {
  QElapsedTimer clock;
  clock.start();
  FigureView view;
  view.resize(size);
  view.setFigure(figure);
  view.grab();  // lays out and paints all of it
  view.paintNow();
  return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

}  // namespace paceline::figure
