#include "engine/nn/precision.h"

#include <ATen/autocast_mode.h>
#include <torch/version.h>

#include <algorithm>
#include <iterator>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

// LibTorch 2.4 gave these functions a device; those before it are deprecated since.
void cast(bool enabled, at::ScalarType type, const c10::Device& device) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
  at::autocast::set_autocast_dtype(device.type(), type);
  at::autocast::set_autocast_enabled(device.type(), enabled);
#else
  if (device.is_cuda()) {
    at::autocast::set_autocast_gpu_dtype(type);
    at::autocast::set_enabled(enabled);
  } else {
    at::autocast::set_autocast_cpu_dtype(type);
    at::autocast::set_cpu_enabled(enabled);
  }
#endif
}

at::ScalarType typeOf(Precision precision) { return precision == Precision::kFloat16 ? at::kHalf : at::kBFloat16; }

}  // namespace

Precision precisionOf(const std::string& word) {
  const auto found = std::ranges::find(kPrecisions, word);
  PACELINE_CHECK(found != std::end(kPrecisions), strCat("precision \"", word, "\""));
  return static_cast<Precision>(found - std::begin(kPrecisions));
}

void checkPrecision(Precision precision, const std::string& device, const std::string& node) {
  if (precision == Precision::kFloat16 && device == "cpu")
    throw Error(Errc::kUnsupported, strCat("/model/params/precision: fp16 needs a GPU, and worker \"", node, "\" computes on cpu; bf16 works there"));
}

CastForward::CastForward(Precision precision, const c10::Device& device) : precision_(precision), device_(device) {
  if (precision_ == Precision::kFloat32) return;
  kept_ = at::autocast::is_autocast_cache_enabled();
  at::autocast::set_autocast_cache_enabled(false);
  cast(true, typeOf(precision_), device_);
}

CastForward::~CastForward() {
  if (precision_ == Precision::kFloat32) return;
  cast(false, typeOf(precision_), device_);
  at::autocast::set_autocast_cache_enabled(kept_);
}

bool LossScale::taken(bool finite) {
  constexpr int kStepsToGrow = 2000;
  if (!finite && factor_ > 1) {
    factor_ /= 2, steps_ = 0;
    return false;
  }
  if (finite && ++steps_ == kStepsToGrow) factor_ *= 2, steps_ = 0;
  return true;
}

}  // namespace paceline
