#include "app/ui/clusters/host_pane.h"

#include <algorithm>

#include "app/models/words.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::clusters {
namespace {

const check::CheckLine* changedKey(const HostItem& item) {
  const auto line = std::find_if(item.lines.begin(), item.lines.end(), [](const check::CheckLine& each) { return each.id == "key" && each.state == check::CheckState::kBad; });
  return line == item.lines.end() ? nullptr : &*line;
}

}  // namespace

HostPane::HostPane(Shell& shell)
    : widgets::ScrollPane(372), shell_(shell), name_(new widgets::ElidedLabel("section")), where_(new widgets::ElidedLabel("caption")), badge_(new widgets::StateBadge),
      check_(widgets::button("Check all", "refresh", [this] { checkOrStop(); }, {.name = "checkHost"})),
      edit_(widgets::button("Edit", "draft", [this] { emit editAsked(host_); }, {.name = "editHost"})),
      remove_(widgets::button("Remove", "trash", [this] { emit removeAsked(host_); }, {.name = "removeHost"})), problem_(new QFrame),
      nothing_(widgets::label("Select a host to see its details.", "muted")) {
  cards_ = {hostChecks(shell_), hostDisk(shell_), hostFacts(shell_, [this](const std::string& address) {
              const HostItem* item = shell_.hosts.find(host_);
              if (!item || item->entry.dataAddress == address) return;
              hosts::HostEntry after = item->entry;
              after.dataAddress = address;
              emit changeAsked(after, after.name);
            })};
  buildProblem();
  widgets::addAll(column(), {nothing_, name_, widgets::across({badge_, {where_, 1}}), widgets::across({check_, edit_, remove_, widgets::room()}), problem_, cards_[0],
                             widgets::horizontalLine(), cards_[1], widgets::horizontalLine(), cards_[2], widgets::room()});
  connect(&shell_.hosts, &HostsModel::reloaded, this, &HostPane::follow);
  connect(&shell_.hosts, &HostsModel::changed, this, [this](const QString& host) {
    if (host.toStdString() == host_) follow();
  });
  connect(&shell_.catalogue, &Catalogue::changed, this, &HostPane::follow);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &HostPane::follow);
  follow();
}

void HostPane::buildProblem() {
  problem_->setObjectName("problem");
  problemTitle_ = widgets::wrapped(widgets::label(""));
  problemText_ = new widgets::BreakingLabel;
  problemText_->setObjectName("hostProblem");
  QPushButton* copy = widgets::copyButton("Copy", [this] { return problemText_->fullText(); });
  problem_->setLayout(widgets::down({problemTitle_, problemText_, {copy, 0, Qt::AlignLeft}}, {12, widgets::kGap, 12, widgets::kGap}));
}

void HostPane::checkOrStop() {
  const HostItem* item = shell_.hosts.find(host_);
  item && item->checking ? shell_.checks.stop(host_) : shell_.checks.check(host_);
}

void HostPane::setHost(const std::string& host) {
  host_ = host;
  follow();
}

void HostPane::follow() {
  const HostItem* item = shell_.hosts.find(host_);
  nothing_->setVisible(!item);
  for (QWidget* each : inside()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
    if (each != nothing_ && each != problem_) each->setVisible(item != nullptr);
  if (!item) return problem_->hide();
  const bool local = host_ == "local";
  name_->setFullText(local ? "This computer" : qtext(item->entry.name));
  where_->setFullText(local ? "always there, as host local" : QString("%1, %2").arg(item->entry.kind == "slurm" ? "Slurm" : "SSH", item->address()));
  badge_->setMark(widgets::standingMark(item->standing()), standingWord(item->standing()));
  check_->setText(item->checking ? "Stop checking" : "Check all");
  edit_->setEnabled(!item->checking && !item->deploying);
  remove_->setVisible(!local);
  remove_->setEnabled(edit_->isEnabled());
  followProblem(*item);
  for (HostCard* each : cards_) each->present(*item);
}

// What went wrong with the last action; above it all a key that is not the one we know: there is no way around it from here.
void HostPane::followProblem(const HostItem& item) {
  const check::CheckLine* key = changedKey(item);
  const QString failure = key ? QStringList{qtext(key->found), qtext(key->advice)}.join("\n") : item.failure.isEmpty() ? item.waiting : item.failure;
  problem_->setVisible(!failure.isEmpty());
  const bool waits = !key && item.failure.isEmpty();
  problemTitle_->setText(key ? "Not connected: the key of this host is not trusted" : waits ? "Waiting" : "What went wrong");
  problemText_->setFullText(failure);
  const QString colour = widgets::hex(waits ? widgets::Token::kAccent : widgets::Token::kBad);
  problem_->setStyleSheet(QString("QFrame#problem { background: %1; border: 1px solid %2; border-left: 3px solid %3; border-radius: 6px; }")
                              .arg(widgets::hex(widgets::Token::kSurface), widgets::hex(widgets::Token::kBorder), colour));
  problemTitle_->setStyleSheet(QString("color: %1; font-weight: 600;").arg(colour));
}

}  // namespace paceline::clusters
