#include "app/ui/manual/manual_window.h"

#include <algorithm>

#include <QDesktopServices>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextFrame>
#include <QTextList>
#include <QTextTable>
#include <QTimer>
#include <QUrl>

#include "app/ui/widgets/controls.h"

namespace paceline::manual {
namespace {

constexpr int kWidth = 1080, kHeight = 760, kContentsWidth = 280;  // px at normal text
constexpr double kCellPadding = 5, kParagraphGap = 8, kItemGap = 3;

QString anchorOfBlock(const QTextBlock& block) { return block.blockFormat().headingLevel() > 0 ? Book::anchorOf(block.text()) : QString(); }

// What Qt's Markdown leaves plain: the frames of tables, the ground of code.
void dress(QTextDocument& document) {
  const widgets::Theme& theme = widgets::Theme::instance();
  for (QTextFrame* frame : document.rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (table == nullptr) continue;
    QTextTableFormat format = table->format();
    format.setBorder(1), format.setBorderCollapse(true), format.setCellPadding(kCellPadding), format.setCellSpacing(0);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(theme.colour(widgets::Token::kBorder));
    format.setTopMargin(widgets::kGap), format.setBottomMargin(widgets::kGap);
    table->setFormat(format);
  }
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    QTextBlockFormat format;
    if (block.blockFormat().hasProperty(QTextFormat::BlockCodeFence) || block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage)) {
      format.setBackground(theme.colour(widgets::Token::kSurfaceSunken));
      format.setLeftMargin(widgets::kGap), format.setRightMargin(widgets::kGap);
      cursor.mergeBlockFormat(format);
      cursor.select(QTextCursor::BlockUnderCursor);
      QTextCharFormat letters;
      letters.setFont(theme.font(widgets::TextRole::kMono));
      cursor.mergeCharFormat(letters);
    } else if (block.blockFormat().headingLevel() > 0) {
      format.setTopMargin(block.blockFormat().headingLevel() == 1 ? 0 : widgets::kGroupGap);
      cursor.mergeBlockFormat(format);
    } else if (cursor.currentTable() == nullptr) {
      format.setBottomMargin(block.textList() == nullptr ? kParagraphGap : kItemGap);
      cursor.mergeBlockFormat(format);
    }
  }
}

}  // namespace

ManualWindow::ManualWindow(QWidget* window)
    : QWidget(window, Qt::Window), typed_(widgets::searchField(tr("Search the manual"), "manualSearch", [this](const QString&) { followSearch(); })), back_(widgets::toolButton("back", tr("Back (Alt+Left)"))),
      forward_(widgets::toolButton("chevron-right", tr("Forward (Alt+Right)"))) {
  setWindowTitle(tr("Manual"));
  setObjectName("manual");
  contents_->setObjectName("manualContents");
  contents_->setAccessibleName(tr("Contents"));
  contents_->header()->hide();
  hits_->setObjectName("manualHits");
  hits_->setAccessibleName(tr("Found"));
  hits_->setWordWrap(true);
  hits_->setSpacing(widgets::kGap / 2);
  hits_->hide();
  text_->setObjectName("manualText");
  text_->setAccessibleName(tr("Text of the manual"));
  text_->setOpenLinks(false);
  text_->document()->setDocumentMargin(widgets::kPageMargin);
  forward_->setText("→"), forward_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  QWidget* left = widgets::boxed(widgets::down({{widgets::across({{back_}, {forward_}, {typed_, 1}})}, {contents_, 1}, {hits_, 1}}, {widgets::kGap, widgets::kGap, 0, widgets::kGap}));
  setLayout(widgets::down({{widgets::splitter(Qt::Horizontal, {{left, widgets::scaled(kContentsWidth)}, {text_, widgets::scaled(kWidth - kContentsWidth), 1}}), 1}}, {}, 0));
  fill();
  connect(contents_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    if (item) open({item->data(0, Qt::UserRole).toString(), item->data(0, Qt::UserRole + 1).toString()});
  });
  const auto take = [this](const QListWidgetItem* item) { open({item->data(Qt::UserRole).toString(), item->data(Qt::UserRole + 1).toString()}); };
  connect(hits_, &QListWidget::itemActivated, this, take);
  connect(hits_, &QListWidget::itemClicked, this, take);
  connect(typed_, &QLineEdit::returnPressed, this, [this, take] {
    if (hits_->count() > 0) hits_->setCurrentRow(0), take(hits_->item(0));
  });
  connect(text_, &QTextBrowser::anchorClicked, this, &ManualWindow::follow);
  connect(back_, &QToolButton::clicked, this, [this] { step(-1); });
  connect(forward_, &QToolButton::clicked, this, [this] { step(1); });
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { shown_.clear(), display(place_); });
  resize(widgets::scaled(kWidth), widgets::scaled(kHeight));
  text_->setFocus();
}

void ManualWindow::fill() {
  for (const Chapter& chapter : book_.chapters()) {
    std::vector<QTreeWidgetItem*> above;  // by level
    for (const Section& section : chapter.sections) {
      above.resize(std::min<std::size_t>(above.size(), static_cast<std::size_t>(section.level) - 1));
      auto* item = above.empty() ? new QTreeWidgetItem(contents_) : new QTreeWidgetItem(above.back());
      item->setText(0, section.title);
      item->setToolTip(0, section.title);
      item->setData(0, Qt::UserRole, chapter.file);
      item->setData(0, Qt::UserRole + 1, section.level == 1 ? QString() : section.anchor);
      above.push_back(item);
    }
  }
}

void ManualWindow::open(const Place& place) {
  if (book_.section(place) == nullptr) return;
  if (at_ < 0 || history_[static_cast<std::size_t>(at_)] != place) {
    history_.resize(static_cast<std::size_t>(at_ + 1));
    history_.push_back(place), ++at_;
  }
  display(place);
}

void ManualWindow::display(const Place& place) {
  const Chapter* chapter = book_.chapter(place.file);
  if (chapter == nullptr) return;
  place_ = place;
  if (shown_ != place.file) {
    text_->document()->setDefaultFont(widgets::Theme::instance().font(widgets::TextRole::kBody));
    text_->setMarkdown(chapter->markdown);
    dress(*text_->document());
    shown_ = place.file;
  }
  goTo(place.anchor);
  back_->setEnabled(at_ > 0), forward_->setEnabled(at_ + 1 < static_cast<int>(history_.size()));
  setWindowTitle(tr("Manual: %1").arg(chapter->title));
  const QSignalBlocker quiet(contents_);
  for (QTreeWidgetItemIterator item(contents_); *item; ++item)
    if ((*item)->data(0, Qt::UserRole) == place.file && (*item)->data(0, Qt::UserRole + 1) == place.anchor) {
      contents_->setCurrentItem(*item);
      (*item)->setExpanded(true);
      contents_->scrollToItem(*item);
    }
}

// The heading comes to the top.
void ManualWindow::goTo(const QString& anchor) {
  QTextBlock block = text_->document()->begin();
  while (!anchor.isEmpty() && block.isValid() && anchorOfBlock(block) != anchor) block = block.next();
  QTextCursor cursor(block.isValid() ? block : text_->document()->begin());
  text_->moveCursor(QTextCursor::End);  // so that the next step scrolls up to it, not down to where it just is seen
  text_->setTextCursor(cursor);
  text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->value() + text_->cursorRect(cursor).top() - widgets::kGap);
}

void ManualWindow::follow(const QUrl& link) {
  if (const auto place = book_.ofLink(link.toString(), place_.file)) open(*place);
  else if (link.scheme().startsWith("http")) QDesktopServices::openUrl(link);
}

void ManualWindow::step(int by) {
  const int next = at_ + by;
  if (next < 0 || next >= static_cast<int>(history_.size())) return;
  at_ = next;
  display(history_[static_cast<std::size_t>(at_)]);
}

void ManualWindow::search(const QString& words) { typed_->setText(words); }

void ManualWindow::followSearch() {
  const QString words = typed_->text();
  hits_->clear();
  for (const Hit& hit : book_.find(words)) {
    auto* item = new QListWidgetItem(hit.words.isEmpty() ? hit.title : hit.title + "\n" + hit.words, hits_);
    item->setData(Qt::UserRole, hit.place.file);
    item->setData(Qt::UserRole + 1, hit.place.anchor);
  }
  if (!words.trimmed().isEmpty() && hits_->count() == 0) {
    auto* nothing = new QListWidgetItem(tr("Nothing in the manual has all of these words."), hits_);
    nothing->setFlags(Qt::NoItemFlags);
  }
  hits_->setVisible(!words.trimmed().isEmpty());
  contents_->setVisible(words.trimmed().isEmpty());
}

// Only now its text has a width, and headings their places.
void ManualWindow::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  QTimer::singleShot(0, this, [this] { goTo(place_.anchor); });
}

void ManualWindow::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Back)) return step(-1);
  if (event->matches(QKeySequence::Forward)) return step(1);
  if (event->matches(QKeySequence::Find)) return widgets::focusAll(typed_);
  if (event->key() == Qt::Key_Escape) return close(), void();
  QWidget::keyPressEvent(event);
}

}  // namespace paceline::manual
