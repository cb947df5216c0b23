#include "app/models/clusters/hosts_model.h"

namespace paceline::clusters {

HostsFilter::HostsFilter(QObject* parent) : QSortFilterProxyModel(parent) { setSortRole(HostsModel::kSortRole); }

void HostsFilter::setWords(const QString& words) {
  words_ = words.toLower().split(' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

void HostsFilter::setStates(States states) {
  states_ = states;
  invalidateFilter();
}

bool HostsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, 0, parent);
  const auto standing = static_cast<HostStanding>(index.data(HostsModel::kStandingRole).toInt());
  if (states_ == kUsable && standing != HostStanding::kReady && standing != HostStanding::kWarnings) return false;
  if (states_ == kProblems && standing != HostStanding::kProblem && standing != HostStanding::kWarnings) return false;
  const QString text = index.data(HostsModel::kSearchRole).toString();
  for (const QString& word : words_)
    if (!text.contains(word)) return false;
  return true;
}

bool HostsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const auto local = [](const QModelIndex& index) { return index.data(HostsModel::kHostRole).toString() == "local"; };
  if (local(left) || local(right)) return local(left) == (sortOrder() == Qt::AscendingOrder);
  const QVariant a = left.data(HostsModel::kSortRole), b = right.data(HostsModel::kSortRole);
  if (a.typeId() == QMetaType::QString) return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
  return a.toDouble() < b.toDouble();
}

}  // namespace paceline::clusters
