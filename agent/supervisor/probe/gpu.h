// NVIDIA's GPUs of this host as JSON text: {"source": "nvml", "driver": "550.54", "gpus": [{"index", "name", "uuid", "memory_bytes",
// "memory_free_bytes"}]}.
// All three ask a driver that may hang or bring the process down: call them in a part of the probe (probe_parts.h) only.
// They throw Error{kHost} with the reason when they find no way to ask.
#pragma once

#include <string>

namespace paceline::probe {

std::string gpusFromNvml();       // libnvidia-ml.so.1, opened at run time
std::string gpusFromNvidiaSmi();  // the program, found through PATH
std::string gpusFromProc(const std::string& folder = "/proc/driver/nvidia");  // names only: memory is 0; no folder: no GPUs

}  // namespace paceline::probe
