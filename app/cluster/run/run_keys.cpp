#include "app/cluster/run/run_keys.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <memory>

#include "engine/core/base/error.h"
#include "engine/core/base/secret.h"

namespace paceline::run {
namespace {

constexpr std::size_t kKeyBytes = 32;

struct KeyPair {
  std::string secret, open;  // bytes
};

KeyPair newPair() {
  const auto failed = [] { return Error(Errc::kHost, "local: cannot make keys for the run: OpenSSL has no X25519"); };
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_PKEY_Q_keygen(nullptr, nullptr, "X25519"), EVP_PKEY_free);
  if (!key) throw failed();
  KeyPair pair{.secret = std::string(kKeyBytes, '\0'), .open = std::string(kKeyBytes, '\0')};
  std::size_t secretSize = kKeyBytes, openSize = kKeyBytes;
  const auto bytesOf = [](std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); };
  if (EVP_PKEY_get_raw_private_key(key.get(), bytesOf(pair.secret), &secretSize) != 1 || secretSize != kKeyBytes ||
      EVP_PKEY_get_raw_public_key(key.get(), bytesOf(pair.open), &openSize) != 1 || openSize != kKeyBytes)
    throw failed();
  return pair;
}

}  // namespace

std::string protectionOf(const RunSpec& spec) {
  if (spec.protection != "auto") return spec.protection;
  return spec.hosts().size() > 1 ? "curve" : "plain";
}

std::vector<DataKeys> makeKeys(const RunSpec& spec) {
  std::vector<DataKeys> keys(spec.nodes.size());
  const std::string mode = protectionOf(spec);
  if (mode == "plain") return keys;
  std::vector<std::string> publics;
  for (DataKeys& own : keys) {
    KeyPair pair = newPair();
    own.mode = mode;
    own.secret = z85(pair.secret);
    publics.push_back(z85(pair.open));
    wipe(pair.secret);
  }
  for (DataKeys& own : keys) own.publics = publics;
  return keys;
}

std::string z85(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  PACELINE_CHECK(bytes.size() % 4 == 0, "Z85 of a length that is no multiple of 4");
  std::string text;
  text.reserve(bytes.size() / 4 * 5);
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t value = 0;
    for (std::size_t j = 0; j < 4; ++j) value = value << 8U | static_cast<unsigned char>(bytes[i + j]);
    for (std::uint32_t divisor = 85U * 85U * 85U * 85U; divisor > 0; divisor /= 85U) text += kDigits[value / divisor % 85U];
  }
  return text;
}

}  // namespace paceline::run
