// One target under libFuzzer: PACELINE_FUZZ_TARGET names it.
#include <cstdlib>
#include <iostream>

#include "tests/fuzz/targets.h"

namespace {

const paceline::fuzz::Target& chosen() {
  static const paceline::fuzz::Target target = [] {
    const char* name = std::getenv("PACELINE_FUZZ_TARGET");
    for (const paceline::fuzz::Target& one : paceline::fuzz::targets())
      if (name != nullptr && one.name == name) return one;
    std::cerr << "PACELINE_FUZZ_TARGET must name a target:";
    for (const paceline::fuzz::Target& one : paceline::fuzz::targets()) std::cerr << ' ' << one.name;
    std::cerr << '\n';
    std::exit(2);
  }();
  return target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  paceline::fuzz::feed(chosen(), {data, size});
  return 0;
}
