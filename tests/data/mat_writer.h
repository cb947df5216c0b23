// MATLAB level 5 files for the tests.
#pragma once

#include <algorithm>
#include <string>

#include "tests/data/idx_files.h"

namespace paceline::tests {

inline void addBytes(Bytes& bytes, const Bytes& more) {  // not insert(): g++ 12 warns of it where it sees an empty vector
  const std::size_t at = bytes.size();
  bytes.resize(at + more.size());
  std::copy(more.begin(), more.end(), bytes.data() + at);
}

inline void addWord(Bytes& bytes, std::uint32_t value) {
  addBytes(bytes, {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)});
}

inline void addElement(Bytes& bytes, std::uint32_t type, const Bytes& content) {
  addWord(bytes, type);
  addWord(bytes, static_cast<std::uint32_t>(content.size()));
  addBytes(bytes, content);
  bytes.resize((bytes.size() + 7) / 8 * 8);
}

inline Bytes wordsOf(const std::vector<std::uint32_t>& values) {
  Bytes bytes;
  for (const std::uint32_t value : values) addWord(bytes, value);
  return bytes;
}

// One array: its class (9: uint8, 6: double), element type (2: uint8, 9: double) and values as bytes of that type.
inline Bytes matArray(const std::string& name, const std::vector<std::uint32_t>& dimensions, const Bytes& values, std::uint32_t kind = 9, std::uint32_t type = 2) {
  Bytes content;
  addElement(content, 6, wordsOf({kind, 0}));
  addElement(content, 5, wordsOf(dimensions));
  if (name.size() <= 4) {  // the short form, as MATLAB writes it
    addWord(content, static_cast<std::uint32_t>(name.size()) << 16 | 1);
    Bytes letters(name.begin(), name.end());
    letters.resize(4);
    addBytes(content, letters);
  } else {
    addElement(content, 1, Bytes(name.begin(), name.end()));
  }
  addElement(content, type, values);
  Bytes bytes;
  addElement(bytes, 14, content);
  return bytes;
}

inline Bytes packed(const Bytes& array) {  // a compressed element; not padded
  uLongf size = compressBound(array.size());
  Bytes content(size);
  compress(content.data(), &size, array.data(), array.size());
  Bytes bytes;
  addWord(bytes, 15);
  addWord(bytes, static_cast<std::uint32_t>(size));
  content.resize(size);
  addBytes(bytes, content);
  return bytes;
}

inline Bytes matFile(const std::vector<Bytes>& elements) {
  std::string header = "MATLAB 5.0 MAT-file, made by a test";
  header.resize(124, ' ');
  Bytes bytes(header.begin(), header.end());
  addBytes(bytes, {0, 1, 'I', 'M'});
  for (const Bytes& element : elements) addBytes(bytes, element);
  return bytes;
}

// X of 32 x 32 x 3 x N and y of N as SVHN has them.
inline Bytes digitsFile(const Bytes& pixels, const Bytes& labels) {
  const auto count = static_cast<std::uint32_t>(labels.size());
  return matFile({packed(matArray("X", {32, 32, 3, count}, pixels)), packed(matArray("y", {count, 1}, labels))});
}

}  // namespace paceline::tests
