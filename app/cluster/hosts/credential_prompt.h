// Credential prompts while a host is connected to: answered at a terminal, in a window, or by nobody. Any thread may ask; one question at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace paceline::hosts {

struct HostKeyPrompt {
  std::string host, address;  // the name in our list and where it is; a jump host is asked for itself
  std::string type;           // "ssh-ed25519"
  std::string fingerprint;    // "SHA256:..."
};

class CredentialPrompts {
 public:
  virtual ~CredentialPrompts() = default;
  // Password, passphrase, keyboard-interactive answers. nullopt: nobody answers. Never stored, logged or passed on.
  virtual std::optional<std::string> secret(const std::string& /*host*/, const std::string& /*prompt*/, bool /*echo*/) { return std::nullopt; }
  virtual bool acceptKey(const HostKeyPrompt& /*question*/) { return false; }  // of a host that is not known yet; never asked for a changed key
  // Told every few seconds while a host makes us wait (a scheduler's queue), with the reason: "job 12 is pending (Resources)". false: give up.
  virtual bool mayWait(const std::string& /*host*/, const std::string& /*why*/) { return true; }
};

inline std::unique_ptr<CredentialPrompts> nobody() { return std::make_unique<CredentialPrompts>(); }  // answers nothing, accepts nothing

}  // namespace paceline::hosts
