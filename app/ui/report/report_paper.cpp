#include "app/ui/report/report_paper.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QTextCursor>
#include <QTextTable>
#include <algorithm>
#include <utility>

#include "app/models/words.h"
#include "app/ui/widgets/theme.h"

namespace paceline::reports {
namespace {

using widgets::Token;

constexpr int kBodyPx = 13, kSmallPx = 11, kTitlePx = 24;
constexpr int kHeadingPx[] = {18, 18, 15, 13};
constexpr double kLineHeight = 128;  // percent
constexpr std::size_t kManyColumns = 7, kMostColumns = 9;  // of a table: smaller text
constexpr double kDpi = 96, kMmPerInch = 25.4, kMarginMm = 20, kFootMm = 12;
constexpr int kPdfDpi = 1200;
constexpr int kKeepPasses = 60;  // page breaks that are put before what must not stand apart, one a pass

QColor ink(Token token) { return widgets::Theme::value(token, false); }

QFont paperFont(int px, bool mono = false) {
  QFont font(mono ? widgets::Theme::monoFamily() : widgets::Theme::uiFamily());
  font.setPixelSize(px);
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

QTextCharFormat charFormat(int px, Token token = Token::kText, bool bold = false, bool mono = false) {
  QTextCharFormat format;
  QFont font = paperFont(px, mono);
  font.setBold(bold);
  format.setFont(font);
  format.setForeground(ink(token));
  return format;
}

class Filler {
 public:
  explicit Filler(QTextDocument& document) : cursor_(&document) {}

  void fill(const report::Report& report) {
    cursor_.beginEditBlock();
    cursor_.select(QTextCursor::Document);
    cursor_.removeSelectedText();
    cursor_.setBlockFormat({});
    if (!report.title.empty()) block(spaced(0, 2), charFormat(kTitlePx, Token::kText, true), 1), cursor_.insertText(qtext(report.title));
    if (!report.author.empty()) block(spaced(0, 4), charFormat(kSmallPx, Token::kTextMuted), 1), cursor_.insertText(qtext(report.author));
    for (const report::Piece& piece : report.pieces) add(piece);
    foot(report.footer);
    cursor_.endEditBlock();
  }

 private:
  static QTextBlockFormat spaced(double above, double below) {
    QTextBlockFormat format;
    format.setTopMargin(above), format.setBottomMargin(below);
    format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
    return format;
  }

  // The next block, which the cursor then is in. The document's first one, and the one that a table leaves behind it, are taken.
  void block(const QTextBlockFormat& format, const QTextCharFormat& letters, int line) {
    if (std::exchange(fresh_, false)) cursor_.setBlockFormat(format), cursor_.setBlockCharFormat(letters), cursor_.setCharFormat(letters);
    else cursor_.insertBlock(format, letters);
    cursor_.block().setUserState(line);
  }

  void words(const std::vector<report::Word>& words, const QTextCharFormat& base) {
    for (const report::Word& word : words) {
      QTextCharFormat format = base;
      if (word.code) format.setFontFamilies({widgets::Theme::monoFamily()});
      if (word.bold) format.setFontWeight(QFont::Bold);
      if (word.emphasis) format.setFontItalic(true);
      if (word.bad) format.setForeground(ink(Token::kBad));
      if (word.live && !word.bad) format.setToolTip(qtext(word.source));
      if (!word.link.empty()) format.setAnchor(true), format.setAnchorHref(qtext(word.link)), format.setForeground(ink(Token::kAccent)), format.setFontUnderline(true);
      cursor_.insertText(qtext(word.text), format);
    }
  }

  void add(const report::Piece& piece) {
    switch (piece.kind) {
      case report::PieceKind::kHeading: return heading(piece);
      case report::PieceKind::kParagraph: block(spaced(4, 4), charFormat(kBodyPx), piece.line); return words(piece.words, charFormat(kBodyPx));
      case report::PieceKind::kBullet:
      case report::PieceKind::kNumbered: return item(piece);
      case report::PieceKind::kCode: return code(piece);
      case report::PieceKind::kTable: return table(piece);
      case report::PieceKind::kPicture: return picture(piece);
      case report::PieceKind::kProblem: block(spaced(4, 4), charFormat(kBodyPx, Token::kBad), piece.line); cursor_.insertText(qtext(piece.text));
    }
  }

  void heading(const report::Piece& piece) {
    QTextBlockFormat format = spaced(piece.level <= 2 ? 18 : 12, 4);
    format.setHeadingLevel(piece.level);
    const QTextCharFormat letters = charFormat(kHeadingPx[std::clamp(piece.level, 1, 4) - 1], Token::kText, true);
    block(format, letters, piece.line);
    words(piece.words, letters);
  }

  void item(const report::Piece& piece) {
    QTextBlockFormat format = spaced(2, 2);
    format.setLeftMargin(22), format.setTextIndent(-16);
    block(format, charFormat(kBodyPx), piece.line);
    cursor_.insertText(piece.kind == report::PieceKind::kBullet ? QString("•  ") : QString("%1. ").arg(piece.level), charFormat(kBodyPx));
    words(piece.words, charFormat(kBodyPx));
  }

  void code(const report::Piece& piece) {
    QTextBlockFormat format = spaced(0, 0);
    format.setBackground(ink(Token::kSurfaceSunken));
    for (const QString& each : qtext(piece.text).trimmed().split('\n')) block(format, charFormat(kSmallPx, Token::kText, false, true), piece.line), cursor_.insertText(each);
  }

  void notes(const report::Piece& piece) {
    for (const std::string& note : piece.notes) {
      block(spaced(0, 1), charFormat(kSmallPx, Token::kTextMuted), piece.line), cursor_.insertText(qtext(note));
    }
  }

  void picture(const report::Piece& piece) {
    QTextBlockFormat format;
    format.setTopMargin(12), format.setBottomMargin(2);
    block(format, charFormat(kBodyPx), piece.line);
    QTextCharFormat object;
    object.setObjectType(kPictureObject);
    object.setProperty(kPictureIndex, pictures_++);
    cursor_.insertText(QString(QChar::ObjectReplacementCharacter), object);
    caption(piece, spaced(0, 2));
    notes(piece);
  }

  void caption(const report::Piece& piece, QTextBlockFormat format) {
    format.setProperty(kBelow, true);
    block(format, charFormat(kBodyPx - 1, Token::kText, true), piece.line);
    cursor_.insertText(qtext(piece.caption));
  }

  void table(const report::Piece& piece) {
    QTextBlockFormat above = spaced(12, 3);
    above.setHeadingLevel(6);  // kept with the table
    block(above, charFormat(kBodyPx - 1, Token::kText, true), piece.line);
    cursor_.insertText(qtext(piece.caption));
    const bool many = piece.table.header.size() >= kManyColumns;
    rows(piece.table, piece.table.header.size() >= kMostColumns ? kSmallPx - 2 : many ? kSmallPx - 1 : kSmallPx + 1, many ? 7 : 12, piece.notes.empty() ? 16 : 4, piece.line);
    notes(piece);
  }

  // Rules above, below the head, and below, as books have them.
  void rows(const report::Table& table, int px, int gap, double below, int line) {
    const int count = static_cast<int>(table.rows.size()) + 1, columns = static_cast<int>(table.header.size());
    QTextTableFormat format;
    format.setBorder(0), format.setCellSpacing(0), format.setCellPadding(0), format.setBorderCollapse(true), format.setHeaderRowCount(1), format.setBottomMargin(below);
    QTextTable* made = cursor_.insertTable(count, columns, format);
    for (int row = 0; row < count; ++row)
      for (int column = 0; column < columns; ++column) {
        const auto at = static_cast<std::size_t>(column);
        static const report::Cell kNone;
        const report::Cell& cell = row == 0 ? kNone : table.rows[static_cast<std::size_t>(row) - 1][at];
        const QString text = row == 0 ? qtext(table.header[at]).replace(" (", QString(QChar::LineSeparator) + "(") : qtext(cell.text);
        QTextTableCell place = made->cellAt(row, column);
        QTextTableCellFormat look;
        look.setTopPadding(2), look.setBottomPadding(2), look.setRightPadding(column + 1 < columns ? gap : 0), look.setVerticalAlignment(row == 0 ? QTextCharFormat::AlignBottom : QTextCharFormat::AlignTop);
        const auto rule = [&](auto setWidth, auto setStyle, auto setBrush, double width) { (look.*setWidth)(width), (look.*setStyle)(QTextFrameFormat::BorderStyle_Solid), (look.*setBrush)(ink(Token::kText)); };
        if (row == 0) rule(&QTextTableCellFormat::setTopBorder, &QTextTableCellFormat::setTopBorderStyle, &QTextTableCellFormat::setTopBorderBrush, 1.2);
        if (row == 0) rule(&QTextTableCellFormat::setBottomBorder, &QTextTableCellFormat::setBottomBorderStyle, &QTextTableCellFormat::setBottomBorderBrush, 0.7);
        if (row + 1 == count) rule(&QTextTableCellFormat::setBottomBorder, &QTextTableCellFormat::setBottomBorderStyle, &QTextTableCellFormat::setBottomBorderBrush, 1.2);
        place.setFormat(look);
        QTextCursor in = place.firstCursorPosition();
        QTextBlockFormat aligned;
        aligned.setAlignment(table.right[at] ? Qt::AlignRight : Qt::AlignLeft);
        aligned.setNonBreakableLines(row == 0 || table.right[at] || (table.code && column == 0));  // else a narrow column breaks within words
        in.setBlockFormat(aligned);
        in.block().setUserState(line);
        in.insertText(text, charFormat(px, Token::kText, row == 0 || cell.bold, row > 0 && table.code && column == 0));
      }
    cursor_.setPosition(made->lastPosition() + 1);
    fresh_ = true;
  }

  void foot(const report::Footer& footer) {
    QTextBlockFormat format = spaced(24, 2);
    format.setHeadingLevel(4);
    block(format, charFormat(kSmallPx, Token::kTextMuted, true), 0);
    cursor_.insertText(QString("How this report is made again"));
    const QTextCharFormat small = charFormat(kSmallPx, Token::kTextMuted), mono = charFormat(kSmallPx, Token::kTextMuted, false, true);
    block(spaced(0, 0), mono, 0), cursor_.insertText(qtext(footer.command), mono);
    block(spaced(0, 4), small, 0);
    cursor_.insertText(footer.made.empty() ? QString("%1, store %2").arg(qtext(footer.version), qtext(footer.store)) : QString("%1, store %2, made %3").arg(qtext(footer.version), qtext(footer.store), qtext(footer.made)), small);
    if (footer.runs.empty()) return;
    QTextBlockFormat above = spaced(2, 3);
    above.setHeadingLevel(6);
    block(above, small, 0);
    cursor_.insertText(QString("A run again:") + " ", small), cursor_.insertText(report::kAgain, mono);
    report::Table table{.header = {"Run", "Seed", "Configuration", "Id", "State"}, .right = {false, true, false, false, false}};
    for (const report::FooterRun& run : footer.runs)
      table.rows.push_back({{.text = run.name}, {.text = std::to_string(run.seed)}, {.text = run.configuration}, {.text = run.id}, {.text = run.simulated ? run.state + ", simulated" : run.state}});
    rows(table, kSmallPx - 1, 12, 4, 0);
    block(spaced(0, 0), small, 0);
  }

  QTextCursor cursor_;
  bool fresh_ = true;  // the block of the cursor has nothing yet
  int pictures_ = 0;

 public:
  static constexpr int kBelow = QTextFormat::UserProperty + 2;  // of a block: it stands on the page of what is above it
};

// The block that begins a page too early: what follows it, and belongs to it, is on the next one. An invalid one: none.
QTextBlock apart(const QTextDocument& document) {
  const QAbstractTextDocumentLayout* layout = document.documentLayout();
  const double height = document.pageSize().height();
  const auto pageOf = [&](double y) { return static_cast<int>(y / height); };
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    const QTextBlock next = block.next();
    if (!next.isValid() || block.blockFormat().pageBreakPolicy() != QTextFormat::PageBreak_Auto) continue;
    const bool belongs = block.blockFormat().headingLevel() > 0 || next.blockFormat().boolProperty(Filler::kBelow);
    if (!belongs) continue;
    const double end = layout->blockBoundingRect(block).bottom() - 1, begin = layout->blockBoundingRect(next).top() + 1;
    const double firstLine = next.layout() && next.layout()->lineCount() > 0 ? layout->blockBoundingRect(next).top() + next.layout()->lineAt(0).rect().bottom() - 1 : begin;
    if (pageOf(end) == pageOf(firstLine)) continue;
    // What is apart from what is above it takes that along.
    QTextBlock first = block;
    while (first.blockFormat().boolProperty(Filler::kBelow) && first.previous().isValid()) first = first.previous();
    if (first.previous().isValid() && first.previous().blockFormat().headingLevel() > 0 && first.previous().blockFormat().pageBreakPolicy() == QTextFormat::PageBreak_Auto) first = first.previous();
    if (first.blockFormat().pageBreakPolicy() == QTextFormat::PageBreak_Auto && first != document.begin()) return first;
  }
  return {};
}

}  // namespace

void keepTogether(QTextDocument& document) {
  for (int pass = 0; pass < kKeepPasses; ++pass) {
    const QTextBlock block = apart(document);
    if (!block.isValid()) return;
    QTextCursor cursor(block);
    QTextBlockFormat format = block.blockFormat();
    format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    cursor.setBlockFormat(format);
    document.setPageSize(document.pageSize());  // lays all out: what comes after it, tables too, moves
  }
}

void preparePaper(QTextDocument& document, ReportPictures& pictures) {
  document.setUndoRedoEnabled(false);
  document.setDefaultFont(paperFont(kBodyPx));
  document.setUseDesignMetrics(true);
  document.documentLayout()->registerHandler(kPictureObject, &pictures);
}

void fillPaper(QTextDocument& document, const report::Report& report) { Filler(document).fill(report); }

QByteArray pdfOf(const report::Report& report, ReportPictures& pictures) {
  const auto px = [](double mm) { return mm / kMmPerInch * kDpi; };
  const QSizeF a4 = QPageSize(QPageSize::A4).size(QPageSize::Millimeter);
  const QSizeF room(kPaperPx, px(a4.height() - 2 * kMarginMm - kFootMm));
  QTextDocument document;
  preparePaper(document, pictures);
  document.setDocumentMargin(0);
  fillPaper(document, report);
  document.setPageSize(room);
  keepTogether(document);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setCreator(qtext(report.footer.version));
  writer.setTitle(qtext(report.title));
  writer.setResolution(kPdfDpi);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF(0, 0, 0, 0));
  QPainter painter(&writer);
  painter.scale(kPdfDpi / kDpi, kPdfDpi / kDpi);
  const int pages = document.pageCount();
  for (int page = 0; page < pages; ++page) {
    if (page > 0) writer.newPage();
    painter.save();
    painter.translate(px(kMarginMm), px(kMarginMm) - page * room.height());
    QAbstractTextDocumentLayout::PaintContext context;
    context.clip = QRectF(0, page * room.height(), room.width(), room.height());
    context.palette.setColor(QPalette::Text, ink(Token::kText));
    painter.setClipRect(context.clip);
    document.documentLayout()->draw(&painter, context);
    painter.restore();
    painter.setFont(paperFont(kSmallPx - 1));
    painter.setPen(ink(Token::kTextMuted));
    const QRectF foot(px(kMarginMm), px(a4.height() - kMarginMm - kFootMm / 2), kPaperPx, px(kFootMm / 2));
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom, QStringList{qtext(report.title), qtext(report.footer.version)}.join(report.title.empty() ? "" : " · "));
    painter.drawText(foot, Qt::AlignRight | Qt::AlignBottom, QString("page %1 of %2").arg(page + 1).arg(pages));
  }
  painter.end();
  return bytes;
}

}  // namespace paceline::reports
