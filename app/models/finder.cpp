#include "app/models/finder.h"

#include <algorithm>
#include <numeric>

namespace paceline {
namespace {

constexpr int kBegin = 400, kWord = 300, kInside = 200, kMore = 100;  // a longer name takes off up to 99

int matchOfWord(const QString& word, const QString& name, const QString& more) {
  int best = 0;
  for (qsizetype at = name.indexOf(word, 0, Qt::CaseInsensitive); at >= 0; at = name.indexOf(word, at + 1, Qt::CaseInsensitive))
    best = std::max(best, at == 0 ? kBegin : !name[at - 1].isLetterOrNumber() ? kWord : kInside);
  if (best > 0) return best;
  return more.contains(word, Qt::CaseInsensitive) ? kMore : 0;
}

}  // namespace

int matchOf(const QString& typed, const QString& name, const QString& more) {
  const QStringList words = typed.split(' ', Qt::SkipEmptyParts);
  if (words.isEmpty()) return 1;
  int least = kBegin;
  for (const QString& word : words) least = std::min(least, matchOfWord(word, name, more));
  return least == 0 ? 0 : least - static_cast<int>(std::min<qsizetype>(99, std::max<qsizetype>(0, name.size() - typed.trimmed().size())));
}

std::vector<int> bestMatches(const QString& typed, const std::vector<Findable>& all, int most) {
  std::vector<int> match(all.size()), found;
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((match[i] = matchOf(typed, all[i].name, all[i].more)) > 0) found.push_back(static_cast<int>(i));
  const auto better = [&match](int a, int b) {
    const int of = match[static_cast<std::size_t>(a)], other = match[static_cast<std::size_t>(b)];
    return of != other ? of > other : a < b;
  };
  const auto kept = found.begin() + std::min<std::ptrdiff_t>(most, std::ssize(found));
  std::partial_sort(found.begin(), kept, found.end(), better);
  found.erase(kept, found.end());
  return found;
}

}  // namespace paceline
