// How many samples the other nodes have told that they trained on. Of a worker's loop; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/comm/transport/fields.h"
#include "engine/core/base/archive.h"
#include "engine/core/base/error.h"

namespace paceline {

struct OthersSamples {
  std::map<int, std::int64_t> of;  // by node, as it last told

  void state(Archive& archive) {
    std::vector<double> numbers;
    for (const auto& [node, samples] : of) numbers.insert(numbers.end(), {static_cast<double>(node), static_cast<double>(samples)});
    archive.numbers("others_samples", numbers);
    if (!archive.loading()) return;
    bool sound = numbers.size() % 2 == 0;
    for (std::size_t i = 0; sound && i < numbers.size(); i += 2) {
      sound = isWhole<int>(numbers[i]) && isWhole<std::int64_t>(numbers[i + 1]);
      if (sound) of[static_cast<int>(numbers[i])] = static_cast<std::int64_t>(numbers[i + 1]);
    }
    if (!sound) throw Error(Errc::kFormat, "\"others_samples\" in the checkpoint is no list of nodes with their samples");
  }
};

}  // namespace paceline
