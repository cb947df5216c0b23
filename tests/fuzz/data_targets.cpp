#include "engine/data/formats/readers.h"
#include "tests/fuzz/targets.h"

namespace paceline::fuzz {
namespace {

void idx(Input input) {
  const InputFile file(input);
  const formats::IdxArray array = formats::readIdx(file.path(), 1 + static_cast<int>(input.size() % 3));
  std::size_t product = 1;
  for (const std::uint32_t side : array.dimensions) product *= side;
  PACELINE_CHECK(array.bytes.size() == product, "as many bytes as the dimensions say");
}

void mat(Input input) {
  const InputFile file(input);
  for (const auto& [name, array] : formats::readMat(file.path(), {"X", "y"})) {
    std::size_t product = 1;
    for (const std::uint32_t side : array.dimensions) product *= side;
    PACELINE_CHECK(array.bytes.size() == product, "as many bytes as the dimensions say");
  }
}

void tar(Input input) {
  const InputFile file(input);
  for (const auto& [name, bytes] : formats::readTar(file.path(), {"data_batch_1.bin", "train.bin"}, 1 << 16))
    PACELINE_CHECK(bytes.size() <= 1 << 16, "no file beyond the limit");
}

void picture(Input input) {
  const InputFile file(input);
  datasets::Picture decoded;
  formats::decodePicture(file.path(), decoded);
  const auto pixels = static_cast<std::size_t>(decoded.shape.channels) * static_cast<std::size_t>(decoded.shape.height) * static_cast<std::size_t>(decoded.shape.width);
  PACELINE_CHECK(decoded.pixels.size() == pixels, "as many pixels as the shape says");
}

constexpr Target kDataTargets[] = {{"idx", idx}, {"mat", mat}, {"tar", tar}, {"picture", picture}};

}  // namespace

std::span<const Target> dataTargets() { return kDataTargets; }

}  // namespace paceline::fuzz
