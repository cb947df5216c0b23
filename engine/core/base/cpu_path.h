// Which of two paths a loop takes: the one that the CPU's instructions allow (asked at run time), or the portable one. Both give the
// same bits; tests force the portable one to see that.
#pragma once

namespace paceline {

enum class CpuPath { kBest, kPortable };

}  // namespace paceline
