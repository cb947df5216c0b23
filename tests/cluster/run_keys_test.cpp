#include "app/cluster/run/launch_plan.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <memory>
#include <set>

#include "engine/core/base/secret.h"

namespace paceline::tests {
namespace {

RunSpec spec(const std::string& protection, const std::string& secondHost = "local") {
  RunSpec spec;
  spec.protection = protection;
  spec.nodes.resize(3);
  spec.nodes[1].host = secondHost;
  return spec;
}

// The inverse of z85(), written from RFC 32.
std::string bytesOf(const std::string& text) {
  const std::string digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 5) {
    std::uint64_t value = 0;
    for (std::size_t j = 0; j < 5; ++j) value = value * 85 + digits.find(text[i + j]);
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> static_cast<unsigned>(shift));
  }
  return bytes;
}

TEST(RunKeys, Z85IsThatOfTheStandard) {
  EXPECT_EQ(run::z85("\x86\x4F\xD2\x6F\xB5\x59\xF7\x5B"), "HelloWorld");  // RFC 32's test vector
  EXPECT_EQ(run::z85(std::string(4, '\xff')), "%nSc0");
  EXPECT_EQ(run::z85(""), "");
}

TEST(RunKeys, AutoIsPlainOnOneHostAndAcrossHostsTheFastestThatAllHave) {
  const auto sites = [](bool own, bool other) {
    return std::map<std::string, run::HostSite>{{"local", {.installation = {.folder = "", .env = {}, .aes = own}, .dataAddress = ""}},
                                                {"gpu1", {.installation = {.folder = "", .env = {}, .aes = other}, .dataAddress = ""}}};
  };
  EXPECT_EQ(run::protectionOf(spec("auto"), sites(true, true)), "plain");
  EXPECT_EQ(run::protectionOf(spec("auto", "gpu1"), sites(true, true)), "aes_gcm");
  EXPECT_EQ(run::protectionOf(spec("auto", "gpu1"), sites(true, false)), "curve");
  EXPECT_EQ(run::protectionOf(spec("auto", "gpu1"), sites(false, true)), "curve");
  EXPECT_EQ(run::protectionOf(spec("curve", "gpu1"), sites(true, true)), "curve");
  EXPECT_EQ(run::protectionOf(spec("aes_gcm"), sites(false, false)), "aes_gcm");
}

TEST(RunKeys, PlainRunsHaveNone) {
  for (const DataKeys& keys : run::makeKeys("plain", 3)) {
    EXPECT_EQ(keys.mode, "plain");
    EXPECT_EQ(keys.secret, "");
    EXPECT_TRUE(keys.publics.empty());
  }
}

TEST(RunKeys, EveryNodeHasItsOwnPairAndEverybodysPublicKeys) {
  const auto keys = run::makeKeys("curve", 3);
  const auto others = run::makeKeys("curve", 3);
  ASSERT_EQ(keys.size(), 3U);
  std::set<std::string> secrets;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(keys[i].mode, "curve");
    EXPECT_EQ(keys[i].publics, keys[0].publics);
    secrets.insert({keys[i].secret, others[i].secret});
    const std::string secret = bytesOf(keys[i].secret);
    ASSERT_EQ(secret.size(), 32U);
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pair(
        EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, reinterpret_cast<const unsigned char*>(secret.data()), secret.size()), EVP_PKEY_free);
    std::string open(32, '\0');
    std::size_t size = open.size();
    ASSERT_EQ(EVP_PKEY_get_raw_public_key(pair.get(), reinterpret_cast<unsigned char*>(open.data()), &size), 1);
    EXPECT_EQ(run::z85(open), keys[i].publics[i]);
  }
  EXPECT_EQ(secrets.size(), 6U);  // no two alike, in no two runs
}

TEST(RunKeys, WipingLeavesNothingOfTheText) {
  std::string text = "a secret that is longer than what fits into a string itself";
  const char* where = text.data();
  const std::size_t size = text.size();
  wipe(text);
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(std::string(where, size), std::string(size, '\0'));  // its memory is still its own
}

}  // namespace
}  // namespace paceline::tests
