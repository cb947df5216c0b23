// Readers of the files that data sets come in. Pure functions but for ByteFile, which one thread uses.
// They throw Error{kFile} when a file cannot be read and Error{kFormat} when its bytes are off; each message names file and value.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/data/datasets/dataset.h"

namespace paceline::formats {

using Bytes = std::vector<std::uint8_t>;

// A file's bytes from front to back; gzip is unpacked, told apart by content, and its checksum verified.
class ByteFile {
 public:
  explicit ByteFile(const std::string& path);
  ~ByteFile() { gzclose_r(file_); }
  ByteFile(const ByteFile&) = delete;
  ByteFile& operator=(const ByteFile&) = delete;

  std::size_t read(std::uint8_t* to, std::size_t wanted);  // as many as there are, at most `wanted`; fewer only at the end

 private:
  void checkStream() const;

  std::string path_;
  gzFile file_ = nullptr;
  std::uint64_t total_ = 0;
};

// What read(to, wanted) gives until it gives less, at most `most` bytes: memory grows with what is really there, not with what a header promises.
template <class Read>
Bytes readGrowing(std::uint64_t most, const Read& read) {
  constexpr std::size_t kLeast = std::size_t{1} << 20;
  Bytes bytes;
  while (bytes.size() < most) {
    const std::size_t before = bytes.size();
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(most - before, std::max(kLeast, before)));
    bytes.resize(before + wanted);
    const std::size_t got = read(bytes.data() + before, wanted);
    bytes.resize(before + got);
    if (got < wanted) break;
  }
  return bytes;
}

bool isFile(const std::string& path);

// All of a file. Throws Error{kFormat} when that is more than `limit` bytes.
Bytes readBytes(const std::string& path, std::uint64_t limit);

// The IDX format (LeCun's MNIST files), plain or gzip: one file of unsigned bytes with exactly `rank` dimensions, 1 GiB at most; no byte may be missing
// or left over. `fits` throws for sizes that are refused before their bytes are read: a few MB of gzip may unpack to thousands.
struct IdxArray {
  std::vector<std::uint32_t> dimensions;  // as many as asked for
  Bytes bytes;                            // their product
};
using IdxSizesCheck = std::function<void(const std::vector<std::uint32_t>& dimensions)>;
IdxArray readIdx(const std::string& path, int rank, const IdxSizesCheck& fits = {});

// An image file and its label file: as many of one as of the other, images of `shape` (one channel), labels below `classes`.
datasets::Images readIdxImages(const std::string& imagesPath, const std::string& labelsPath, const Shape& shape, int classes);

// MATLAB level 5 files (v5 to v7, little-endian; "MAT-File Format", The MathWorks), compressed or not: the arrays of these names. Memory grows with
// what the file has, not with what it promises.
struct MatArray {
  std::vector<std::uint32_t> dimensions;  // the first varies fastest
  Bytes bytes;                            // their product; each value was a whole number in 0 .. 255
};
std::map<std::string, MatArray> readMat(const std::string& path, const std::vector<std::string>& names);

// A tar archive, plain or gzip: the regular files whose last name is one of `names`, in whatever folder of it; each at most `limit` bytes and there
// once. The gzip stream is read to its end, so that its checksum has been verified.
std::map<std::string, Bytes> readTar(const std::string& path, const std::vector<std::string>& names, std::uint64_t limit);

// Decodes one JPEG or PNG, told apart by content, to 3 channels of 8 bits. Grey becomes three equal channels, CMYK is converted as Pillow does, an
// alpha channel is dropped (as torchvision's loader does), 16 bits become 8. A JPEG that ends early is wrong.
void decodePicture(const std::string& path, datasets::Picture& into);

}  // namespace paceline::formats
