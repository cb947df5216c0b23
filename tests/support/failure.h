// The sentence of what must fail.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/core/base/error.h"

namespace paceline::tests {

inline constexpr char kNoFailure[] = "nothing was thrown";

// What `call` threw; the test fails when its code is another one.
template <class Call>
std::string failureOf(const Call& call, Errc code) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return kNoFailure;
}

}  // namespace paceline::tests
