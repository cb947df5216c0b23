// How reading a folder of JPEG pictures scales with the loader's threads: decoding, cropping and resizing as ImageNet's trainings do.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <thread>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/data/loader.h"
#include "tests/bench/bench.h"
#include "tests/bench/temp_folder.h"
#include "tests/data/picture_files.h"

namespace paceline::bench {
namespace {

constexpr int kWidth = 500, kHeight = 375;  // of ImageNet's typical picture
constexpr int kPictures = 96;

void writePicture(const std::string& path, std::uint64_t seed) {
  Rng rng(seed);
  const double across = rng.uniform(0.01, 0.1), down = rng.uniform(0.01, 0.1);
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int c = 0; c < 3; ++c)
        pixels.push_back(static_cast<std::uint8_t>(128 + 80 * std::sin(across * x + c) * std::cos(down * y) + rng.uniform(-20, 20)));
  const auto bytes = tests::jpegBytes(pixels, kWidth, kHeight, TJPF_RGB, 90);
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::shared_ptr<const datasets::Dataset> pictures(const std::string& folder) {
  for (const char* split : {"train", "val"}) {
    for (const char* name : {"a", "b"}) {
      const std::string place = strCat(folder, "/", split, "/", name);
      std::filesystem::create_directories(place);
      const int count = split[0] == 't' ? kPictures / 2 : 1;
      for (int i = 0; i < count; ++i) writePicture(strCat(place, "/", i, ".jpg"), static_cast<std::uint64_t>(i));
    }
  }
  const datasets::DatasetDef& def = *datasets::findDataset("image_folder");
  std::vector<Finding> findings;
  const Params params = completeParams(def.params, Params({{"path", folder}}), "", findings);
  return std::make_shared<const datasets::Dataset>(def.load(params, 1));
}

double imagesPerSecond(const std::shared_ptr<const datasets::Dataset>& data, int threads) {
  std::vector<std::uint32_t> all(data->train.count());
  std::iota(all.begin(), all.end(), 0U);
  BatchLoader loader(data, BatchStream(all, {.batchSize = 16}), {.threads = threads, .channelsLast = true, .allocate = {}});
  const auto use = [&] {
    const std::size_t count = loader.front().count;
    loader.pop();
    return count;
  };
  for (int i = 0; i < 2 * (threads + 1); ++i) use();  // what was prepared before the clock runs
  const double start = secondsNow();
  std::size_t images = 0;
  while (secondsNow() - start < 3) images += use();
  return static_cast<double>(images) / (secondsNow() - start);
}

Result scaling(const std::string& id, int threads) {
  const TempFolder folder{};
  const auto data = pictures(folder.path);
  std::vector<double> ratios, one, many;
  for (int turn = 0; turn < 3; ++turn) {
    one.push_back(imagesPerSecond(data, 1));
    many.push_back(imagesPerSecond(data, threads));
    ratios.push_back(many.back() / one.back());
  }
  return {.id = id, .value = median(ratios), .target = 0.9 * threads,
          .note = strCat("JPEG of 500x375, random resized crop to 224, flip, normalise, batches of 16: images/s with ", threads,
                         " loader threads over those with 1, median of 3 pairs; 0.9 of ideal needs as many free cores"),
          .inputs = {{"one_thread_images_per_s", median(one)}, {"images_per_s", median(many)}}};
}

}  // namespace

std::vector<Named> pictureLoading() {
  std::vector<int> counts{2};
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  if (cores > 2) counts.push_back(cores);
  std::vector<Named> rows;
  for (const int threads : counts) {
    const std::string id = strCat("image_folder_threads_", threads);
    rows.push_back({id, [id, threads] { return scaling(id, threads); }});
  }
  return rows;
}

}  // namespace paceline::bench
