// The numbers that travel with a worker's exchanges with the servers (fields.h).
#pragma once

#include <vector>

#include "engine/comm/transport/fields.h"

namespace paceline {

struct LayerFields {  // kInit: where the shard's layers end, as elements of the shard; empty: the method does not ask
  std::vector<double> ends = {};
  template <class S, class V> static void fields(S& s, V& v) { v.rest(s.ends); }
};

struct PushFields {
  double rate = 0;           // factor of the values
  std::int64_t samples = 0;  // trained since the last push
  std::vector<double> extra = {};
  template <class S, class V> static void fields(S& s, V& v) { v.real(s.rate), v.count(s.samples), v.rest(s.extra); }
};

struct ReplyFields {
  double staleness = 0;
  std::int64_t samples = 0;  // trained by all
  template <class S, class V> static void fields(S& s, V& v) { v.real(s.staleness), v.count(s.samples); }
};

struct Verdict {  // kAnswer to a yes-or-no question
  bool yes = false;
  template <class S, class V> static void fields(S& s, V& v) { v.choice(s.yes, true); }
};

}  // namespace paceline
