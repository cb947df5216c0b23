// Pieces of tests of deployment that need no supervisor.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "engine/core/base/error.h"

namespace paceline::tests {

std::string contentOf(const std::filesystem::path& path);
std::string failureOf(const std::function<void()>& act, Errc code);  // its message; fails the test when there is none or another code

}  // namespace paceline::tests
