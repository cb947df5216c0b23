// Downloads whose connections fail at every call that libcurl makes.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "app/cluster/deploy/download.h"
#include "engine/core/base/hash.h"
#include "tests/cluster/http_server.h"
#include "tests/support/own_folder.h"
#include "tests/support/socket_walk.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

std::string contentAt(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(DownloadSockets, EachCallThatFailsIsSaidAndTheNextTryGoesOn) {
  if (!SocketFaults::possible()) GTEST_SKIP() << "a sanitizer stands where the faults would";
  std::string content;
  std::uint32_t state = 7;
  for (int i = 0; i < 300'000; ++i) content.push_back(static_cast<char>((state = state * 1664525U + 1013904223U) >> 24));
  const HttpServer server({{"a.bin", content}});
  const std::string path = ownFolder() / "below" / "a.bin";
  const deploy::Download wanted{.url = server.url() + "/a.bin", .path = path, .bytes = 300'000, .sha256 = sha256Hex(content)};
  const auto fetch = [&] {
    std::filesystem::remove_all(std::filesystem::path(path).parent_path());
    deploy::download(wanted);
  };
  int made = 0, refused = 0;
  const auto look = [&](const std::vector<SocketFaultHit>& hits, const std::string& where, const std::string& sentence) {
    if (sentence.empty()) {
      EXPECT_TRUE(contentAt(path) == content) << where;
    } else {
      ++refused;
      EXPECT_FALSE(std::filesystem::exists(path)) << where;
      EXPECT_TRUE(content.starts_with(contentAt(path + ".part"))) << where;
      EXPECT_THAT(sentence, HasSubstr(server.url().substr(7))) << where;
      EXPECT_THAT(sentence, HasSubstr(std::strerror(hits.at(0).reason))) << where;
    }
    made += static_cast<int>(hits.size());
    deploy::download(wanted);
    EXPECT_TRUE(contentAt(path) == content) << where;
  };
  SocketFaults faults({.visits = 8});
  EXPECT_EQ(failEverySocketCall(faults, fetch, look), made);
  EXPECT_GE(made, 15) << "socket, connect, its outcome, send and the first, second, fourth and eighth recv";
  EXPECT_GE(refused, 5);
}

}  // namespace
}  // namespace paceline::tests
