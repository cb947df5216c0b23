#include "engine/data/formats/readers.h"

#include <array>
#include <cstdio>

#include "engine/core/base/error.h"

namespace paceline::formats {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // bytes of one array: the largest set of this form (EMNIST by class) has half of it

std::string hex(std::uint32_t value) {
  std::array<char, 11> text{};
  std::snprintf(text.data(), text.size(), "0x%08x", value);
  return text.data();
}

std::uint32_t bigEndian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]};
}

std::string times(const std::vector<std::uint32_t>& dimensions) {
  std::string text;
  for (const std::uint32_t dimension : dimensions) text += strCat(text.empty() ? "" : "x", dimension);
  return text;
}

}  // namespace

IdxArray readIdx(const std::string& path, int rank, const IdxSizesCheck& fits) {
  ByteFile file(path);
  std::vector<std::uint8_t> header(4 + 4 * static_cast<std::size_t>(rank));
  const std::size_t got = file.read(header.data(), header.size());
  const std::uint32_t expected = 0x0800U + static_cast<std::uint32_t>(rank);  // 08: unsigned bytes
  if (got >= 4 && bigEndian(header.data()) != expected)
    throw Error(Errc::kFormat, strCat(path, ": the magic number is ", hex(bigEndian(header.data())), ", expected ", hex(expected),
                                      " (IDX, unsigned bytes, ", rank, rank == 1 ? " dimension)" : " dimensions)"));
  if (got < header.size())
    throw Error(Errc::kFormat, strCat(path, ": ends inside the IDX header, after ", got, " of ", header.size(), " bytes"));

  IdxArray array;
  std::uint64_t size = 1;
  for (int i = 0; i < rank; ++i) {
    array.dimensions.push_back(bigEndian(header.data() + 4 + 4 * i));
    if (array.dimensions.back() != 0 && size > kMostBytes / array.dimensions.back())
      throw Error(Errc::kFormat, strCat(path, ": the header promises ", times(array.dimensions), " bytes or more, the limit is ", kMostBytes));
    size *= array.dimensions.back();
  }
  if (fits) fits(array.dimensions);
  array.bytes = readGrowing(size, [&](std::uint8_t* to, std::size_t wanted) { return file.read(to, wanted); });
  if (array.bytes.size() < size)
    throw Error(Errc::kFormat, strCat(path, ": the header promises ", times(array.dimensions), " = ", size, " bytes, the file has ", array.bytes.size()));
  std::uint8_t extra = 0;
  if (file.read(&extra, 1) != 0)
    throw Error(Errc::kFormat, strCat(path, ": bytes follow the ", times(array.dimensions), " = ", size, " that the header promises"));
  return array;
}

datasets::Images readIdxImages(const std::string& imagesPath, const std::string& labelsPath, const Shape& shape, int classes) {
  IdxArray images = readIdx(imagesPath, 3, [&](const std::vector<std::uint32_t>& sizes) {
    const auto width = static_cast<std::uint32_t>(shape.width), height = static_cast<std::uint32_t>(shape.height);
    if (sizes[1] != height || sizes[2] != width)
      throw Error(Errc::kFormat, strCat(imagesPath, ": the images are ", sizes[1], "x", sizes[2], ", expected ", height, "x", width));
  });
  IdxArray labels = readIdx(labelsPath, 1, [&](const std::vector<std::uint32_t>& sizes) {
    if (sizes[0] != images.dimensions[0])
      throw Error(Errc::kFormat, strCat(labelsPath, ": has ", sizes[0], " labels, but ", imagesPath, " has ", images.dimensions[0], " images"));
  });
  if (labels.bytes.empty()) throw Error(Errc::kFormat, strCat(imagesPath, ": has 0 images"));
  for (std::size_t i = 0; i < labels.bytes.size(); ++i)
    if (labels.bytes[i] >= classes)
      throw Error(Errc::kFormat, strCat(labelsPath, ": label ", int{labels.bytes[i]}, " at position ", i,
                                        " is out of range, must be < ", classes));
  return datasets::Images{.pixels = std::move(images.bytes), .labels = {labels.bytes.begin(), labels.bytes.end()}};
}

}  // namespace paceline::formats
