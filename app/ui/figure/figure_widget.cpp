// The widget around the plot: toolbar, hover card, notes. The painting itself is in figure_view.cpp.
#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QEnterEvent>
#include <QMouseEvent>

#include "app/ui/figure/figure_layout.h"
#include "app/ui/figure/figure_plot.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/figure/parallel_brushes.h"
#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::figure {
namespace {

constexpr int kReplotMs = 100;  // ten times a second at most
constexpr int kHoverGap = 14;
constexpr int kLeast = 120, kLeastCompact = 64;  // px high

}  // namespace

FigureView::FigureView(QWidget* parent)
    : QWidget(parent), plot_(std::make_unique<FigurePlot>(this)), card_(new QLabel(this)), notes_(widgets::selectable(widgets::label("", "caption"))), brushRow_(makeBrushRow()), toolbar_(makeToolbar()) {
  notes_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  notes_->hide();
  setLayout(widgets::down({{plot_->widget(), 1}, brushRow_, notes_}, {}, 4));
  card_->setAttribute(Qt::WA_TransparentForMouseEvents);
  card_->setTextFormat(Qt::RichText);
  card_->hide();
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &FigureView::paintNow);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &FigureView::followTheme);
  plot_->onViewChanged = [this] { showNotes(); };
  plot_->widget()->installEventFilter(this);
  setMinimumSize(160, kLeast);
  followTheme();
}

FigureView::~FigureView() = default;

bool FigureView::eventFilter(QObject*, QEvent* event) {
  if (event->type() == QEvent::MouseMove) hoverAt(static_cast<QMouseEvent*>(event)->position());
  if (event->type() == QEvent::Leave) card_->hide(), plot_->mark(std::nullopt), emit cursorMoved(std::nullopt);
  return false;
}

QWidget* FigureView::makeToolbar() {
  const auto made = [this](const char* name, const QString& words, auto action) {
    QToolButton* button = widgets::toolButton(name, words);
    button->setIcon(widgets::icon(name, widgets::Token::kTextMuted));
    connect(button, &QToolButton::clicked, this, action);
    return button;
  };
  QWidget* bar = widgets::boxed(widgets::across({made("copy", tr("Copy the data as CSV"), [this] { QApplication::clipboard()->setText(qtext(figureToCsv(*figure_))); }),
                               made("reset-zoom", tr("Show everything (double click)"), [this] { plot_->resetZoom(); }),
                               made("export", tr("Export this figure"), [this] { emit exportAsked(); })},
                              {}, 4));
  bar->setParent(this);
  bar->hide();
  return bar;
}

QWidget* FigureView::makeBrushRow() {
  within_ = new widgets::ElidedLabel("caption");
  within_->setObjectName("runsWithin");
  compareWithin_ = widgets::button(tr("Compare these"), "", [this] { chooseWithin(); }, {.kind = "quiet", .name = "compareWithin", .help = tr("Only the runs within the chosen parts stay in the comparison")});
  clearParts_ = widgets::button(tr("All again"), "", [this] { brushes_->clear(); }, {.kind = "quiet", .name = "clearParts", .help = tr("Takes the chosen parts of all axes away")});
  QWidget* row = widgets::boxed(widgets::across({{within_, 1}, compareWithin_, clearParts_}, {}, 4));
  row->hide();
  return row;
}

// Over the plot where it shows parallel coordinates.
void FigureView::showBrushes() {
  const bool parallel = !compact_ && !figure_->axes.empty();
  if (parallel && brushes_ == nullptr) {
    brushes_ = new ParallelBrushes(plot_->widget());
    connect(brushes_, &ParallelBrushes::changed, this, &FigureView::followBrushes);
    connect(brushes_, &ParallelBrushes::entered, this, &FigureView::chooseWithin);
  }
  brushRow_->setVisible(parallel);
  if (brushes_ != nullptr) brushes_->setVisible(parallel);
  if (!parallel) return;
  const widgets::Theme& theme = widgets::Theme::instance();
  brushes_->setFigure(told_, {.style = style_, .dark = theme.dark(), .font = theme.font(widgets::TextRole::kCaption)});
  placeBrushes();
}

void FigureView::placeBrushes() {
  if (brushes_ == nullptr || figure_->axes.empty()) return;
  brushes_->setGeometry(plot_->widget()->rect());
  brushes_->setArea(plot_->area());
}

void FigureView::followBrushes() {
  const auto within = static_cast<int>(brushes_->within().size()), all = static_cast<int>(figure_->lines.size());
  const bool brushed = brushes_->brushed();
  within_->setFullText(brushed ? tr("%1 of %2 runs within").arg(within).arg(all) : tr("%1 runs. Drag along an axis, or Tab to it and press Up, to choose a part").arg(all));
  compareWithin_->setEnabled(brushed && within > 0), clearParts_->setEnabled(brushed);
  plot_->setFaint(brushed);
}

void FigureView::chooseWithin() {
  if (compareWithin_->isEnabled()) emit runsChosen(brushes_->runsWithin());
}

void FigureView::setNoteLines(int lines) {
  if (std::exchange(noteLines_, lines) != lines) showNotes();
}

void FigureView::setFigure(Figure figure) {
  figure_ = std::make_shared<const Figure>(std::move(figure));
  told_ = inWords(figure_);
  if (!figure_->title.empty()) setAccessibleName(said(figure_->title));
  setAccessibleDescription(description(*figure_));
  stale_ = true;
  showNotes();
  schedule();
}

void FigureView::setFigureStyle(FigureStyle style) {
  if (style == style_) return;
  style_ = style;
  stale_ = true;
  schedule();
}

void FigureView::setCompact(bool compact) {
  compact_ = compact;
  setMinimumHeight(compact ? kLeastCompact : kLeast);
  showNotes();
}

void FigureView::schedule() {
  if (timer_.isActive()) return;
  const qint64 since = sinceReplot_.isValid() ? sinceReplot_.elapsed() : kReplotMs;
  timer_.start(static_cast<int>(std::clamp<qint64>(kReplotMs - since, 0, kReplotMs)));
}

void FigureView::paintNow() {
  timer_.stop();
  if (stale_) {
    const widgets::Theme& theme = widgets::Theme::instance();
    plot_->draw(told_, {.style = style_, .dark = theme.dark(), .font = theme.font(widgets::TextRole::kCaption)});
    stale_ = false;
    showBrushes();
  }
  plot_->replot(true);
  sinceReplot_.start();
  showNotes();
}

void FigureView::followTheme() {
  card_->setStyleSheet(QString("background:%1;border:1px solid %2;border-radius:6px;padding:6px 8px;font-size:%3px;")
                                 .arg(widgets::hex(widgets::Token::kSurfaceRaised), widgets::hex(widgets::Token::kBorder))
                                 .arg(widgets::Theme::instance().font(widgets::TextRole::kCaption).pixelSize()));
  stale_ = true;
  schedule();
}

void FigureView::showNotes() {
  QStringList lines;
  if (plot_->pointsShown() < plot_->pointsVisible())
    lines << tr("%1 of %2 points shown").arg(plot_->pointsShown()).arg(plot_->pointsVisible());
  for (const std::string& note : told_->notes) lines << QString::fromStdString(note);
  notes_->setToolTip(lines.join("\n"));
  const QString more = lines.size() > noteLines_ ? " (" + tr("and %1 more").arg(lines.size() - noteLines_) + ")" : QString();
  lines = lines.mid(0, noteLines_);
  for (QString& line : lines) {
    const int behind = &line == &lines.last() ? notes_->fontMetrics().horizontalAdvance(more) : 0;
    line = notes_->fontMetrics().elidedText(line, Qt::ElideRight, std::max(100, width() - 8 - behind));
  }
  if (!lines.isEmpty()) lines.last() += more;
  notes_->setText(lines.join("\n"));
  notes_->setVisible(!compact_ && !lines.isEmpty());
}

void FigureView::hoverAt(const QPointF& position) {
  const auto x = plot_->xAt(position);
  const QString text = x && !stale_ ? hoverCard(*told_, *x, style_, widgets::Theme::instance().dark()) : QString();
  card_->setVisible(!text.isEmpty());
  plot_->mark(text.isEmpty() || figure_->lines.empty() ? std::nullopt : x);
  emit cursorMoved(x);
  if (text.isEmpty()) return;
  card_->setText(text);
  card_->adjustSize();
  const QPoint at = plot_->widget()->mapTo(this, position.toPoint());
  const bool left = at.x() + kHoverGap + card_->width() > width();
  card_->move(left ? at.x() - kHoverGap - card_->width() : at.x() + kHoverGap,
                    std::clamp(at.y() - card_->height() / 2, 0, std::max(0, height() - card_->height())));
  card_->raise();
}

void FigureView::setCursor(std::optional<double> x) { plot_->mark(figure_->lines.empty() ? std::nullopt : x); }

void FigureView::resizeEvent(QResizeEvent*) {
  toolbar_->adjustSize();
  toolbar_->move(width() - toolbar_->width() - 4, 4);
  toolbar_->raise();
  plot_->arrange();
  placeBrushes();
  showNotes();
  schedule();
}

QPixmap thumbnail(const Figure& figure, const QSize& size, double ratio, FigureStyle style, bool dark) {
  FigurePlot plot;
  plot.widget()->resize(size);
  plot.draw(std::make_shared<const Figure>(figure), {.style = style, .dark = dark, .font = widgets::Theme::instance().font(widgets::TextRole::kCaption), .thumbnail = true});
  QPixmap painted = plot.toPixmap(size.width(), size.height(), ratio);
  painted.setDevicePixelRatio(ratio);
  return painted;
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
