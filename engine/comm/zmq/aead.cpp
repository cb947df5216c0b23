#include "engine/comm/zmq/aead.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "engine/core/base/error.h"

namespace paceline::zeromq {
namespace {

const std::uint8_t* raw(std::span<const std::byte> span) { return reinterpret_cast<const std::uint8_t*>(span.data()); }
std::uint8_t* raw(std::span<std::byte> span) { return reinterpret_cast<std::uint8_t*>(span.data()); }

void require(bool good) {
  if (!good) throw Error(Errc::kHost, "this host's OpenSSL refuses AES-256-GCM");
}

struct CipherFree {
  void operator()(EVP_CIPHER_CTX* cipher) const { EVP_CIPHER_CTX_free(cipher); }  // wipes the key
};

class OpensslAead final : public Aead {
 public:
  explicit OpensslAead(const Key& key) : sealing_(EVP_CIPHER_CTX_new()), opening_(EVP_CIPHER_CTX_new()) {
    require(sealing_ && opening_ && EVP_EncryptInit_ex(sealing_.get(), EVP_aes_256_gcm(), nullptr, key.data(), nullptr) == 1 &&
            EVP_DecryptInit_ex(opening_.get(), EVP_aes_256_gcm(), nullptr, key.data(), nullptr) == 1);
  }

  void seal(const Nonce& nonce, std::uint8_t bound, std::span<const std::byte> plain, std::span<std::byte> sealed) override {
    int length = 0;
    EVP_CIPHER_CTX* const cipher = sealing_.get();
    require(EVP_EncryptInit_ex(cipher, nullptr, nullptr, nullptr, nonce.data()) == 1 &&
            EVP_EncryptUpdate(cipher, nullptr, &length, &bound, sizeof bound) == 1 &&
            EVP_EncryptUpdate(cipher, raw(sealed), &length, raw(plain), static_cast<int>(plain.size())) == 1 &&
            EVP_EncryptFinal_ex(cipher, raw(sealed) + plain.size(), &length) == 1 &&
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, kTagBytes, raw(sealed) + plain.size()) == 1);
  }

  bool open(const Nonce& nonce, std::uint8_t bound, std::span<std::byte> sealed) override {
    const std::span<std::byte> inside = sealed.first(sealed.size() - kTagBytes);
    int length = 0;
    EVP_CIPHER_CTX* const cipher = opening_.get();
    require(EVP_DecryptInit_ex(cipher, nullptr, nullptr, nullptr, nonce.data()) == 1 &&
            EVP_DecryptUpdate(cipher, nullptr, &length, &bound, sizeof bound) == 1 &&
            EVP_DecryptUpdate(cipher, raw(inside), &length, raw(inside), static_cast<int>(inside.size())) == 1 &&
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, kTagBytes, raw(sealed) + inside.size()) == 1);
    return EVP_DecryptFinal_ex(cipher, raw(sealed) + inside.size(), &length) == 1;
  }

 private:
  std::unique_ptr<EVP_CIPHER_CTX, CipherFree> sealing_, opening_;
};

}  // namespace

Key::~Key() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

std::unique_ptr<Aead> opensslAead(const Key& key) { return std::make_unique<OpensslAead>(key); }

std::unique_ptr<Aead> fastestAead(const Key& key) {
  if (std::unique_ptr<Aead> fast = multiBufferAead(key)) return fast;
  return opensslAead(key);
}

}  // namespace paceline::zeromq
