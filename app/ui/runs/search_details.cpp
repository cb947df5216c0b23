#include "app/ui/runs/search_details.h"

#include <QHeaderView>

#include "app/models/words.h"

namespace paceline::runs {
namespace {

constexpr int kMostRows = 12;  // then the table scrolls

}  // namespace

SearchDetails::SearchDetails(Shell& shell) : shell_(shell), table_(widgets::table(model_, "searchTable", tr("Points that were tried"))) {
  setObjectName("searchDetails");
  sentence_->setObjectName("searchSentence");
  why_->setObjectName("searchWhy");
  const auto suite = [this] { return model_.story().suite; };
  hold_ = widgets::button(tr("Hold the search"), "", [this, suite] { shell_.queue.holdSearch(suite(), true); }, {.name = "holdSearch", .help = tr("No further run begins; those under way go on")});
  go_ = widgets::button(tr("Go on"), "play", [this, suite] { shell_.queue.holdSearch(suite(), false); }, {.name = "goSearch", .help = tr("The search chooses further points")});
  end_ = widgets::button(tr("End the search"), "stop", [this, suite] {
    if (widgets::sure(this, tr("End the search"), tr("Its runs are stopped; what it found so far stands."))) shell_.queue.endSearch(suite());
  }, {.kind = "bad", .name = "endSearch"});
  setLayout(widgets::down({sentence_, table_, why_, widgets::across({hold_, go_, end_, widgets::room()})}));
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SearchDetails::followChosen);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    if (const std::string run = model_.runOf(index.row()); shell_.runs.find(run)) shell_.openRun(run);
  });
}

void SearchDetails::present(const recorder::SearchStory* story) {
  setVisible(story != nullptr);
  if (story == nullptr) return;
  const auto catalog = shell_.catalogue.get();
  const Titles titles = catalog ? titlesOf(*catalog) : Titles();
  model_.present(*story, titles);
  widgets::fitRows(table_, kMostRows);
  sentence_->setFullText(searchSentence(*story, story->sentence, titles));
  hold_->setVisible(!story->ended && !story->held);
  go_->setVisible(!story->ended && story->held);
  end_->setVisible(!story->ended);
  followChosen();
}

// Of the point that is chosen; none: nothing, for the sentence says why the newest one is tried.
void SearchDetails::followChosen() {
  const QString why = model_.whyOf(table_->currentIndex().row());
  why_->setFullText(why);
  why_->setVisible(!why.isEmpty());
}

}  // namespace paceline::runs
