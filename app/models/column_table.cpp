#include "app/models/column_table.h"

#include <algorithm>

namespace paceline {
namespace {

QVariant aligned(bool number) { return QVariant(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft)); }

}  // namespace

QVariant ColumnTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows() || index.column() >= columnCount()) return {};
  if (role == Qt::TextAlignmentRole) return aligned(heading(index.column()).number);
  const QVariant found = cell(index.row(), index.column(), role);
  return role == Qt::ToolTipRole && found.toString().isEmpty() ? cell(index.row(), index.column(), Qt::DisplayRole) : found;  // a cell may be cut
}

QVariant ColumnTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::DisplayRole) return tr(heading(section).title);
  if (role == Qt::ToolTipRole) return help(section);
  return role == Qt::TextAlignmentRole ? aligned(heading(section).number) : QVariant();
}

void ColumnTable::rowsChanged(int first, int last, const QList<int>& roles) {
  if (first <= last) emit dataChanged(index(first, 0), index(last, columnCount() - 1), roles);
}

QStringList wordsOf(const QString& typed) { return typed.simplified().split(' ', Qt::SkipEmptyParts); }

bool hasWords(const QString& text, const QStringList& words) {
  return std::ranges::all_of(words, [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

void WordsFilter::setWords(const QString& words) {
  words_ = wordsOf(words);
  invalidateFilter();
}

void WordsFilter::setAccepts(Accepts accepts) {
  accepts_ = std::move(accepts);
  invalidateFilter();
}

bool WordsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, 0, parent);
  return (!accepts_ || accepts_(index)) && hasWords(index.data(textRole_).toString(), words_);
}

}  // namespace paceline
