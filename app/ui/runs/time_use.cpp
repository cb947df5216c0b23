#include "app/ui/runs/time_use.h"

#include <algorithm>
#include <array>

#include <QPainter>
#include <QStyleOptionViewItem>

#include "app/models/runs/live_run.h"
#include "app/ui/figure/figure_style.h"
#include "app/ui/widgets/state_mark.h"
#include "app/ui/widgets/theme.h"

namespace paceline::runs {
namespace {

constexpr int kPad = 8, kBar = 10, kMark = 10;
constexpr int kMarkGap = 4, kWordGap = 12, kThinMark = 3;

using enum lanes::Phase;
constexpr std::array<lanes::Phase, kPhases.size()> kLanePhases = {kFetch, kCompute, kUpdate, kSend, kWait, kReceive, kQuery, kEvaluate};  // as kPhases
QColor colourOf(std::size_t phase) { return phaseColour(kLanePhases[phase]); }

void paintUse(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  const widgets::Theme& theme = widgets::Theme::instance();
  widgets::paintCell(painter, option, index);
  const auto shares = index.data(WorkersModel::kUseRole).value<QList<double>>();
  if (shares.size() != static_cast<qsizetype>(kPhases.size())) return;
  painter->setFont(option.font);
  const int numberWidth = painter->fontMetrics().horizontalAdvance(QObject::tr("%1 busy").arg("100.0 %")) + kPad;
  QRectF bar = option.rect.adjusted(kPad, 0, -kPad - numberWidth, 0);
  bar = QRectF(bar.left(), bar.center().y() - kBar / 2.0, std::max(20.0, bar.width()), kBar);
  double x = bar.left();
  for (std::size_t i = 0; i < kPhases.size(); ++i) {
    const double width = std::clamp(shares[static_cast<qsizetype>(i)] * bar.width(), 0.0, bar.right() - x);
    painter->fillRect(QRectF(x, bar.top(), width, bar.height()), colourOf(i));
    x += width;
  }
  painter->setPen(theme.colour(widgets::Token::kText));
  painter->drawText(option.rect.adjusted(0, 0, -kPad, -1), Qt::AlignVCenter | Qt::AlignRight, index.data().toString());
}

}  // namespace

namespace {

QColor seriesColour(int series) { return figure::seriesLook(series, figure::FigureStyle::kModern, widgets::Theme::instance().dark()).colour; }

struct LegendEntry {
  QString word;
  QColor colour;
  bool thin = false;
};

// Phases of one colour are one entry.
std::vector<LegendEntry> legendEntries() {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < kPhases.size(); ++i) {
    QStringList words{said(kPhases[i].word)};
    for (const lanes::Phase other : {kServe, kHostLoad})
      if (lanes::lookOf(kLanePhases[i]).series == lanes::lookOf(other).series) words << said(lanes::lookOf(other).name);
    entries.push_back({.word = words.join(", "), .colour = colourOf(i)});
  }
  entries.push_back({.word = said(lanes::kExchange), .colour = exchangeColour(), .thin = true});
  return entries;
}

}  // namespace

QColor phaseColour(lanes::Phase phase) {
  const int series = lanes::lookOf(phase).series;
  return series == lanes::kQuiet ? widgets::Theme::instance().colour(widgets::Token::kBorder) : seriesColour(series);
}

QColor exchangeColour() { return seriesColour(lanes::kExchangeSeries); }

QAbstractItemDelegate* timeUseCells(QObject* parent) { return widgets::paintedCells(paintUse, parent); }

TimeUseLegend::TimeUseLegend() {
  QStringList words;
  for (const LegendEntry& entry : legendEntries()) words << entry.word;
  setAccessibleName(tr("Phases of the time use"));
  setAccessibleDescription(words.join(", "));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { updateGeometry(), update(); });
}

QSize TimeUseLegend::sizeHint() const {
  const QFontMetrics metrics(widgets::Theme::instance().font(widgets::TextRole::kCaption));
  int width = 0;
  for (const LegendEntry& entry : legendEntries()) width += kMark + kMarkGap + metrics.horizontalAdvance(entry.word) + kWordGap;
  return {width, metrics.height() + 4};
}

void TimeUseLegend::paintEvent(QPaintEvent*) {
  const widgets::Theme& theme = widgets::Theme::instance();
  QPainter painter(this);
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  painter.setPen(theme.colour(widgets::Token::kTextMuted));
  int x = 0;
  for (const LegendEntry& entry : legendEntries()) {
    const int mark = entry.thin ? kThinMark : kMark;
    painter.fillRect(QRect(x, (height() - mark) / 2, kMark, mark), entry.colour);
    x += kMark + kMarkGap;
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, entry.word);
    x += painter.fontMetrics().horizontalAdvance(entry.word) + kWordGap;
  }
}

}  // namespace paceline::runs
