#include "engine/data/formats/arrays.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/base/vec.h"

namespace paceline::formats {
namespace {

struct TypeRow {
  ArrayType type;
  const char* name;
  const char* numpy;  // its descr, without the byte order; "": NumPy has none
  std::size_t bytes;
  bool whole;
};
constexpr TypeRow kTypes[] = {
    {ArrayType::kBool, "bool", "b1", 1, true},        {ArrayType::kUint8, "uint8", "u1", 1, true},     {ArrayType::kInt8, "int8", "i1", 1, true},
    {ArrayType::kInt16, "int16", "i2", 2, true},      {ArrayType::kUint16, "uint16", "u2", 2, true},   {ArrayType::kInt32, "int32", "i4", 4, true},
    {ArrayType::kUint32, "uint32", "u4", 4, true},    {ArrayType::kInt64, "int64", "i8", 8, true},     {ArrayType::kFloat16, "float16", "f2", 2, false},
    {ArrayType::kBfloat16, "bfloat16", "", 2, false}, {ArrayType::kFloat32, "float32", "f4", 4, false}, {ArrayType::kFloat64, "float64", "f8", 8, false}};
const TypeRow& rowOf(ArrayType type) { return kTypes[static_cast<std::size_t>(type)]; }

template <class T>
T loaded(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostDims = 32;


// What follows `'key':` in a Python dict, without blanks at its begin.
std::string_view valueOf(std::string_view dict, std::string_view key, const std::string& source) {
  const std::string quoted = strCat("'", key, "':");
  const std::size_t at = dict.find(quoted);
  if (at == std::string_view::npos) refuseArray(source, strCat("its NumPy header has no ", key));
  std::string_view rest = dict.substr(at + quoted.size());
  return rest.substr(std::min(rest.size(), rest.find_first_not_of(' ')));
}

ArrayType typeOf(std::string_view value, const std::string& source) {
  if (value.starts_with('[')) refuseArray(source, "is an array of records; save each of their fields as an array of its own");
  const std::size_t end = value.starts_with('\'') ? value.find('\'', 1) : std::string_view::npos;
  if (end == std::string_view::npos) refuseArray(source, "its NumPy header has no type");
  const std::string_view descr = value.substr(1, end - 1);
  if (descr.ends_with('O')) refuseArray(source, "holds Python objects, which are code (pickle); save numbers, with rows of equal length");
  if (descr.starts_with('>')) refuseArray(source, strCat("is big-endian (", quotable(descr), "); save it with .astype(\"<", quotable(descr.substr(1)), "\")"));
  for (const TypeRow& row : kTypes)
    if (*row.numpy != 0 && descr.substr(1) == row.numpy) return row.type;
  refuseArray(source, strCat("is of type ", quotable(descr), "; bool, whole numbers of up to 64 bits and floats of 16 to 64 bits can be used"));
}

std::vector<std::int64_t> dimsOf(std::string_view value, const std::string& source) {
  const std::size_t end = value.starts_with('(') ? value.find(')') : std::string_view::npos;
  if (end == std::string_view::npos) refuseArray(source, "its NumPy header has no shape");
  std::vector<std::int64_t> dims;
  const char* at = value.data() + 1;
  const char* const last = value.data() + end;
  while (true) {
    while (at != last && (*at == ' ' || *at == ',')) ++at;
    if (at == last) return dims;
    std::int64_t size = 0;
    const auto [next, error] = std::from_chars(at, last, size);
    if (error != std::errc() || size < 0 || dims.size() == kMostDims) refuseArray(source, strCat("its shape cannot be: ", quotable(value.substr(0, end + 1))));
    dims.push_back(size), at = next;
  }
}

}  // namespace

void refuseArray(const std::string& source, const std::string& what) { throw Error(Errc::kFormat, strCat(source, ": ", what)); }

const char* arrayTypeName(ArrayType type) { return rowOf(type).name; }
std::size_t sizeOf(ArrayType type) { return rowOf(type).bytes; }
bool isWhole(ArrayType type) { return rowOf(type).whole; }

std::size_t Array::elements() const {
  std::size_t count = 1;
  for (const std::int64_t size : dims) count *= static_cast<std::size_t>(size);
  return count;
}

double Array::real(std::size_t index) const {
  const std::byte* at = data + index * sizeOf(type);
  switch (type) {
    case ArrayType::kFloat16: return fromHalf(loaded<std::uint16_t>(at));
    case ArrayType::kBfloat16: return std::bit_cast<float>(static_cast<std::uint32_t>(loaded<std::uint16_t>(at)) << 16);
    case ArrayType::kFloat32: return loaded<float>(at);
    case ArrayType::kFloat64: return loaded<double>(at);
    default: return static_cast<double>(whole(index));
  }
}

std::int64_t Array::whole(std::size_t index) const {
  const std::byte* at = data + index * sizeOf(type);
  switch (type) {
    case ArrayType::kBool:
    case ArrayType::kUint8: return loaded<std::uint8_t>(at);
    case ArrayType::kInt8: return loaded<std::int8_t>(at);
    case ArrayType::kInt16: return loaded<std::int16_t>(at);
    case ArrayType::kUint16: return loaded<std::uint16_t>(at);
    case ArrayType::kInt32: return loaded<std::int32_t>(at);
    case ArrayType::kUint32: return loaded<std::uint32_t>(at);
    case ArrayType::kInt64: return loaded<std::int64_t>(at);
    default: throw InvariantError("a whole number of an array of floats");
  }
}

NpyHeader npyHeader(std::string_view begin, const std::string& source) {
  if (!begin.starts_with(kMagic) || begin.size() < 12) refuseArray(source, "is no .npy file: it does not begin with \\x93NUMPY");
  const auto version = static_cast<unsigned char>(begin[6]);
  const std::size_t lengthBytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3) refuseArray(source, strCat("is of version ", int{version}, " of the .npy format; versions 1 to 3 are known"));
  std::size_t length = 0;
  for (std::size_t i = lengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(begin[8 + i]);
  NpyHeader header{.type = {}, .dims = {}, .dataAt = 8 + lengthBytes + length, .bytes = 0};
  if (header.dataAt > begin.size()) refuseArray(source, strCat("ends within its NumPy header of ", length, " bytes, or that is longer than ", kNpyHeaderBytes));
  const std::string_view dict = begin.substr(8 + lengthBytes, length);
  header.type = typeOf(valueOf(dict, "descr", source), source);
  header.dims = dimsOf(valueOf(dict, "shape", source), source);
  const auto sides = std::ranges::count_if(header.dims, [](std::int64_t size) { return size > 1; });
  if (!valueOf(dict, "fortran_order", source).starts_with("False") && sides > 1)
    refuseArray(source, "lies in Fortran order; save np.ascontiguousarray(...) of it");
  double bytes = static_cast<double>(sizeOf(header.type));
  header.bytes = sizeOf(header.type);
  for (const std::int64_t size : header.dims) bytes *= static_cast<double>(size), header.bytes *= static_cast<std::size_t>(size);
  if (bytes > 9e18) refuseArray(source, "its shape has more elements than can be");
  return header;
}

}  // namespace paceline::formats
