#include "app/ui/clusters/host_check_list.h"

#include <QGridLayout>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::clusters {

namespace {

constexpr int kTitleWidth = 118, kIcon = 16;

QString detailOf(const check::CheckLine& line) {
  if (line.state != check::CheckState::kBad && line.state != check::CheckState::kWarning) return {};
  QStringList parts;
  if (!line.expected.empty()) parts << "Expected: " + qtext(line.expected);
  if (!line.advice.empty()) parts << qtext(line.advice);
  return parts.join("\n");
}

}  // namespace

class CheckRow : public QWidget {
 public:
  CheckRow()
      : mark_(new QLabel), title_(widgets::label("")), found_(new widgets::BreakingLabel("muted")), word_(widgets::label("", "caption")), detail_(new widgets::BreakingLabel),
        again_(widgets::toolButton("refresh", "Check again")) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 4, 0, 4);
    grid->setHorizontalSpacing(widgets::kGap);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(2, 1);
    title_->setFixedWidth(static_cast<int>(kTitleWidth * std::max(1.0, widgets::Theme::instance().scale())));
    again_->setStyleSheet("min-height: 16px; max-height: 16px; padding: 0 4px;");
    grid->addWidget(mark_, 0, 0, Qt::AlignTop);
    grid->addWidget(title_, 0, 1, Qt::AlignTop);
    grid->addWidget(found_, 0, 2, Qt::AlignTop);
    grid->addWidget(word_, 0, 3, Qt::AlignTop | Qt::AlignRight);
    grid->addWidget(again_, 0, 4, Qt::AlignTop);
    grid->addWidget(detail_, 1, 1, 1, 4);
    connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &CheckRow::paintMark);
  }

  void setLine(const check::CheckLine& line, bool busy) {
    line_ = line;
    title_->setText(qtext(line.title));
    QString found = qtext(line.found);
    if (found.isEmpty() && line.state == check::CheckState::kGood) found = qtext(line.expected);
    found_->setFullText(found);
    detail_->setFullText(detailOf(line));
    detail_->setVisible(!detail_->fullText().isEmpty());
    again_->setEnabled(!busy);
    again_->setToolTip("Check \"" + qtext(line.title) + "\" again");
    again_->setAccessibleName(again_->toolTip());
    again_->setObjectName("recheck-" + qtext(line.id));
    setAccessibleName(QString("%1: %2. %3").arg(qtext(line.title), check::checkStateName(line.state), found));
    paintMark();
  }
  const check::CheckLine& line() const { return line_; }
  QToolButton* again() const { return again_; }

 private:
  void paintMark() {
    const widgets::StateMark mark = checkMark(line_.state);
    mark_->setPixmap(widgets::iconPixmap(mark.icon, widgets::Theme::instance().colour(mark.token), kIcon, devicePixelRatioF()));
    word_->setText(check::checkStateName(line_.state));
    word_->setStyleSheet(QString("color: %1;").arg(widgets::hex(mark.token)));
    widgets::setLook(detail_, "role", line_.state == check::CheckState::kBad ? "finding" : "warning");
  }

  check::CheckLine line_;
  QLabel *mark_, *title_;
  widgets::BreakingLabel* found_;
  QLabel* word_;
  widgets::BreakingLabel* detail_;
  QToolButton* again_;
};

HostCheckList::HostCheckList(QWidget* parent) : QWidget(parent), column_(widgets::down({}, {}, 0)) {
  setLayout(column_);
}

void HostCheckList::setLines(const std::vector<check::CheckLine>& lines, bool busy) {
  while (rows_.size() < lines.size()) {
    auto* row = new CheckRow;
    rows_.push_back(row);
    column_->addWidget(row);
    connect(row->again(), &QToolButton::clicked, this, [this, row] { emit recheck(row->line().id); });
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i]->setVisible(i < lines.size());
    if (i < lines.size()) rows_[i]->setLine(lines[i], busy);
  }
}

widgets::StateMark standingMark(HostStanding standing) {
  static constexpr widgets::StateMark kMarks[] = {{"draft", widgets::Token::kTextMuted}, {"running", widgets::Token::kAccent}, {"imported", widgets::Token::kAccent},
                                         {"finished", widgets::Token::kOk},     {"warning", widgets::Token::kWarn},   {"failed", widgets::Token::kBad}};
  return kMarks[static_cast<std::size_t>(standing)];
}

widgets::StateMark checkMark(check::CheckState state) {
  switch (state) {
    case check::CheckState::kWaiting: return {"waiting", widgets::Token::kTextMuted};
    case check::CheckState::kRunning: return standingMark(HostStanding::kChecking);
    case check::CheckState::kGood: return standingMark(HostStanding::kReady);
    case check::CheckState::kWarning: return standingMark(HostStanding::kWarnings);
    case check::CheckState::kBad: return standingMark(HostStanding::kProblem);
    case check::CheckState::kSkipped: break;
  }
  return {"stopped", widgets::Token::kTextMuted};
}

}  // namespace paceline::clusters
