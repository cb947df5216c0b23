#include "app/ui/clusters/host_pane.h"

#include <QScrollArea>
#include <algorithm>

#include "app/models/clusters/host_checks.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/clusters/host_check_list.h"
#include "app/ui/clusters/host_disk_card.h"
#include "app/ui/clusters/host_facts_card.h"
#include "app/ui/clusters/host_marks.h"

namespace paceline::clusters {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

const check::CheckLine* changedKey(const HostItem& item) {
  const auto line = std::find_if(item.lines.begin(), item.lines.end(), [](const check::CheckLine& each) { return each.id == "key" && each.state == check::CheckState::kBad; });
  return line == item.lines.end() ? nullptr : &*line;
}

}  // namespace

HostPane::HostPane(Shell& shell, QWidget* parent)
    : QFrame(parent), shell_(shell), body_(new QWidget), name_(new widgets::ElidedLabel), where_(new widgets::ElidedLabel), badge_(new widgets::StateBadge),
      problem_(new QFrame), nothing_(widgets::label("Select a host to see its details.", "muted")), checks_(new HostCheckList),
      disk_(new HostDiskCard(shell)), facts_(new HostFactsCard(shell)) {
  setObjectName("pane");
  setMinimumWidth(372);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(body_);
  body_->setObjectName("plain");
  outer->addWidget(scroll);
  auto* column = new QVBoxLayout(body_);
  column->setContentsMargins(widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap);
  column->setSpacing(widgets::kGap);
  column->addWidget(nothing_);
  buildHead(column);
  buildProblem(column);
  buildChecks(column);
  column->addWidget(widgets::horizontalLine());
  column->addWidget(disk_);
  column->addWidget(widgets::horizontalLine());
  column->addWidget(facts_);
  column->addStretch(1);
  connect(&shell_.hosts, &HostsModel::reloaded, this, &HostPane::follow);
  connect(&shell_.hosts, &HostsModel::changed, this, [this](const QString& host) {
    if (host.toStdString() == host_) follow();
  });
  connect(&shell_.catalogue, &Catalogue::changed, this, &HostPane::follow);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &HostPane::follow);
  connect(facts_, &HostFactsCard::dataAddressChosen, this, [this](const std::string& address) {
    const HostItem* item = shell_.hosts.find(host_);
    if (!item || item->entry.dataAddress == address) return;
    hosts::HostEntry after = item->entry;
    after.dataAddress = address;
    emit changeAsked(item->entry, after);
  });
  follow();
}

void HostPane::buildHead(QVBoxLayout* column) {
  name_->setProperty("role", "section");
  where_->setProperty("role", "caption");
  column->addWidget(name_);
  auto* state = new QHBoxLayout;
  state->addWidget(badge_);
  state->addWidget(where_, 1);
  column->addLayout(state);
  check_ = widgets::button("Check all", "refresh");
  check_->setObjectName("checkHost");
  edit_ = widgets::button("Edit", "draft");
  remove_ = widgets::button("Remove", "trash");
  edit_->setObjectName("editHost");
  remove_->setObjectName("removeHost");
  auto* row = new QHBoxLayout;
  row->setSpacing(widgets::kGap);
  for (QPushButton* each : {check_, edit_, remove_}) row->addWidget(each);
  row->addStretch(1);
  column->addLayout(row);
  connect(check_, &QPushButton::clicked, this, [this] {
    const HostItem* item = shell_.hosts.find(host_);
    item && item->checking ? shell_.checks.stop(host_) : shell_.checks.check(host_);
  });
  connect(edit_, &QPushButton::clicked, this, [this] { emit editAsked(host_); });
  connect(remove_, &QPushButton::clicked, this, [this] { emit removeAsked(host_); });
}

void HostPane::buildProblem(QVBoxLayout* column) {
  problem_->setObjectName("problem");
  auto* box = new QVBoxLayout(problem_);
  box->setContentsMargins(12, widgets::kGap, 12, widgets::kGap);
  problemTitle_ = widgets::label("");
  problemTitle_->setWordWrap(true);
  problemText_ = new widgets::BreakingLabel;
  problemText_->setObjectName("hostProblem");
  box->addWidget(problemTitle_);
  box->addWidget(problemText_);
  QPushButton* copy = widgets::button("Copy", "copy");
  box->addWidget(copy, 0, Qt::AlignLeft);
  connect(copy, &QPushButton::clicked, problemText_, &widgets::BreakingLabel::copy);
  column->addWidget(problem_);
}

void HostPane::buildChecks(QVBoxLayout* column) {
  column->addWidget(checks_);
  connect(checks_, &HostCheckList::recheck, this, [this](const std::string& id) { shell_.checks.check(host_, id); });
}

void HostPane::setHost(const std::string& host) {
  host_ = host;
  disk_->setHost(host);
  follow();
}

void HostPane::follow() {
  const HostItem* item = shell_.hosts.find(host_);
  nothing_->setVisible(!item);
  for (QWidget* each : body_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
    if (each != nothing_ && each != problem_) each->setVisible(item != nullptr);
  if (!item) return problem_->hide();
  const bool local = host_ == "local";
  name_->setFullText(local ? "This computer" : text(item->entry.name));
  where_->setFullText(local ? "always there, as host local" : QString("%1, %2").arg(item->entry.kind == "slurm" ? "Slurm" : "SSH", item->address()));
  badge_->setMark(standingMark(item->standing()), standingWord(item->standing()));
  check_->setText(item->checking ? "Stop checking" : "Check all");
  edit_->setEnabled(!item->checking && !item->deploying);
  remove_->setVisible(!local);
  remove_->setEnabled(edit_->isEnabled());
  checks_->setLines(item->lines.empty() ? check::plannedChecks() : item->lines, item->checking);
  followProblem(*item);
  disk_->follow();
  facts_->show(*item);
}

// What went wrong with the last action; above it all a key that is not the one we know: there is no way around it from here.
void HostPane::followProblem(const HostItem& item) {
  const check::CheckLine* key = changedKey(item);
  const QString failure = key ? QStringList{text(key->found), text(key->advice)}.join("\n") : item.failure.isEmpty() ? item.waiting : item.failure;
  problem_->setVisible(!failure.isEmpty());
  const bool waits = !key && item.failure.isEmpty();
  problemTitle_->setText(key ? "Not connected: the key of this host is not trusted" : waits ? "Waiting" : "What went wrong");
  problemText_->setFullText(failure);
  problem_->setStyleSheet(QString("QFrame#problem { background: %1; border: 1px solid %2; border-left: 3px solid %3; border-radius: 6px; }")
                              .arg(widgets::hex(widgets::Token::kSurface), widgets::hex(widgets::Token::kBorder), widgets::hex(waits ? widgets::Token::kAccent : widgets::Token::kBad)));
  problemTitle_->setStyleSheet(QString("color: %1; font-weight: 600;").arg(widgets::hex(waits ? widgets::Token::kAccent : widgets::Token::kBad)));
}

}  // namespace paceline::clusters
