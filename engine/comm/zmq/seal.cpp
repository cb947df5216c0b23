#include "engine/comm/zmq/seal.h"

#include <array>
#include <cstring>

#include <openssl/evp.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "engine/core/base/error.h"

namespace paceline::zeromq {
namespace {

using Nonce = std::array<std::uint8_t, 12>;

Nonce nonceOf(std::uint64_t number) {
  Nonce nonce{};
  std::memcpy(nonce.data() + nonce.size() - sizeof number, &number, sizeof number);
  return nonce;
}

const std::uint8_t* bytes(std::span<const std::byte> span) { return reinterpret_cast<const std::uint8_t*>(span.data()); }
std::uint8_t* bytes(std::span<std::byte> span) { return reinterpret_cast<std::uint8_t*>(span.data()); }

void require(bool good) {
  if (!good) throw Error(Errc::kHost, "this host's OpenSSL refuses AES-256-GCM");
}

}  // namespace

bool hasAesInstructions() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
#elif defined(__aarch64__)
  constexpr unsigned long kAes = 1UL << 3, kPolynomialMultiply = 1UL << 4;
  return (getauxval(AT_HWCAP) & (kAes | kPolynomialMultiply)) == (kAes | kPolynomialMultiply);
#else
  return false;
#endif
}

void CipherFree::operator()(evp_cipher_ctx_st* cipher) const { EVP_CIPHER_CTX_free(cipher); }  // wipes the key

Sealer::Sealer(const Key& key) : cipher_(EVP_CIPHER_CTX_new()) {
  require(cipher_ && EVP_EncryptInit_ex(cipher_.get(), EVP_aes_256_gcm(), nullptr, key.data(), nullptr) == 1);
}

void Sealer::seal(FrameRole role, std::span<const std::byte> plain, std::span<std::byte> sealed) {
  PACELINE_CHECK(sealed.size() == plain.size() + kSealBytes, "size of the sealed frame");
  const Nonce nonce = nonceOf(next_++);
  const auto bound = static_cast<std::uint8_t>(role);
  int length = 0;
  require(EVP_EncryptInit_ex(cipher_.get(), nullptr, nullptr, nullptr, nonce.data()) == 1 &&
          EVP_EncryptUpdate(cipher_.get(), nullptr, &length, &bound, sizeof bound) == 1 &&
          EVP_EncryptUpdate(cipher_.get(), bytes(sealed), &length, bytes(plain), static_cast<int>(plain.size())) == 1 &&
          EVP_EncryptFinal_ex(cipher_.get(), bytes(sealed) + plain.size(), &length) == 1 &&
          EVP_CIPHER_CTX_ctrl(cipher_.get(), EVP_CTRL_AEAD_GET_TAG, kSealBytes, bytes(sealed) + plain.size()) == 1);
}

Opener::Opener(const Key& key) : cipher_(EVP_CIPHER_CTX_new()) {
  require(cipher_ && EVP_DecryptInit_ex(cipher_.get(), EVP_aes_256_gcm(), nullptr, key.data(), nullptr) == 1);
}

bool Opener::open(FrameRole role, std::span<std::byte> sealed) {
  if (broken_ || sealed.size() < kSealBytes) return broken_ = true, false;
  const std::span<std::byte> inside = sealed.first(sealed.size() - kSealBytes);
  const Nonce nonce = nonceOf(next_++);
  const auto bound = static_cast<std::uint8_t>(role);
  int length = 0;
  require(EVP_DecryptInit_ex(cipher_.get(), nullptr, nullptr, nullptr, nonce.data()) == 1 &&
          EVP_DecryptUpdate(cipher_.get(), nullptr, &length, &bound, sizeof bound) == 1 &&
          EVP_DecryptUpdate(cipher_.get(), bytes(inside), &length, bytes(inside), static_cast<int>(inside.size())) == 1 &&
          EVP_CIPHER_CTX_ctrl(cipher_.get(), EVP_CTRL_AEAD_SET_TAG, kSealBytes, bytes(sealed) + inside.size()) == 1);
  broken_ = EVP_DecryptFinal_ex(cipher_.get(), bytes(sealed) + inside.size(), &length) != 1;
  return !broken_;
}

}  // namespace paceline::zeromq
