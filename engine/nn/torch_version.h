// Which release of LibTorch a process runs on: versions as text. No torch in this header. Pure functions.
#pragma once

#include <string>

namespace paceline {

std::string torchVersionIn(const std::string& buildSettings);                     // of at::show_config(); "": it does not say
bool sameTorchRelease(const std::string& one, const std::string& other);  // major and minor: LibTorch keeps its binary interface no longer

}  // namespace paceline
