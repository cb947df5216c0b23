// The host's key, then every way to log in: key files, the agent, keyboard-interactive, password; several one after the other where a host wants that.
#pragma once

#include "app/cluster/hosts/credential_prompt.h"
#include "app/cluster/ssh/connection.h"

namespace paceline::ssh {

// Throws SshError{kKey} when the key has changed, is of another type than the known ones, revoked, or not accepted.
void verifyHostKey(SshConnection& connection, hosts::CredentialPrompts& prompts);

// Throws SshError{kAuthenticate} naming what the server offers and what was tried.
void logIn(SshConnection& connection, hosts::CredentialPrompts& prompts, double seconds);

}  // namespace paceline::ssh
