// One trial of the campaign: a document and what is done to its nodes while it runs, both drawn by seed. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/json/json_text.h"
#include "engine/core/spec/catalog.h"

namespace paceline::tests {

enum class Harm {
  kNone,
  kKill,     // SIGKILL
  kFreeze,   // SIGSTOP; its host ends it after node_silent_s
  kPause,    // SIGSTOP, and SIGCONT before that
  kCut,      // what others have to say to it does not come any more
  kSpoil,    // one byte of that is another
  kVanish,   // by the document
};
const char* harmName(Harm harm);

struct Blow {
  Harm harm = Harm::kNone;
  std::string victim;
  std::int64_t round = 1;  // of the coordinator, when it happens
};

struct Trial {
  std::uint64_t seed = 0;
  Json document;
  std::vector<Blow> blows;
  std::string text() const;  // "seed 17: ssp, 4 workers, 2 servers, curve; kill w2 in round 30"
};

// Every method, aggregation, protection and wire format of the catalogue has its chance.
Trial trialOf(std::uint64_t seed, const Catalog& catalog);

}  // namespace paceline::tests
