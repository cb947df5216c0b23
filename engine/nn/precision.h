// Forward and backward passes in 16 bits: LibTorch casts what its operations read, parameters and their gradients stay 32-bit floats. Torch inside;
// engine/nn only.
#pragma once

#include <c10/core/Device.h>

#include <string>

namespace paceline {

enum class Precision { kFloat32, kBfloat16, kFloat16 };
inline constexpr const char* kPrecisions[] = {"fp32", "bf16", "fp16"};  // what the parameter "precision" of models calls them
Precision precisionOf(const std::string& word);
// fp16 has too few exponents for gradients without loss scaling, and LibTorch computes in it on GPUs only. Throws Error{kUnsupported} that names the node.
void checkPrecision(Precision precision, const std::string& device, const std::string& node);

// While it lives, this thread's operations on the device cast what they read where LibTorch's autocast does: convolutions and products to 16 bits, losses and
// sums to 32. Casts are not kept: parameters change between steps.
class CastForward {
 public:
  CastForward(Precision precision, const c10::Device& device);
  ~CastForward();
  CastForward(const CastForward&) = delete;
  CastForward& operator=(const CastForward&) = delete;

 private:
  Precision precision_;
  c10::Device device_;
  bool kept_ = true;  // whether casts were, before
};

// The factor of a loss in fp16, so that small gradients do not vanish. PyTorch's GradScaler: 2^16, doubled after 2000 steps in a row, halved where the
// gradient is not finite. Such a step is not left out: its backward pass is repeated. A power of two changes no bit of what is in range.
class LossScale {
 public:
  double factor() const { return factor_; }
  bool taken(bool finite);  // false: the backward pass is to be repeated with factor(), which is smaller. At 1 every gradient is taken

 private:
  double factor_ = 65536;
  int steps_ = 0;
};

}  // namespace paceline
