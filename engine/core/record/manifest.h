// What a deployed set of files consists of. The desktop writes it, the agent of a host reads it; neither believes the other. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paceline {

constexpr std::int64_t kMaxFrameBytes = 1 << 20;  // of a file, in one compressed frame of a transfer

struct ManifestFile {
  std::string path;  // relative, with '/'
  bool program = false;  // may be executed
  std::int64_t size = 0;
  std::string sha256;
  bool operator==(const ManifestFile&) const = default;
};

struct Manifest {
  std::string paceline;  // version of those who made it
  std::vector<ManifestFile> files;
  std::string id() const;  // 32 hex digits of the SHA-256 over all files
};

bool isHash(std::string_view text, std::size_t digits);  // lower-case hex

std::string toJsonText(const Manifest& manifest);
// Throws Error{kFormat} with one sentence: no manifest, a path that leaves the folder or is there twice, a size or a hash that cannot be.
Manifest parseManifest(std::string_view text);

}  // namespace paceline
