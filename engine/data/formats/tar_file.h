// Members of a tar archive, plain or gzip. Pure function, any thread.
// Throws Error{kFile, kFormat}; each message names the archive and what is wrong.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace paceline::formats {

// The regular files whose last name is one of `names`, in whatever folder of the archive; each at most `limit` bytes and there once.
// The gzip stream is read to its end, so that its checksum has been verified.
std::map<std::string, std::vector<std::uint8_t>> readTar(const std::string& path, const std::vector<std::string>& names, std::uint64_t limit);

}  // namespace paceline::formats
