// The files that arrays come in. A mapped file that is made shorter while it is used ends the process (SIGBUS), as with every program that maps it.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <new>

#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/text.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/json_text.h"
#include "engine/data/formats/arrays.h"
#include "engine/data/formats/readers.h"

namespace paceline::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostArrays = 10000;  // of a file
constexpr std::size_t kMostCsvBytes = std::size_t{4} << 30;


struct Mapped {
  std::shared_ptr<const std::byte> bytes;
  std::size_t size = 0;
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.get()), size}; }
};

Mapped mapped(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat found{};
  if (!file || ::fstat(file.get(), &found) != 0) throw Error(Errc::kFile, strCat(path, ": cannot be opened: ", std::strerror(errno)));
  if (!S_ISREG(found.st_mode)) throw Error(Errc::kFile, strCat(path, ": is no file"));
  const auto size = static_cast<std::size_t>(found.st_size);
  if (size == 0) refuseArray(path, "is empty");
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) throw Error(Errc::kFile, strCat(path, ": cannot be mapped: ", std::strerror(errno)));
  return {.bytes = {static_cast<const std::byte*>(memory), [size](const std::byte* at) { ::munmap(const_cast<std::byte*>(at), size); }}, .size = size};
}

Array npyArray(const Mapped& file, const std::string& name, const std::string& source) {
  const NpyHeader header = npyHeader(file.text().substr(0, kNpyHeaderBytes), source);
  if (file.size != header.dataAt + header.bytes)
    refuseArray(source, strCat("has ", file.size - std::min(file.size, header.dataAt), " bytes of data, its shape says ", header.bytes));
  return {.name = name, .source = source, .type = header.type, .dims = header.dims, .data = file.bytes.get() + header.dataAt, .memory = file.bytes};
}

// ---- .npz: a zip file of .npy files, as APPNOTE 6.3 describes it. Members that are stored are mapped where they lie, deflated ones unpacked.

std::uint64_t littleEndian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

struct ZipMember {
  std::string name;
  std::uint64_t method = 0, packed = 0, size = 0, header = 0;  // bytes; header: where its local one begins
};

// The 64-bit values behind those that did not fit into 32 bits, in their order.
void takeLargeValues(std::string_view extra, ZipMember& member) {
  constexpr std::uint64_t kElsewhere = 0xffffffff, kTag = 1;
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t tag = littleEndian(extra, at, 2), size = littleEndian(extra, at + 2, 2);
    std::size_t value = at + 4;
    const std::size_t end = value + size;
    if (end > extra.size()) return;
    for (std::uint64_t* member64 : {&member.size, &member.packed, &member.header})
      if (tag == kTag && *member64 == kElsewhere && value + 8 <= end) *member64 = littleEndian(extra, value, 8), value += 8;
    at = end;
  }
}

std::vector<ZipMember> membersOf(std::string_view zip, const std::string& path) {
  constexpr std::size_t kEnd = 22, kEntry = 46, kLongestComment = 65535;
  const std::string_view tail = zip.substr(zip.size() - std::min(zip.size(), kEnd + kLongestComment));
  const std::size_t found = tail.rfind("PK\x05\x06");
  if (found == std::string_view::npos || found + kEnd > tail.size()) refuseArray(path, "is no whole .npz file: it has no directory at its end");
  const std::size_t end = zip.size() - tail.size() + found;
  std::uint64_t count = littleEndian(zip, end + 10, 2), at = littleEndian(zip, end + 16, 4);
  if (end >= 20 && zip.substr(end - 20, 4) == "PK\x06\x07") {  // a larger directory's place
    const std::uint64_t large = littleEndian(zip, end - 20 + 8, 8);
    if (large > zip.size() || zip.size() - large < 56 || zip.substr(large, 4) != "PK\x06\x06") refuseArray(path, "is no whole .npz file: its directory is not where it should be");
    count = littleEndian(zip, large + 32, 8), at = littleEndian(zip, large + 48, 8);
  }
  if (count > kMostArrays) refuseArray(path, strCat("has ", count, " arrays, at most ", kMostArrays, " can be used"));
  std::vector<ZipMember> members;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (at > zip.size() || zip.size() - at < kEntry || zip.substr(at, 4) != "PK\x01\x02") refuseArray(path, strCat("is no whole .npz file: entry ", i, " of its directory is missing"));
    const std::uint64_t name = littleEndian(zip, at + 28, 2), extra = littleEndian(zip, at + 30, 2), comment = littleEndian(zip, at + 32, 2);
    if (zip.size() - at - kEntry < name + extra + comment) refuseArray(path, strCat("is no whole .npz file: entry ", i, " of its directory is cut"));
    ZipMember member{.name = std::string(zip.substr(at + kEntry, name)), .method = littleEndian(zip, at + 10, 2), .packed = littleEndian(zip, at + 20, 4),
                     .size = littleEndian(zip, at + 24, 4), .header = littleEndian(zip, at + 42, 4)};
    takeLargeValues(zip.substr(at + kEntry + name, extra), member);
    members.push_back(std::move(member));
    at += kEntry + name + extra + comment;
  }
  return members;
}

// Its bytes as they lie in the file.
std::string_view packedBytes(std::string_view zip, const ZipMember& member, const std::string& source) {
  constexpr std::size_t kLocal = 30;
  const bool there = member.header <= zip.size() && zip.size() - member.header >= kLocal && zip.substr(member.header, 4) == "PK\x03\x04";
  const std::uint64_t begin = there ? member.header + kLocal + littleEndian(zip, member.header + 26, 2) + littleEndian(zip, member.header + 28, 2) : 0;
  if (!there || begin > zip.size() || zip.size() - begin < member.packed) refuseArray(source, "is not whole in the file");
  return zip.substr(begin, member.packed);
}

class Inflater {
 public:
  explicit Inflater(std::string_view packed) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = 0, left_ = packed.size();
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // As many bytes as there are, at most `wanted`.
  std::size_t read(char* to, std::size_t wanted, const std::string& source) {
    std::size_t got = 0;
    while (got < wanted && !ended_) {
      constexpr std::size_t kMost = std::size_t{1} << 30;
      if (stream_.avail_in == 0) stream_.avail_in = static_cast<uInt>(std::min(left_, kMost)), left_ -= stream_.avail_in;
      const std::size_t room = std::min(wanted - got, kMost);
      stream_.next_out = reinterpret_cast<Bytef*>(to + got), stream_.avail_out = static_cast<uInt>(room);
      const int code = inflate(&stream_, Z_NO_FLUSH);
      got += room - stream_.avail_out;
      ended_ = code == Z_STREAM_END;
      if (code != Z_OK && !ended_) refuseArray(source, stream_.avail_in == 0 && left_ == 0 ? "its compressed data is cut" : "its compressed data is damaged");
    }
    return got;
  }

 private:
  z_stream stream_{};
  std::size_t left_ = 0;
  bool ended_ = false;
};

// One deflated member to a file of its own. Never more than its header's shape says is unpacked: a small file that would become a large one ends there.
void unpack(std::string_view packed, const std::string& source, const std::string& to) {
  Inflater member(packed);
  std::string chunk(kNpyHeaderBytes, '\0');
  chunk.resize(member.read(chunk.data(), chunk.size(), source));
  const NpyHeader header = npyHeader(chunk, source);
  const std::string folder = fs::path(to).parent_path().string();
  std::error_code ignored;
  if (const fs::space_info room = fs::space(folder, ignored); !ignored && header.bytes > room.available)
    throw Error(Errc::kNoSpace, strCat(source, ": its shape says ", bytesText(static_cast<std::int64_t>(header.bytes)), "; ", folder, " has ", bytesText(static_cast<std::int64_t>(room.available)), " left"));
  const std::string part = strCat(to, ".", ::getpid(), ".part");
  const Fd file(disk::open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600));
  if (!file) disk::refuse("cannot write " + part, errno);
  try {
    std::size_t left = header.dataAt + header.bytes;
    while (true) {
      if (chunk.size() > left) refuseArray(source, strCat("has more data than its shape says, ", header.bytes, " bytes"));
      if (!disk::writeAll(file.get(), chunk)) disk::refuse("cannot write " + part, errno);
      left -= chunk.size();
      chunk.resize(std::size_t{1} << 20);
      chunk.resize(member.read(chunk.data(), chunk.size(), source));
      if (chunk.empty()) break;
    }
    if (left > 0) refuseArray(source, strCat("ends ", left, " bytes before its shape says"));
    if (disk::rename(part, to) != 0) disk::refuse("cannot name " + to, errno);
  } catch (...) {
    disk::remove(part);
    throw;
  }
}

// Where a file's members lie unpacked: by its place, size and date, so that another content has another folder.
std::string cacheFolderOf(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) throw Error(Errc::kFile, strCat(path, ": cannot be opened: ", std::strerror(errno)));
  std::error_code ignored;
  const std::string key = strCat(fs::weakly_canonical(path, ignored).string(), '\n', found.st_size, '\n', found.st_mtim.tv_sec, '.', found.st_mtim.tv_nsec, '\n', found.st_ino);
  const std::string cache = userCacheFolder();
  if (cache.empty()) throw Error(Errc::kFile, strCat(path, ": there is no folder to unpack it to: neither XDG_CACHE_HOME nor HOME is set"));
  constexpr std::size_t kDigits = 32;
  return strCat(cache, "/paceline/arrays/", sha256Hex(key).substr(0, kDigits));
}

std::vector<Array> npzArrays(const std::string& path) {
  constexpr std::uint64_t kStored = 0, kDeflated = 8;
  const Mapped file = mapped(path);
  std::vector<Array> arrays;
  for (ZipMember& member : membersOf(file.text(), path)) {
    std::string& name = member.name;
    if (!name.ends_with(".npy")) refuseArray(path, strCat("has a member \"", quotable(name), "\" that is no .npy array"));
    name.resize(name.size() - 4);
    const std::string source = strCat(path, ": ", quotable(name));
    const std::string_view packed = packedBytes(file.text(), member, source);
    if (member.method == kStored) {
      arrays.push_back(npyArray({.bytes = {file.bytes, reinterpret_cast<const std::byte*>(packed.data())}, .size = packed.size()}, name, source));
      continue;
    }
    if (member.method != kDeflated) refuseArray(source, strCat("is packed by method ", member.method, "; stored and deflated arrays can be used"));
    const std::string folder = cacheFolderOf(path), unpacked = strCat(folder, "/", sha256Hex(name), ".npy");
    if (disk::makeFolders(folder) != 0) disk::refuse("cannot make " + folder, errno);
    if (!isFile(unpacked)) unpack(packed, source, unpacked);
    arrays.push_back(npyArray(mapped(unpacked), name, source));
  }
  return arrays;
}

// ---- safetensors: length of the header (u64), JSON {name: {dtype, shape, data_offsets}}, data

ArrayType safetensorsType(const std::string& dtype, const std::string& source) {
  constexpr std::pair<std::string_view, ArrayType> kNames[] = {{"BOOL", ArrayType::kBool}, {"U8", ArrayType::kUint8},    {"I8", ArrayType::kInt8},     {"I16", ArrayType::kInt16},
                                                              {"U16", ArrayType::kUint16}, {"I32", ArrayType::kInt32},  {"U32", ArrayType::kUint32},  {"I64", ArrayType::kInt64},
                                                              {"F16", ArrayType::kFloat16}, {"BF16", ArrayType::kBfloat16}, {"F32", ArrayType::kFloat32}, {"F64", ArrayType::kFloat64}};
  for (const auto& [name, type] : kNames)
    if (name == dtype) return type;
  refuseArray(source, strCat("is of type ", quotable(dtype), ", which is not known"));
}

std::vector<Array> safetensorsArrays(const std::string& path) {
  const Mapped file = mapped(path);
  std::uint64_t length = 0;
  if (file.size < sizeof length) refuseArray(path, "is no safetensors file: it has fewer than 8 bytes");
  std::memcpy(&length, file.bytes.get(), sizeof length);
  if (length > file.size - sizeof length || length > kMaxTextBytes) refuseArray(path, strCat("is no safetensors file: its header would have ", length, " bytes"));
  std::vector<Finding> findings;
  const auto header = parseJson(file.text().substr(sizeof length, length), findings);
  if (!header || !header->is_object()) refuseArray(path, strCat("is no safetensors file: its header is no JSON object", findings.empty() ? "" : ": " + findings.front().message));
  const std::size_t dataAt = sizeof length + length, dataBytes = file.size - dataAt;
  std::vector<Array> arrays;
  for (const auto& [name, entry] : header->items()) {
    if (name == "__metadata__") continue;
    const std::string source = strCat(path, ": ", quotable(name));
    try {
      Array array{.name = name, .source = source, .type = safetensorsType(entry.at("dtype").get<std::string>(), source), .dims = entry.at("shape").get<std::vector<std::int64_t>>(), .memory = file.bytes};
      const auto range = entry.at("data_offsets").get<std::vector<std::uint64_t>>();
      double bytes = static_cast<double>(sizeOf(array.type));
      for (const std::int64_t size : array.dims) bytes *= static_cast<double>(size);
      const bool fits = range.size() == 2 && range[0] <= range[1] && range[1] <= dataBytes && std::ranges::none_of(array.dims, [](std::int64_t size) { return size < 0; });
      if (!fits || static_cast<double>(range[1] - range[0]) != bytes) refuseArray(source, "its place in the file does not fit its shape and type");
      array.data = file.bytes.get() + dataAt + range[0];
      arrays.push_back(std::move(array));
    } catch (const Json::exception& error) {
      refuseArray(source, strCat("is not described as safetensors are: ", reasonOf(error)));
    }
  }
  return arrays;
}

// ---- CSV

std::vector<std::string_view> cells(std::string_view line) {
  std::vector<std::string_view> found;
  while (true) {
    const std::size_t comma = line.find(',');
    std::string_view cell = line.substr(0, comma);
    cell.remove_prefix(std::min(cell.size(), cell.find_first_not_of(" \t")));
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r')) cell.remove_suffix(1);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    found.push_back(cell);
    if (comma == std::string_view::npos) return found;
    line.remove_prefix(comma + 1);
  }
}

std::vector<Array> csvArrays(const std::string& path) {
  const Bytes bytes = readBytes(path, kMostCsvBytes);
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string> names;
  std::vector<std::shared_ptr<std::vector<double>>> columns;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::vector<std::string_view> values = cells(line);
    if (names.empty()) {
      for (const std::string_view name : values) names.emplace_back(name), columns.push_back(std::make_shared<std::vector<double>>());
      continue;
    }
    if (values.size() != names.size()) refuseArray(path, strCat("line ", number, " has ", values.size(), values.size() == 1 ? " value" : " values", ", the first names ", names.size(), " columns"));
    for (std::size_t i = 0; i < values.size(); ++i) {
      double value = 0;
      const auto [last, error] = std::from_chars(values[i].data(), values[i].data() + values[i].size(), value);
      if (error != std::errc() || last != values[i].data() + values[i].size())
        refuseArray(path, strCat("line ", number, ": \"", quotable(values[i]), "\" in column \"", quotable(names[i]), "\" is no number"));
      columns[i]->push_back(value);
    }
  }
  if (names.empty()) refuseArray(path, "is empty");
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<double>& column = *columns[i];
    Array array{.name = names[i], .source = strCat(path, ": ", quotable(names[i])), .type = ArrayType::kFloat64, .dims = {static_cast<std::int64_t>(column.size())},
                .data = reinterpret_cast<const std::byte*>(column.data()), .memory = columns[i]};
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (!column.empty() && std::ranges::all_of(column, [](double value) { return value == std::floor(value) && std::abs(value) <= kExact; })) {
      auto whole = std::make_shared<std::vector<std::int64_t>>(column.begin(), column.end());
      array.type = ArrayType::kInt64, array.data = reinterpret_cast<const std::byte*>(whole->data()), array.memory = whole;
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}

std::vector<Array> folderArrays(const std::string& path) {
  std::vector<Array> arrays;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".npy") {
      if (arrays.size() == kMostArrays) refuseArray(path, strCat("has more than ", kMostArrays, " arrays"));
      arrays.push_back(npyArray(mapped(entry->path().string()), entry->path().stem().string(), entry->path().string()));
    }
  if (error) throw Error(Errc::kFile, strCat(path, ": cannot be read: ", error.message()));
  return arrays;
}

}  // namespace

bool mayHaveArrays(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const std::string ending = lowerCase(fs::path(path).extension().string());
    return isFile(path) && (ending == ".npz" || ending == ".npy" || ending == ".safetensors" || ending == ".csv");
  }
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".npy") return true;
  return false;
}

std::vector<Array> arraysIn(const std::string& path) {
  std::error_code ignored;
  std::vector<Array> arrays;
  const std::string ending = lowerCase(fs::path(path).extension().string());
  if (fs::is_directory(path, ignored)) arrays = folderArrays(path);
  else if (ending == ".npy") arrays.push_back(npyArray(mapped(path), fs::path(path).stem().string(), path));
  else if (ending == ".npz") arrays = npzArrays(path);
  else if (ending == ".safetensors") arrays = safetensorsArrays(path);
  else if (ending == ".csv") return csvArrays(path);  // in the order of its columns
  else throw Error(Errc::kFormat, strCat(path, ": is none of .npz, .npy, .safetensors, .csv and a folder of .npy"));
  std::ranges::sort(arrays, {}, &Array::name);
  return arrays;
}

}  // namespace paceline::formats
