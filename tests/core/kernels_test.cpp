#include "engine/core/record/kernels.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

const std::vector<std::string> kYoung = {"avx2", "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}, kOld = {"avx", "avx2", "fma"}, kFirst = {"avx2", "avx512f", "avx512cd"},
                               kOldest = {"sse4_2", "avx"};

TEST(Kernels, AreReadBackFromWhatAWorkerNotes) {
  const Variables chosen{{kOpenBlasVariable, "SkylakeX"}, {kAtenVariable, "avx512"}, {kOneDnnPrecisionVariable, "BF16"}};
  EXPECT_EQ(kernelsText(chosen, "1.13.1", 2), "ATEN_CPU_CAPABILITY=avx512 ONEDNN_DEFAULT_FPMATH_MODE=BF16 OPENBLAS_CORETYPE=SkylakeX (LibTorch 1.13.1, 2 threads)");
  EXPECT_EQ(kernelVariables(kernelsText(chosen, "1.13.1", 1)), chosen);
  EXPECT_EQ(kernelVariables("LD_PRELOAD=/evil.so OPENBLAS_CORETYPE"), Variables());  // of a store from elsewhere
}

TEST(Kernels, OfOpenBlasAreThoseForAvx512WhereTheCpuHasAllOfIt) {
  EXPECT_EQ(kernelsFor(kYoung, {}), (Variables{{kOpenBlasVariable, "SkylakeX"}}));
  EXPECT_EQ(kernelsFor(kOld, {}), Variables());
  EXPECT_EQ(kernelsFor(kFirst, {}), Variables());  // Knights Landing has neither bw, dq nor vl
}

TEST(Kernels, ThatAreGivenStay) {
  const Variables given{{kOpenBlasVariable, "Haswell"}, {kAtenVariable, "avx2"}};
  EXPECT_EQ(kernelsFor(kYoung, given), Variables());
  EXPECT_EQ(kernelsFor(kOld, given), Variables());
}

TEST(Kernels, ThatTheCpuDoesNotHaveAreNotAskedFor) {
  EXPECT_EQ(kernelsFor(kOld, {{kOpenBlasVariable, "SKYLAKEX"}, {kAtenVariable, "AVX512"}, {kOneDnnVariable, "AVX512_CORE"}}), (Variables{{kOpenBlasVariable, ""}, {kAtenVariable, ""}}));
  EXPECT_EQ(kernelsFor(kOldest, {{kOpenBlasVariable, "Haswell"}, {kAtenVariable, "avx2"}}), (Variables{{kOpenBlasVariable, ""}, {kAtenVariable, ""}}));
  EXPECT_EQ(kernelsFor(kOldest, {{kOpenBlasVariable, "Sandybridge"}, {kAtenVariable, "default"}}), Variables());
}

}  // namespace
}  // namespace paceline
