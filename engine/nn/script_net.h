// A network that a TorchScript file defines, behind the face of built-in ones. Torch inside; engine/nn only. Loading such a file runs what is in it:
// only nodes, and processes with limits (limitThisProcess()), do.
#pragma once

#include <memory>
#include <string>

#include "engine/nn/model.h"

namespace paceline {

class ScriptNet : public Net {
 public:
  virtual bool draws() const = 0;               // random numbers in training (dropout and the like), of LibTorch's generator of this process
  virtual bool hasImageWeights() const = 0;     // some of four dimensions
  virtual bool hasStatistics() const = 0;       // of batch normalisation
  virtual bool hasMetrics() const = 0;
};

// `name` is what messages call it, `bytes` the file. Throws Error{kSpec} with one sentence: no TorchScript, one of a newer LibTorch, no parameters, no forward().
std::shared_ptr<ScriptNet> scriptNet(const std::string& name, const std::string& bytes);

}  // namespace paceline
