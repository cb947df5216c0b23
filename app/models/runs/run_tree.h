// The runs that can be compared as a tree: runs that differ only in their seed are one entry, and no two entries have one name. Pure functions.
#pragma once

#include <vector>

#include <QString>

#include "app/models/runs/runs_model.h"

namespace paceline::runs {

struct TreeRun {
  const RunItem* item;
  QString name;    // in a group "seed 2"; alone the entry's
  QString remark;  // "failed, no data"; "": it is whole
};

struct TreeEntry {
  QString name;    // "two small SSGD", of several such "two small SSGD, CIFAR-10": what differs between them, as in the table of results
  QString remark;  // "3 runs, 1 no data"; of a run that stands alone its own
  std::vector<TreeRun> runs;
  bool group = false;
};

// In the order of `items`; drafts and what is in the trash are left out. Valid as long as the items are.
std::vector<TreeEntry> runTree(const std::vector<const RunItem*>& items, const Titles& titles);

bool isEmpty(const RunItem& item);  // it ended and has neither accuracy nor throughput

}  // namespace paceline::runs
