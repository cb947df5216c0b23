// Reader of MATLAB level 5 files (v5 to v7, little-endian), compressed or not: arrays of whole numbers. Pure function, any thread.
// Throws Error{kFile} when the file cannot be read and Error{kFormat} when its bytes are off; each message names file and value.
// Format: "MAT-File Format", The MathWorks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace paceline::formats {

struct MatArray {
  std::vector<std::uint32_t> dimensions;  // the first varies fastest
  std::vector<std::uint8_t> bytes;        // their product; each value was a whole number in 0 .. 255
};

// The arrays of these names. Memory grows with what the file has, not with what it promises.
std::map<std::string, MatArray> readMat(const std::string& path, const std::vector<std::string>& names);

}  // namespace paceline::formats
