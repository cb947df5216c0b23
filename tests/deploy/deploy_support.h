// Pieces of tests of deployment that need no supervisor.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "engine/core/base/error.h"
#include "tests/support/failure.h"

namespace paceline::tests {

std::string contentOf(const std::filesystem::path& path);

}  // namespace paceline::tests
