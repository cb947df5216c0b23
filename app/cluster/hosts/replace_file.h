// Replaces a small file: all of it or nothing, also after a power cut; only the user may read it (0600). One thread per file.
// Throws Error{kNoSpace, kFile} naming the file.
#pragma once

#include <filesystem>
#include <string>

namespace paceline::hosts {

void replaceFile(const std::filesystem::path& path, const std::string& text);

}  // namespace paceline::hosts
