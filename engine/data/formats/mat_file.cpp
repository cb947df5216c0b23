#include "engine/data/formats/mat_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "engine/core/base/error.h"

namespace paceline::formats {

namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 32;  // values of one array
constexpr std::uint64_t kHeader = 128;
constexpr std::uint32_t kMatrix = 14, kCompressed = 15;  // element types
constexpr std::uint32_t kComplex = 0x0800;               // array flag

struct Tag {
  std::uint32_t type = 0, size = 0;
  std::array<std::uint8_t, 4> small{};  // its values where they fit into the tag
  bool isSmall = false;
};

std::uint32_t word(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
}

// Bytes of one value of a numeric element type; 0: no such type that could hold whole numbers.
std::size_t widthOf(std::uint32_t type) {
  switch (type) {
    case 1: case 2: return 1;          // int8, uint8
    case 3: case 4: return 2;          // int16, uint16
    case 5: case 6: case 7: return 4;  // int32, uint32, single
    case 9: case 12: case 13: return 8;  // double, int64, uint64
    default: return 0;
  }
}

template <class T>
double as(const std::uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

double valueOf(std::uint32_t type, const std::uint8_t* bytes) {
  switch (type) {
    case 1: return as<std::int8_t>(bytes);
    case 2: return bytes[0];
    case 3: return as<std::int16_t>(bytes);
    case 4: return as<std::uint16_t>(bytes);
    case 5: return as<std::int32_t>(bytes);
    case 6: return as<std::uint32_t>(bytes);
    case 7: return as<float>(bytes);
    case 9: return as<double>(bytes);
    case 12: return as<std::int64_t>(bytes);
    default: return as<std::uint64_t>(bytes);
  }
}

class ArrayReader {
 public:
  ArrayReader(MatStream& stream, const std::string& path) : stream_(stream), path_(path) {}

  // Nothing where the name is none of `names`. The stream may then stand anywhere.
  std::optional<MatArray> read(const std::vector<std::string>& names, std::string& name) {
    const std::vector<std::uint8_t> flags = element("flags", 6, 8);
    if (flags.size() < 4) refuse(strCat("the flags of an array have ", flags.size(), " bytes, expected 8"));
    const std::vector<std::uint8_t> sizes = element("dimensions", 5, 8 * 4);
    const std::vector<std::uint8_t> letters = element("name", 1, 256);
    name.assign(letters.begin(), letters.end());
    if (std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
    const std::uint32_t kind = flags[0];
    if (kind < 6 || kind > 15 || (word(flags.data()) & kComplex) != 0) refuse(strCat("array ", name, " is of class ", kind, ", expected real numbers"));
    MatArray array;
    const std::uint64_t count = dimensionsOf(name, sizes, array);
    values(name, count, array);
    return array;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw Error(Errc::kFormat, strCat(path_, ": ", why)); }

  Tag tag(const char* what) {
    std::array<std::uint8_t, 8> bytes;
    stream_.require(bytes.data(), bytes.size(), what);
    Tag found;
    found.type = word(bytes.data());
    found.size = word(bytes.data() + 4);
    if (found.type >> 16 == 0) return found;
    found.isSmall = true;
    found.size = found.type >> 16;
    found.type &= 0xffff;
    if (found.size > 4) refuse(strCat("the ", what, " of an array are ", found.size, " bytes in 4"));
    std::copy(bytes.begin() + 4, bytes.end(), found.small.begin());
    return found;
  }

  std::vector<std::uint8_t> element(const char* what, std::uint32_t type, std::size_t most) {
    const Tag found = tag(what);
    if (found.type != type || found.size > most)
      refuse(strCat("the ", what, " of an array are ", found.size, " bytes of type ", found.type, ", expected at most ", most, " of type ", type));
    if (found.isSmall) return {found.small.begin(), found.small.begin() + found.size};
    std::vector<std::uint8_t> bytes(found.size);
    stream_.require(bytes.data(), bytes.size(), what);
    stream_.skip((8 - found.size % 8) % 8, what);
    return bytes;
  }

  std::uint64_t dimensionsOf(const std::string& name, const std::vector<std::uint8_t>& sizes, MatArray& array) const {
    if (sizes.size() % 4 != 0 || sizes.size() < 8) refuse(strCat("the dimensions of array ", name, " have ", sizes.size(), " bytes"));
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < sizes.size(); i += 4) {
      const std::uint32_t size = word(sizes.data() + i);
      array.dimensions.push_back(size);
      if (size != 0 && count > kLimit / size) refuse(strCat("array ", name, " promises more than ", kLimit, " values"));
      count *= size;
    }
    return count;
  }

  void values(const std::string& name, std::uint64_t count, MatArray& array) {
    const Tag found = tag("values");
    const std::size_t width = widthOf(found.type);
    if (width == 0) refuse(strCat("the values of array ", name, " have type ", found.type, ", expected whole numbers"));
    if (found.size != count * width)
      refuse(strCat("the dimensions of array ", name, " promise ", count, " values of ", width, " bytes, it has ", found.size, " bytes"));
    if (found.isSmall) return convert(name, found.type, width, found.small.data(), static_cast<std::size_t>(count), array);
    std::vector<std::uint8_t> block;
    const std::size_t most = (std::size_t{1} << 20) / width;
    for (std::uint64_t done = 0; done < count;) {
      const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(most, count - done));
      block.resize(now * width);
      stream_.require(block.data(), block.size(), "values");
      convert(name, found.type, width, block.data(), now, array);
      done += now;
    }
  }

  void convert(const std::string& name, std::uint32_t type, std::size_t width, const std::uint8_t* from, std::size_t count, MatArray& array) const {
    if (type == 2) return static_cast<void>(array.bytes.insert(array.bytes.end(), from, from + count));
    for (std::size_t i = 0; i < count; ++i) {
      const double value = valueOf(type, from + i * width);
      if (!(value >= 0 && value <= 255 && value == static_cast<int>(value)))
        refuse(strCat("value ", value, " at position ", array.bytes.size(), " of array ", name, " is no whole number from 0 to 255"));
      array.bytes.push_back(static_cast<std::uint8_t>(value));
    }
  }

  MatStream& stream_;
  const std::string& path_;
};

void requireHeader(const std::string& path, const std::array<char, kHeader>& header, std::uint64_t size) {
  if (size < kHeader) throw Error(Errc::kFormat, strCat(path, ": has ", size, " bytes, a MATLAB file begins with ", kHeader));
  const std::string_view text(header.data(), header.size());
  if (text.starts_with("MATLAB 7.3") || text.substr(0, 4) == "\x89HDF")
    throw Error(Errc::kFormat, strCat(path, ": is a MATLAB 7.3 file (HDF5), expected level 5 (v7 or older)"));
  if (text.substr(126, 2) == "MI") throw Error(Errc::kFormat, strCat(path, ": is a big-endian MATLAB file, expected little-endian"));
  if (text.substr(126, 2) != "IM" || header[125] != 1) throw Error(Errc::kFormat, strCat(path, ": is no MATLAB level 5 file"));
}

}  // namespace

std::map<std::string, MatArray> readMat(const std::string& path, const std::vector<std::string>& names) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) throw Error(Errc::kFile, strCat(path, ": cannot be read: ", error.message()));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Errc::kFile, strCat(path, ": cannot be opened: ", std::strerror(errno)));
  std::array<char, kHeader> header{};
  file.read(header.data(), header.size());
  requireHeader(path, header, size);

  std::map<std::string, MatArray> arrays;
  std::array<std::uint8_t, 8> bytes{};
  for (std::uint64_t at = kHeader; at + bytes.size() <= size && arrays.size() < names.size();) {
    file.clear();
    file.seekg(static_cast<std::streamoff>(at));
    file.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    if (!file) throw Error(Errc::kFile, strCat(path, ": cannot be read at byte ", at));
    const std::uint32_t type = word(bytes.data()), length = word(bytes.data() + 4);
    at += bytes.size();
    if (length > size - at) throw Error(Errc::kFormat, strCat(path, ": is truncated: an element of ", length, " bytes begins at byte ", at, " of ", size));
    at += length;
    if (type != kMatrix && type != kCompressed) continue;
    MatStream stream(file, path, length, type == kCompressed);
    if (type == kCompressed) {
      stream.require(bytes.data(), bytes.size(), "tag");
      if (word(bytes.data()) != kMatrix) continue;
    }
    std::string name;
    auto array = ArrayReader(stream, path).read(names, name);
    if (!array) continue;
    stream.finish();
    if (!arrays.emplace(name, std::move(*array)).second) throw Error(Errc::kFormat, strCat(path, ": has array ", name, " twice"));
  }
  for (const std::string& name : names)
    if (!arrays.contains(name)) throw Error(Errc::kFormat, strCat(path, ": has no array ", name));
  return arrays;
}

MatStream::MatStream(std::ifstream& file, std::string path, std::uint64_t size, bool compressed)
    : file_(file), path_(std::move(path)), left_(size), compressed_(compressed) {
  if (compressed_) PACELINE_CHECK(inflateInit(&stream_) == Z_OK, "inflateInit");
}

MatStream::~MatStream() {
  if (compressed_) inflateEnd(&stream_);
}

std::size_t MatStream::plain(std::uint8_t* to, std::size_t wanted) {
  const std::size_t asked = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, left_));
  file_.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(asked));
  const auto got = static_cast<std::size_t>(file_.gcount());
  if (got < asked) throw Error(Errc::kFormat, strCat(path_, ": is truncated: ", left_ - got, " bytes are missing at the end of an element"));
  left_ -= got;
  return got;
}

std::size_t MatStream::inflated(std::uint8_t* to, std::size_t wanted) {
  stream_.next_out = to;
  stream_.avail_out = static_cast<uInt>(wanted);
  while (stream_.avail_out > 0 && !ended_) {
    if (stream_.avail_in == 0) {
      stream_.next_in = packed_.data();
      stream_.avail_in = static_cast<uInt>(plain(packed_.data(), packed_.size()));
      if (stream_.avail_in == 0) throw Error(Errc::kFormat, strCat(path_, ": a compressed element ends inside its stream"));
    }
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_STREAM_END)
      ended_ = true;
    else if (code != Z_OK)
      throw Error(Errc::kFormat, strCat(path_, ": a compressed element is damaged: ", stream_.msg == nullptr ? zError(code) : stream_.msg));
  }
  return wanted - stream_.avail_out;
}

std::size_t MatStream::read(std::uint8_t* to, std::size_t wanted) { return compressed_ ? inflated(to, wanted) : plain(to, wanted); }

void MatStream::require(std::uint8_t* to, std::size_t wanted, const char* what) {
  std::size_t got = 0;
  constexpr std::size_t kStep = std::size_t{1} << 24;
  while (got < wanted) {
    const std::size_t now = read(to + got, std::min(kStep, wanted - got));
    if (now == 0) throw Error(Errc::kFormat, strCat(path_, ": an array ends inside its ", what, ", ", wanted - got, " bytes early"));
    got += now;
  }
}

void MatStream::skip(std::uint64_t bytes, const char* what) {
  std::array<std::uint8_t, 4096> unused;
  for (; bytes > 0; bytes -= std::min<std::uint64_t>(bytes, unused.size()))
    require(unused.data(), static_cast<std::size_t>(std::min<std::uint64_t>(bytes, unused.size())), what);
}

void MatStream::finish() {
  std::array<std::uint8_t, 9> rest;  // elements are padded to 8 bytes
  if (read(rest.data(), rest.size()) == rest.size()) throw Error(Errc::kFormat, strCat(path_, ": bytes follow the values of an array"));
  if (compressed_ && !ended_) throw Error(Errc::kFormat, strCat(path_, ": a compressed element ends inside its stream"));
}

}  // namespace paceline::formats
