// Keys of a run as its recorder makes them: every node's own, and everybody's public ones.
#pragma once

#include <string>
#include <vector>

#include <zmq.h>

#include "engine/core/record/control.h"

namespace paceline::tests {

inline std::vector<DataKeys> runKeys(const std::string& mode, std::size_t nodes) {
  constexpr std::size_t kZ85 = 41;  // with the final zero
  std::vector<DataKeys> keys(nodes);
  std::vector<std::string> publics;
  for (DataKeys& own : keys) {
    char open[kZ85], secret[kZ85];
    zmq_curve_keypair(open, secret);
    own.mode = mode;
    own.secret = secret;
    publics.emplace_back(open);
  }
  for (DataKeys& own : keys) own.publics = publics;
  return keys;
}

}  // namespace paceline::tests
