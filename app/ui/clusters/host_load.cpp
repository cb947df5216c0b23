#include <algorithm>

#include <QPainter>
#include <QPainterPath>

#include "app/models/words.h"
#include "app/ui/clusters/host_pane.h"
#include "app/ui/widgets/theme.h"

namespace paceline::clusters {
namespace {

constexpr int kCurveHeight = 44;
constexpr double kCurveSeconds = 120;

// CPUs' busy share over the last two minutes; its upper edge is all of them.
class LoadCurve : public QWidget {
 public:
  LoadCurve() {
    setObjectName("loadCurve");
    setAccessibleName(HostPane::tr("How busy its CPUs were in the last two minutes"));
    setFixedHeight(widgets::scaled(kCurveHeight));
    connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { setFixedHeight(widgets::scaled(kCurveHeight)), update(); });
  }

  void present(const std::vector<HostLoad>& loads) {
    loads_ = loads;
    double least = 1, most = 0;
    for (const HostLoad& load : loads_) least = std::min(least, load.cpu), most = std::max(most, load.cpu);
    if (!loads_.empty()) setAccessibleDescription(HostPane::tr("now %1, between %2 and %3").arg(percentText(loads_.back().cpu), percentText(least), percentText(most)));
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const widgets::Theme& theme = widgets::Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.colour(widgets::Token::kSurfaceRaised));
    if (loads_.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const double last = loads_.back().t;
    const auto xAt = [&](double t) { return width() * (1 - (last - t) / kCurveSeconds); };
    const auto yAt = [&](double cpu) { return 1 + (height() - 2) * (1 - std::clamp(cpu, 0.0, 1.0)); };
    QPainterPath line(QPointF(xAt(loads_.front().t), yAt(loads_.front().cpu)));
    for (const HostLoad& load : loads_) line.lineTo(xAt(load.t), yAt(load.cpu));
    QPainterPath area = line;
    area.lineTo(width(), height());
    area.lineTo(xAt(loads_.front().t), height());
    const QColor ink = theme.colour(widgets::Token::kAccent);
    painter.fillPath(area, widgets::mixed(theme.colour(widgets::Token::kSurfaceRaised), ink, 0.25F));
    painter.strokePath(line, QPen(ink, 1.5));
  }

 private:
  std::vector<HostLoad> loads_;
};

// Bytes a second since the second before; "": not known.
QString rates(const std::vector<HostLoad>& loads) {
  if (loads.size() < 2) return {};
  const HostLoad &before = loads[loads.size() - 2], &now = loads.back();
  const double seconds = now.t - before.t;
  if (!(seconds > 0)) return {};
  return HostPane::tr("sends %1/s, receives %2/s").arg(bytesText(static_cast<double>(now.networkSentBytes - before.networkSentBytes) / seconds), bytesText(static_cast<double>(now.networkReceivedBytes - before.networkReceivedBytes) / seconds));
}

class LoadCard : public HostCard {
 public:
  LoadCard() {
    words_->setObjectName("loadWords");
    setLayout(widgets::down({widgets::label(HostPane::tr("Load now"), "section"), words_, curve_, widgets::label(HostPane::tr("Told by a run that trains there, with all else that runs there"), "caption"), widgets::gap(widgets::kGap), widgets::horizontalLine()}));
  }

  void present(const HostItem& item) override {
    setVisible(!item.loads.empty());
    if (item.loads.empty()) return;
    const HostLoad& now = item.loads.back();
    QStringList words{HostPane::tr("CPUs %1 busy").arg(percentText(now.cpu)),
                      HostPane::tr("memory %1 of %2").arg(bytesText(static_cast<double>(now.memoryUsedBytes)), bytesText(static_cast<double>(now.memoryTotalBytes)))};
    if (const QString network = rates(item.loads); !network.isEmpty()) words << network;
    words_->setText(words.join("; "));
    curve_->present(item.loads);
  }

 private:
  QLabel* words_ = widgets::wrapped(widgets::label(""));
  LoadCurve* curve_ = new LoadCurve;
};

}  // namespace

HostCard* hostLoad() { return new LoadCard; }

}  // namespace paceline::clusters
