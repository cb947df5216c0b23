// Views of the Runs page that a person named: what it filters, how it sorts, which columns it hides. In the settings; the same in every window. GUI thread.
#pragma once

#include <vector>

#include <QList>
#include <QString>

namespace paceline::runs {

struct RunView {
  QString name, words;
  int states = 0, column = 0;  // as RunRows has them
  bool descending = false;
  QList<int> hidden;           // columns
  bool operator==(const RunView&) const = default;
};

std::vector<RunView> savedViews();     // by name
void saveView(const RunView& view);    // in the place of one of that name
void deleteView(const QString& name);

}  // namespace paceline::runs
