#include "engine/data/formats/readers.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "engine/core/base/error.h"

namespace paceline::formats {
namespace {

constexpr std::uint64_t kMostValues = std::uint64_t{1} << 31;  // values of one array: the largest set of this form (SVHN extra) has 1.6e9
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

template <class T>
double as(const std::uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

struct NumericType {
  std::uint32_t id;  // of the element
  std::size_t width;
  double (*valueOf)(const std::uint8_t* bytes);
};
constexpr std::uint32_t kByte = 2;
constexpr NumericType kNumericTypes[] = {
    {1, 1, as<std::int8_t>},  {kByte, 1, as<std::uint8_t>}, {3, 2, as<std::int16_t>},  {4, 2, as<std::uint16_t>}, {5, 4, as<std::int32_t>},
    {6, 4, as<std::uint32_t>}, {7, 4, as<float>},            {9, 8, as<double>},        {12, 8, as<std::int64_t>}, {13, 8, as<std::uint64_t>}};

// The bytes of one element of the file, plain or inflated.
class MatStream {
 public:
  // `size` bytes of `file` from where it stands. It is the caller's, and stands behind what was read.
  MatStream(std::ifstream& file, const std::string& path, std::uint64_t size, bool compressed)
      : file_(file), path_(path), left_(size), compressed_(compressed) {
    if (compressed_) PACELINE_CHECK(inflateInit(&stream_) == Z_OK, "inflateInit");
  }
  ~MatStream() {
    if (compressed_) inflateEnd(&stream_);
  }
  MatStream(const MatStream&) = delete;
  MatStream& operator=(const MatStream&) = delete;

  void require(std::uint8_t* to, std::size_t wanted, const char* what) {  // exactly as many
    constexpr std::size_t kStep = std::size_t{1} << 24;
    for (std::size_t got = 0; got < wanted;) {
      const std::size_t now = read(to + got, std::min(kStep, wanted - got));
      if (now == 0) refuse(strCat("an array ends inside its ", what, ", ", wanted - got, " bytes early"));
      got += now;
    }
  }

  void finish() {  // what is left: padding at most; compressed: its checksum is verified
    std::array<std::uint8_t, 9> rest;  // elements are padded to 8 bytes
    if (read(rest.data(), rest.size()) == rest.size()) refuse("bytes follow the values of an array");
    if (compressed_ && !ended_) refuse("a compressed element ends inside its stream");
  }

  [[noreturn]] void refuse(const std::string& why) const { throw Error(Errc::kFormat, strCat(path_, ": ", why)); }

 private:
  // Fewer than wanted only at the end of the element.
  std::size_t read(std::uint8_t* to, std::size_t wanted) { return compressed_ ? inflated(to, wanted) : plain(to, wanted); }

  std::size_t plain(std::uint8_t* to, std::size_t wanted) {
    const std::size_t asked = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, left_));
    file_.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(asked));
    const auto got = static_cast<std::size_t>(file_.gcount());
    if (got < asked) refuse(strCat("is truncated: ", left_ - got, " bytes are missing at the end of an element"));
    left_ -= got;
    return got;
  }

  std::size_t inflated(std::uint8_t* to, std::size_t wanted) {
    stream_.next_out = to;
    stream_.avail_out = static_cast<uInt>(wanted);
    while (stream_.avail_out > 0 && !ended_) {
      if (stream_.avail_in == 0) {
        stream_.next_in = packed_.data();
        stream_.avail_in = static_cast<uInt>(plain(packed_.data(), packed_.size()));
        if (stream_.avail_in == 0) refuse("a compressed element ends inside its stream");
      }
      const int code = inflate(&stream_, Z_NO_FLUSH);
      ended_ = code == Z_STREAM_END;
      if (!ended_ && code != Z_OK) refuse(strCat("a compressed element is damaged: ", stream_.msg == nullptr ? zError(code) : stream_.msg));
    }
    return wanted - stream_.avail_out;
  }

  std::ifstream& file_;
  const std::string& path_;
  std::uint64_t left_;  // in the file
  bool compressed_, ended_ = false;
  z_stream stream_{};
  std::array<std::uint8_t, 1 << 16> packed_{};
};

class ArrayReader {
 public:
  explicit ArrayReader(MatStream& stream) : stream_(stream) {}

  // Nothing where the name is none of `names`. The stream may then stand anywhere.
  std::optional<MatArray> read(const std::vector<std::string>& names, std::string& name) {
    const Bytes flags = element("flags", 6, 8);
    if (flags.size() < 4) refuse(strCat("the flags of an array have ", flags.size(), " bytes, expected 8"));
    const Bytes sizes = element("dimensions", 5, 8 * 4);
    const Bytes letters = element("name", 1, 256);
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
  [[noreturn]] void refuse(const std::string& why) const { stream_.refuse(why); }

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

  Bytes element(const char* what, std::uint32_t type, std::size_t most) {
    const Tag found = tag(what);
    if (found.type != type || found.size > most)
      refuse(strCat("the ", what, " of an array are ", found.size, " bytes of type ", found.type, ", expected at most ", most, " of type ", type));
    if (found.isSmall) return {found.small.begin(), found.small.begin() + found.size};
    Bytes bytes(found.size);
    stream_.require(bytes.data(), bytes.size(), what);
    std::array<std::uint8_t, 8> padding;
    stream_.require(padding.data(), (8 - found.size % 8) % 8, what);
    return bytes;
  }

  std::uint64_t dimensionsOf(const std::string& name, const Bytes& sizes, MatArray& array) const {
    if (sizes.size() % 4 != 0 || sizes.size() < 8) refuse(strCat("the dimensions of array ", name, " have ", sizes.size(), " bytes"));
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < sizes.size(); i += 4) {
      const std::uint32_t size = word(sizes.data() + i);
      array.dimensions.push_back(size);
      if (size != 0 && count > kMostValues / size) refuse(strCat("array ", name, " promises more than ", kMostValues, " values"));
      count *= size;
    }
    return count;
  }

  void values(const std::string& name, std::uint64_t count, MatArray& array) {
    const Tag found = tag("values");
    const auto* const type = std::find_if(std::begin(kNumericTypes), std::end(kNumericTypes), [&](const NumericType& each) { return each.id == found.type; });
    if (type == std::end(kNumericTypes)) refuse(strCat("the values of array ", name, " have type ", found.type, ", expected whole numbers"));
    if (found.size != count * type->width)
      refuse(strCat("the dimensions of array ", name, " promise ", count, " values of ", type->width, " bytes, it has ", found.size, " bytes"));
    if (found.isSmall) return convert(name, *type, found.small.data(), static_cast<std::size_t>(count), array);
    Bytes block;
    const std::size_t most = (std::size_t{1} << 20) / type->width;
    for (std::uint64_t done = 0; done < count;) {
      const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(most, count - done));
      block.resize(now * type->width);
      stream_.require(block.data(), block.size(), "values");
      convert(name, *type, block.data(), now, array);
      done += now;
    }
  }

  void convert(const std::string& name, const NumericType& type, const std::uint8_t* from, std::size_t count, MatArray& array) const {
    if (type.id == kByte) return static_cast<void>(array.bytes.insert(array.bytes.end(), from, from + count));
    for (std::size_t i = 0; i < count; ++i) {
      const double value = type.valueOf(from + i * type.width);
      if (!(value >= 0 && value <= 255 && value == static_cast<int>(value)))
        refuse(strCat("value ", value, " at position ", array.bytes.size(), " of array ", name, " is no whole number from 0 to 255"));
      array.bytes.push_back(static_cast<std::uint8_t>(value));
    }
  }

  MatStream& stream_;
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
    auto array = ArrayReader(stream).read(names, name);
    if (!array) continue;
    stream.finish();
    if (!arrays.emplace(name, std::move(*array)).second) throw Error(Errc::kFormat, strCat(path, ": has array ", name, " twice"));
  }
  for (const std::string& name : names)
    if (!arrays.contains(name)) throw Error(Errc::kFormat, strCat(path, ": has no array ", name));
  return arrays;
}

}  // namespace paceline::formats
