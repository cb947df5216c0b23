#include "engine/data/images/skipped_images.h"

#include <cstdio>

#include "engine/core/base/error.h"

namespace paceline::images {

void SkippedImages::add(std::span<const BrokenImage> broken) {
  constexpr std::size_t kNamed = 20;
  if (broken.empty()) return;
  const std::lock_guard lock(mutex_);
  for (const BrokenImage& image : broken) {
    if (!indices_.insert(image.index).second || indices_.size() > kNamed + 1) continue;
    const std::string line = indices_.size() <= kNamed ? strCat("skipped ", image.reason, "\n") : "skipped more images, which are not named\n";
    std::fputs(line.c_str(), stderr);
  }
}

std::uint64_t SkippedImages::count() const {
  const std::lock_guard lock(mutex_);
  return indices_.size();
}

}  // namespace paceline::images
