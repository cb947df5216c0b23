// Hosts from other tools' files: plain lists, MPI hostfiles, ECL's hosts.json, MXNet-G's hosts, ps_pytorch's hosts and hosts_address.
// Text in, entries or problems out. Any thread.
#pragma once

#include "app/cluster/hosts/host_registry.h"

namespace paceline::interop {

enum class HostFormat { kAuto, kList, kMpi, kEcl, kMxnet, kPsPytorch, kSshConfig };
inline constexpr const char* kHostFormats[] = {"auto", "list", "mpi", "ecl", "mxnet", "ps_pytorch", "ssh_config"};  // as the enum
HostFormat hostFormatNamed(const std::string& name);  // throws Error{kUsage}
const char* hostFormatName(HostFormat format);

struct ImportedHost {
  std::string name;  // in the file, or made of the address: not yet unique in a book
  std::string address, user;
  int slots = 1;  // processes the file gives it: slots=N, host:N, or how often it is listed
  bool operator==(const ImportedHost&) const = default;
};

struct HostImport {
  HostFormat format = HostFormat::kAuto;  // what it was read as
  std::vector<ImportedHost> hosts;        // in the file's order, each address once; empty when there are problems
  std::vector<std::string> problems;      // "hosts.txt:3: ...", one for every bad line
};

// Never throws for what the text holds. Pure but for kSshConfig: aliases are resolved whenever they are used, so that `path` must be the user's own
// configuration, which is read with what it includes (ssh/config.h).
HostImport readHosts(std::string_view text, const std::string& path, HostFormat format = HostFormat::kAuto);
HostFormat guessHostFormat(std::string_view text);

// What goes into the book: names made unique ("-2", "-3"), hosts whose address and user it has already left out.
struct HostAdditions {
  std::vector<hosts::HostEntry> entries;
  std::vector<int> slots;               // of each entry
  std::vector<std::string> knownAlready;  // names in the book
};
HostAdditions additionsTo(const hosts::HostRegistry& book, const std::vector<ImportedHost>& hosts, const hosts::HostEntry& model = {});  // model: user, identity, jump ...

// "node[001-004,7],gpu[1-2]x[0-1]" as Slurm writes it; a plain name is itself. Throws Error{kFormat} saying what is wrong; at most kMaxHosts.
std::vector<std::string> expandHostRanges(std::string_view text);
inline constexpr std::size_t kMaxHosts = 4096;

// "" when it can be a host name, an IPv4 or an IPv6 address; else what is wrong with it.
std::string addressProblem(std::string_view address);

// The book's remote hosts in its order: one address a line, or "address slots=N" with what `slots` says of each name.
std::string hostListText(const std::vector<hosts::HostEntry>& hosts, const std::vector<int>& slots = {});

}  // namespace paceline::interop
