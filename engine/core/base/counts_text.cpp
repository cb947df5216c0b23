#include "engine/core/base/counts_text.h"

#include <charconv>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline {

std::vector<std::int64_t> countsFromText(std::string_view text) {
  std::vector<std::int64_t> counts;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), count);
    if (error != std::errc{} || end != item.data() + item.size() || count < 1 || count > 1'000'000'000'000'000)
      throw Error(Errc::kSpec, strCat("must be whole numbers from 1 to 1e15 with commas between them, got \"", quotable(item), "\""));
    if (!counts.empty() && count <= counts.back())
      throw Error(Errc::kSpec, strCat("must grow, got ", count, " after ", counts.back()));
    counts.push_back(count);
    if (comma == std::string_view::npos) return counts;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace paceline
