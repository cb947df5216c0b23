// An all-reduce of a library that the exchange must not see: LibTorch's, made in engine/nn and used by engine/comm. One thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/base/vec.h"

namespace paceline {

// What the ranks of a collective tell each other (addresses, ids) before it has connections of its own. Throws the errors of the run's messages.
class Board {
 public:
  virtual ~Board() = default;
  virtual void tell(const std::string& key, const std::vector<char>& value) = 0;  // to all ranks, this one too; a later value replaces the first
  virtual std::vector<char> hear(const std::string& key) = 0;                     // waits until some rank has told it
};

struct CollectiveSetup {
  int rank = 0, world = 1;
  std::string device = "cpu";  // the worker's; the vectors lie in host memory all the same
  std::string address = "127.0.0.1";  // where this rank listens
  std::chrono::seconds timeout{};  // of one call: a rank that hangs is waited for so long
};

class Collective {
 public:
  virtual ~Collective() = default;  // closes its connections, so that ranks that wait for this one fail
  // Sum over all ranks, in place; all call it in the same order with vectors of the same size. Throws Error{kHost} with the library's reason.
  virtual void sum(std::span<Real> data) = 0;
};

// Connects this rank to the others. Throws Error{kHost}, and what the board throws.
using CollectiveFactory = std::function<std::unique_ptr<Collective>(const CollectiveSetup&, Board&)>;

}  // namespace paceline
