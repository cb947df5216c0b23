// Named arrays in files: .npy (mapped), .npz (unpacked once into this user's cache), safetensors (mapped), CSV (a column an array), and folders of .npy.
// What a file promises is compared with what it has before memory is taken. Throws Error{kFile} when a file cannot be read, Error{kFormat} when its
// bytes are off, Error{kNoSpace} when the cache is full; each message names file, array or line, and value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace paceline::formats {

enum class ArrayType { kBool, kUint8, kInt8, kInt16, kUint16, kInt32, kUint32, kInt64, kFloat16, kBfloat16, kFloat32, kFloat64 };

const char* arrayTypeName(ArrayType type);  // "float32", as NumPy calls it
std::size_t sizeOf(ArrayType type);         // bytes of an element
bool isWhole(ArrayType type);               // bool and integers

struct Array {
  std::string name, source;         // source: file and array, for messages
  ArrayType type = ArrayType::kFloat32;
  std::vector<std::int64_t> dims;   // row major; the first counts samples
  const std::byte* data = nullptr;  // little-endian, maybe not aligned
  std::shared_ptr<const void> memory;

  std::size_t elements() const;
  double real(std::size_t index) const;           // of an element
  std::int64_t whole(std::size_t index) const;    // isWhole() only
};

bool mayHaveArrays(const std::string& path);  // by what it is called, a folder by what is in it

// All arrays of a file or a folder, by name. CSV: the first line names the columns, each is an array of float64 with one dimension; int64 where every
// value is a whole number.
std::vector<Array> arraysIn(const std::string& path);

// The values of a Python literal like NumPy's header, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }": what an .npy file has at its begin.
struct NpyHeader {
  ArrayType type = ArrayType::kFloat32;
  std::vector<std::int64_t> dims;
  std::size_t dataAt = 0;   // bytes from the begin of the file
  std::size_t bytes = 0;    // of the data
};
NpyHeader npyHeader(std::string_view begin, const std::string& source);  // begin: the first bytes of the file, up to kNpyHeaderBytes of them
constexpr std::size_t kNpyHeaderBytes = std::size_t{1} << 16;

[[noreturn]] void refuseArray(const std::string& source, const std::string& what);  // Error{kFormat}

}  // namespace paceline::formats
