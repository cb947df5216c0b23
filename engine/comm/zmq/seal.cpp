#include "engine/comm/zmq/seal.h"

#include <cstring>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <zmq.h>

#include "engine/core/base/error.h"

namespace paceline::zeromq {
namespace {

constexpr std::size_t kZ85Length = 40;
constexpr char kSalt[] = "paceline wire 2";  // its number is the handshake's: programs that shake hands otherwise have other keys

template <auto free>
struct Free {
  template <class T>
  void operator()(T* object) const { free(object); }
};
using PublicOrSecret = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Agreement = std::unique_ptr<EVP_PKEY_CTX, Free<EVP_PKEY_CTX_free>>;
using Kdf = std::unique_ptr<EVP_KDF, Free<EVP_KDF_free>>;
using KdfUse = std::unique_ptr<EVP_KDF_CTX, Free<EVP_KDF_CTX_free>>;

// What is wrong is said without the key itself.
Key decoded(const std::string& text, const std::string& whose) {
  Key key;
  if (text.size() != kZ85Length || zmq_z85_decode(key.data(), text.c_str()) == nullptr)
    throw Error(Errc::kFormat, strCat(whose, " is no CURVE key: it must be ", kZ85Length, " characters of Z85"));
  return key;
}

Key publicOf(const Key& secret) {
  const PublicOrSecret own(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret.data(), kKeyBytes));
  Key result;
  std::size_t length = kKeyBytes;
  if (!own || EVP_PKEY_get_raw_public_key(own.get(), result.data(), &length) != 1)
    throw Error(Errc::kFormat, "this node's secret is no CURVE key");
  return result;
}

Key agreed(const Key& secret, const Key& other, int node) {
  const PublicOrSecret own(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret.data(), kKeyBytes));
  const PublicOrSecret peer(EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, other.data(), kKeyBytes));
  const Agreement agreement(own ? EVP_PKEY_CTX_new(own.get(), nullptr) : nullptr);
  Key result;
  std::size_t length = kKeyBytes;
  if (!peer || !agreement || EVP_PKEY_derive_init(agreement.get()) != 1 || EVP_PKEY_derive_set_peer(agreement.get(), peer.get()) != 1 ||
      EVP_PKEY_derive(agreement.get(), result.data(), &length) != 1)
    throw Error(Errc::kFormat, strCat("the public key of node ", node, " is no CURVE key: nothing can be agreed with it"));
  return result;
}

Key hkdf(const Key& from, std::string info) {
  const Kdf kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  const KdfUse use(kdf ? EVP_KDF_CTX_new(kdf.get()) : nullptr);
  char digest[] = "SHA256", salt[sizeof kSalt];
  std::copy(std::begin(kSalt), std::end(kSalt), salt);
  Key input = from, result;
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
                                   OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, input.data(), kKeyBytes),
                                   OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, salt, sizeof kSalt - 1),
                                   OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()), OSSL_PARAM_construct_end()};
  if (!use || EVP_KDF_derive(use.get(), result.data(), kKeyBytes, parameters) != 1)
    throw Error(Errc::kHost, "this host's OpenSSL derives no keys (HKDF with SHA-256)");
  return result;
}

constexpr std::size_t kNameBytes = 16;

std::string hexOf(std::span<const std::uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

Nonce nonceOf(std::uint64_t number) {
  Nonce nonce{};
  std::memcpy(nonce.data() + nonce.size() - sizeof number, &number, sizeof number);
  return nonce;
}

}  // namespace

PairKeys::PairKeys(const DataKeys& keys, int self) : self_(self), secret_(decoded(keys.secret, "this node's secret")) {
  for (std::size_t i = 0; i < keys.publics.size(); ++i) publics_.push_back(decoded(keys.publics[i], strCat("the public key of node ", i)));
  PACELINE_CHECK(self >= 0 && static_cast<std::size_t>(self) < publics_.size(), strCat("node ", self, " of ", publics_.size(), " keys"));
  if (publicOf(secret_).view() != publicKey(self).view())
    throw Error(Errc::kFormat, strCat("the secret of node ", self, " does not belong to its public key"));
}

std::string PairKeys::name(std::string_view label, int from, int to, std::string_view session) const {
  return hexOf({key(label, from, to, session).data(), kNameBytes});
}

Key PairKeys::key(std::string_view label, int from, int to, std::string_view session) const {
  PACELINE_CHECK((from == self_) != (to == self_), strCat("keys between ", from, " and ", to, " at node ", self_));
  const int other = from == self_ ? to : from;
  return hkdf(agreed(secret_, publicKey(other), other),
              strCat(label, '|', from, '|', to, '|', publicKey(from).view(), publicKey(to).view(), session));
}

std::string freshNonce() {
  std::array<std::uint8_t, kNameBytes> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) throw Error(Errc::kHost, "this host's OpenSSL gives no random numbers");
  return hexOf(bytes);
}

void Sealer::seal(FrameRole role, std::span<const std::byte> plain, std::span<std::byte> sealed) {
  PACELINE_CHECK(sealed.size() == plain.size() + kSealBytes, "size of the sealed frame");
  aead_->seal(nonceOf(next_++), static_cast<std::uint8_t>(role), plain, sealed);
}

bool Opener::open(FrameRole role, std::span<std::byte> sealed) {
  if (!broken_) broken_ = sealed.size() < kSealBytes || !aead_->open(nonceOf(next_++), static_cast<std::uint8_t>(role), sealed);
  return !broken_;
}

}  // namespace paceline::zeromq
