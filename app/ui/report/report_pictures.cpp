#include "app/ui/report/report_pictures.h"

#include <algorithm>
#include <utility>

#include <QPainter>
#include <QTextDocument>

#include "app/models/words.h"
#include "app/ui/widgets/theme.h"
#include "engine/core/base/error.h"

namespace paceline::reports {
namespace {

constexpr int kProblemPx = 13;
constexpr double kUsualHeight = 0.5;  // of the width, until it is drawn

// Half as high as wide, so that two stand on a page; lanes by their number.
double heightOf(const report::Picture& picture) {
  if (picture.heightMm > 0) return picture.heightMm;
  return picture.figure->spans.empty() ? kPaperMm / 2 : std::clamp(40 + 9.0 * static_cast<double>(picture.figure->y.categories.size()), 60.0, 220.0);
}

figure::FigureFile fileOf(const report::Picture& picture) {
  return {.path = {}, .style = picture.figure->variant == Variant::kPublished ? figure::FigureStyle::kPublished : figure::FigureStyle::kModern, .widthMm = kPaperMm, .heightMm = heightOf(picture), .fontPoints = 9};
}

// A sentence where no picture can be.
figure::FigureDrawing inItsPlace(const std::string& sentence) {
  figure::FigureDrawing made{.size = QSize(kPaperPx, kPaperPx / 8)};
  QPainter painter(&made.picture);
  QFont font(widgets::Theme::uiFamily());
  font.setPixelSize(kProblemPx);
  painter.setFont(font);
  painter.setPen(widgets::Theme::value(widgets::Token::kBad, false));
  painter.drawText(QRect(QPoint(), made.size), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, qtext(sentence));
  return made;
}

}  // namespace

ReportPictures::ReportPictures() {
  next_.setInterval(0);
  connect(&next_, &QTimer::timeout, this, &ReportPictures::drawNext);
}

void ReportPictures::setReport(const std::shared_ptr<const report::Report>& report) {
  pictures_.clear();
  for (const report::Piece& piece : report->pieces)
    if (piece.kind == report::PieceKind::kPicture) pictures_.push_back(piece.picture);
  std::erase_if(kept_, [this](const auto& each) { return std::ranges::none_of(pictures_, [&](const report::Picture& picture) { return keyOf(picture) == each.first; }); });
  wanted_.clear();
  for (const report::Picture& picture : pictures_)
    if (!kept_.contains(keyOf(picture))) wanted_.push_back(picture);
  next_.start();
}

const figure::FigureDrawing& ReportPictures::drawing(const report::Picture& picture) {
  const auto known = kept_.find(keyOf(picture));
  if (known != kept_.end()) return known->second.drawing;
  figure::FigureFile file = fileOf(picture);
  Kept kept{.figure = picture.figure, .drawing = {}};
  try {
    kept.drawing = figure::drawFigure(picture.figure, file);
  } catch (const Error&) {  // that height is too small for it: as it needs
    file.heightMm = 0;
    try {
      kept.drawing = figure::drawFigure(picture.figure, file);
    } catch (const Error& error) {
      kept.problem = strCat(picture.figure->title, error.what()), kept.drawing = inItsPlace(kept.problem);
    }
  }
  return kept_.emplace(keyOf(picture), std::move(kept)).first->second.drawing;
}

std::string ReportPictures::problem() const {
  for (const report::Picture& picture : pictures_)
    if (const auto known = kept_.find(keyOf(picture)); known != kept_.end() && !known->second.problem.empty()) return known->second.problem;
  return "";
}

void ReportPictures::whenDrawn(std::function<void()> then) {
  waiting_.push_back(std::move(then));
  next_.start();
}

void ReportPictures::drawNext() {
  if (!wanted_.empty()) {
    drawing(wanted_.front());
    wanted_.pop_front();
    emit drawn();
    return;
  }
  next_.stop();
  for (const auto& then : std::exchange(waiting_, {})) then();
}

const report::Picture* ReportPictures::at(const QTextFormat& format) const {
  const auto index = static_cast<std::size_t>(format.intProperty(kPictureIndex));
  return index < pictures_.size() ? &pictures_[index] : nullptr;
}

// As wide as the text, and never wider than on paper.
QSizeF ReportPictures::intrinsicSize(QTextDocument* document, int, const QTextFormat& format) {
  const double room = document->textWidth() > 0 ? document->textWidth() - 2 * document->documentMargin() - 1 : kPaperPx;
  const double width = std::clamp<double>(room, 60, kPaperPx);
  const report::Picture* picture = at(format);
  const auto known = picture ? kept_.find(keyOf(*picture)) : kept_.end();
  if (known == kept_.end()) return {width, width * kUsualHeight};
  const QSizeF size = known->second.drawing.size;
  return {width, width * size.height() / size.width()};
}

void ReportPictures::drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int, const QTextFormat& format) {
  const report::Picture* picture = at(format);
  const auto known = picture ? kept_.find(keyOf(*picture)) : kept_.end();
  if (known == kept_.end()) return;  // it is drawn soon
  if (painter->hasClipping() && !painter->clipBoundingRect().intersects(rect.adjusted(0, 1, 0, -1))) return;  // of the next page: a picture sets clips of its own
  painter->save();
  painter->translate(rect.topLeft());
  const double scale = rect.width() / known->second.drawing.size.width();
  painter->scale(scale, scale);
  figure::paint(*painter, known->second.drawing);
  painter->restore();
}

}  // namespace paceline::reports
