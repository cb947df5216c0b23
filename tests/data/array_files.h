// Files of arrays, as NumPy writes them.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "tests/data/idx_files.h"

namespace paceline::tests {

inline std::string writeBytes(const TempFolder& folder, const std::string& name, const std::string& bytes) {
  std::ofstream(folder / name, std::ios::binary) << bytes;
  return folder / name;
}

template <class T>
std::string rawBytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
template <class T>
std::string rawBytes(std::initializer_list<T> values) { return rawBytes(std::vector<T>(values)); }

template <class Number>
std::string little(Number value) {
  return rawBytes<Number>({value});
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data, const std::string& fortran = "False") {
  std::string header = strCat("{'descr': '", descr, "', 'fortran_order': ", fortran, ", 'shape': ", shape, ", }");
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + little(static_cast<std::uint16_t>(header.size())) + header + data;
}

enum class Packed : std::uint16_t { kStored = 0, kDeflated = 8 };

// A zip file of one member.
inline std::string zipOf(const std::string& name, const std::string& content, Packed how) {
  std::string packed = content;
  if (how == Packed::kDeflated) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
    packed.resize(deflateBound(&stream, content.size()));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data())), stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data()), stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
  }
  const std::string common = little(std::uint16_t{20}) + little(std::uint16_t{0}) + little(static_cast<std::uint16_t>(how)) + std::string(4, '\0') + little(crc32(content)) +
                             little(static_cast<std::uint32_t>(packed.size())) + little(static_cast<std::uint32_t>(content.size())) + little(static_cast<std::uint16_t>(name.size())) +
                             little(std::uint16_t{0});
  const std::string local = "PK\x03\x04" + common + name + packed;
  const std::string directory = "PK\x01\x02" + little(std::uint16_t{20}) + common + std::string(14, '\0') + name;
  return local + directory + "PK\x05\x06" + std::string(4, '\0') + little(std::uint16_t{1}) + little(std::uint16_t{1}) + little(static_cast<std::uint32_t>(directory.size())) +
         little(static_cast<std::uint32_t>(local.size())) + std::string(2, '\0');
}

}  // namespace paceline::tests
