#include "app/cluster/hosts/credential_prompt.h"

namespace paceline::hosts {
namespace {

class Nobody final : public CredentialPrompts {
 public:
  std::optional<std::string> secret(const std::string&, const std::string&, bool) override { return std::nullopt; }
  bool acceptKey(const HostKeyPrompt&) override { return false; }
};

}  // namespace

std::unique_ptr<CredentialPrompts> nobody() { return std::make_unique<Nobody>(); }

}  // namespace paceline::hosts
