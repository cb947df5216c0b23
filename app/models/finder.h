// What typed words find among many names: the best first. Pure.
#pragma once

#include <vector>

#include <QString>

namespace paceline {

// How well a name is found by what was typed; 0: not at all. Every typed word must be in `name` or `more` (whatever its case); the begin of the name
// counts most, then the begin of a word in it, then any place in it, last `more`. A name is better the less of it was not typed.
int matchOf(const QString& typed, const QString& name, const QString& more = {});

struct Findable {
  QString name, more = {};  // more: found by it too, but later: an id, tags
};

// Places in `all` of the `most` best, equal ones in their order there. Nothing typed: the first ones.
std::vector<int> bestMatches(const QString& typed, const std::vector<Findable>& all, int most);

}  // namespace paceline
