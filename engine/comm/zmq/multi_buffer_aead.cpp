// AES-256-GCM by libipsec-mb, which is loaded when it is needed: a host without it needs nothing else. Its structures are those of the header that
// this was built with, so only that version is taken; and only after it has sealed and opened as OpenSSL does.
#include "engine/comm/zmq/aead.h"

#include <vector>

#ifdef PACELINE_IPSEC_MB
#include <dlfcn.h>
#include <intel-ipsec-mb.h>
#include <openssl/crypto.h>
#endif

#include "engine/core/base/error.h"

namespace paceline::zeromq {

#ifdef PACELINE_IPSEC_MB
namespace {

constexpr char kFile[] = "libIPSec_MB.so.1";

const std::uint8_t* in(const std::byte* at) { return reinterpret_cast<const std::uint8_t*>(at); }
std::uint8_t* out(std::byte* at) { return reinterpret_cast<std::uint8_t*>(at); }

// The library and its table of functions, which any thread may call. Never unloaded. Null: not here.
IMB_MGR* loaded() {
  void* const library = ::dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto find = [&]<class Function>(const char* name, Function*& function) { function = reinterpret_cast<Function*>(::dlsym(library, name)); };
  decltype(imb_get_version_str)* version = nullptr;
  decltype(alloc_mb_mgr)* allocate = nullptr;
  decltype(init_mb_mgr_auto)* initialise = nullptr;
  find("imb_get_version_str", version), find("alloc_mb_mgr", allocate), find("init_mb_mgr_auto", initialise);
  if (version == nullptr || allocate == nullptr || initialise == nullptr || std::string_view(version()) != IMB_VERSION_STR) return nullptr;
  IMB_MGR* const manager = allocate(0);
  if (manager == nullptr) return nullptr;
  initialise(manager, nullptr);
  constexpr std::uint64_t kWide = IMB_FEATURE_VAES | IMB_FEATURE_VPCLMULQDQ;
  return (manager->features & kWide) == kWide ? manager : nullptr;
}

class MultiBufferAead final : public Aead {
 public:
  MultiBufferAead(IMB_MGR* manager, const Key& key) : manager_(manager) { IMB_AES256_GCM_PRE(manager_, key.data(), &key_); }
  ~MultiBufferAead() override { OPENSSL_cleanse(&key_, sizeof key_); }
  MultiBufferAead(const MultiBufferAead&) = delete;
  MultiBufferAead& operator=(const MultiBufferAead&) = delete;

  void seal(const Nonce& nonce, std::uint8_t bound, std::span<const std::byte> plain, std::span<std::byte> sealed) override {
    IMB_AES256_GCM_ENC(manager_, &key_, &context_, out(sealed.data()), in(plain.data()), plain.size(), nonce.data(), &bound, sizeof bound,
                       out(sealed.data()) + plain.size(), kTagBytes);
  }

  bool open(const Nonce& nonce, std::uint8_t bound, std::span<std::byte> sealed) override {
    const std::size_t size = sealed.size() - kTagBytes;
    std::array<std::uint8_t, kTagBytes> tag{};
    IMB_AES256_GCM_DEC(manager_, &key_, &context_, out(sealed.data()), in(sealed.data()), size, nonce.data(), &bound, sizeof bound, tag.data(), kTagBytes);
    return CRYPTO_memcmp(tag.data(), sealed.data() + size, kTagBytes) == 0;
  }

 private:
  IMB_MGR* manager_;
  alignas(64) gcm_key_data key_{};
  gcm_context_data context_{};
};

// It does what OpenSSL does, at lengths on both sides of its blocks.
bool isRight(IMB_MGR* manager) {
  Key key;
  key.data()[0] = 1;
  const Nonce nonce{2};
  MultiBufferAead ours(manager, key);
  const std::unique_ptr<Aead> theirs = opensslAead(key);
  for (const std::size_t size : {1U, 16U, 255U, 768U, 4099U}) {
    std::vector<std::byte> plain(size, std::byte{3}), one(size + kTagBytes), other(size + kTagBytes);
    ours.seal(nonce, 4, plain, one);
    theirs->seal(nonce, 4, plain, other);
    if (one != other || !ours.open(nonce, 4, one)) return false;
  }
  return true;
}

IMB_MGR* usable() {
  static IMB_MGR* const manager = [] {
    IMB_MGR* const here = loaded();
    return here != nullptr && isRight(here) ? here : nullptr;
  }();
  return manager;
}

}  // namespace

std::unique_ptr<Aead> multiBufferAead(const Key& key) {
  IMB_MGR* const manager = usable();
  return manager == nullptr ? nullptr : std::make_unique<MultiBufferAead>(manager, key);
}

std::string aeadLibrary() { return usable() == nullptr ? "OpenSSL" : "ipsec-mb " IMB_VERSION_STR; }

#else

std::unique_ptr<Aead> multiBufferAead(const Key&) { return nullptr; }
std::string aeadLibrary() { return "OpenSSL"; }

#endif

}  // namespace paceline::zeromq
