// The pictures of reports, each drawn once and kept as long as its figure is the same; how they stand in a text document. GUI thread.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>

#include <QTextObjectInterface>
#include <QTimer>

#include "app/report/report.h"
#include "app/ui/figure/figure_view.h"

namespace paceline::reports {

inline constexpr double kPaperMm = 170;  // width of text and pictures: A4 without its margins
inline constexpr int kPictureObject = QTextFormat::UserObject + 1, kPictureIndex = QTextFormat::UserProperty + 1;
inline constexpr int kPaperPx = 642;     // the same at 96 dpi

class ReportPictures : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)
 public:
  ReportPictures();

  // The pictures that index numbers of documents mean from now on; those that no report has any more are forgotten. One is drawn between two events.
  void setReport(const std::shared_ptr<const report::Report>& report);
  const figure::FigureDrawing& drawing(const report::Picture& picture);  // drawn now where it is not yet
  std::string problem() const;                                           // why a picture cannot be drawn, where one cannot; the sentence stands in its place
  bool isDrawn() const { return wanted_.empty(); }
  void whenDrawn(std::function<void()> then);                            // soon, or now

  QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
  void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position, const QTextFormat& format) override;

 signals:
  void drawn();  // another one: sizes may have changed

 private:
  using Key = std::pair<const Figure*, double>;
  struct Kept {
    std::shared_ptr<const Figure> figure;  // so that no other one gets its address
    figure::FigureDrawing drawing;
    std::string problem{};
  };
  static Key keyOf(const report::Picture& picture) { return {picture.figure.get(), picture.heightMm}; }
  const report::Picture* at(const QTextFormat& format) const;
  void drawNext();

  std::vector<report::Picture> pictures_;
  std::map<Key, Kept> kept_;
  std::deque<report::Picture> wanted_;
  std::vector<std::function<void()>> waiting_;
  QTimer next_;
};

}  // namespace paceline::reports
