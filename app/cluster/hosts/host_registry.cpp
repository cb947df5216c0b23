#include "app/cluster/hosts/host_registry.h"

#include <arpa/inet.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"

namespace paceline::hosts {

void describe(auto& visit, HostEntry& entry) {
  visit(Field{.key = "name", .help = "as a spec's \"host\" says it", .required = true}, entry.name);
  visit(Field{.key = "kind", .help = "ssh, slurm, exec (whatever a command gives a shell on) or local"}, entry.kind);
  visit(Field{.key = "address", .help = "host name, IP address or alias of ~/.ssh/config; for slurm: the login host", .zero = "NAME; for slurm: this computer", .brief = true}, entry.address);
  visit(Field{.key = "port", .help = "SSH port", .bounds = {.min = 0, .max = 65535}, .zero = "from ~/.ssh/config, else 22", .brief = true}, entry.port);
  visit(Field{.key = "user", .help = "login name", .zero = "from ~/.ssh/config", .brief = true}, entry.user);
  visit(Field{.key = "identity", .help = "private key file", .zero = "from ~/.ssh/config", .brief = true}, entry.identity);
  visit(Field{.key = "known_hosts", .help = "file of known host keys", .zero = "OpenSSH's", .brief = true}, entry.knownHosts);
  visit(Field{.key = "jump", .help = "jump host, by its name in this list", .zero = "from ~/.ssh/config", .brief = true}, entry.jump);
  visit(Field{.key = "accept_new_key", .help = "accept an unknown host key without asking; a changed key is always refused", .brief = true}, entry.acceptNewKey);
  visit(Field{.key = "data_address", .help = "IP address of its interface for the runs' traffic", .zero = "where it is reached", .brief = true}, entry.dataAddress);
  visit(Field{.key = "libraries", .help = "folder there that has LibTorch", .zero = "the system's, else ours are sent", .brief = true}, entry.libraries);
  visit(Field{.key = "env", .help = "added to every command's environment there; nothing secret", .brief = true}, entry.env);
  visit(Field{.key = "slurm", .help = "option for sbatch, as --slurm=--partition=gpu", .brief = true}, entry.slurm);
  visit(Field{.key = "job", .help = "for slurm: name of the one job that several hosts are nodes of", .zero = "a job of its own", .brief = true}, entry.job);
  visit(Field{.key = "job_nodes", .help = "nodes of that job", .bounds = {.min = 1, .max = 100000}, .brief = true}, entry.jobNodes);
  visit(Field{.key = "job_node", .help = "which of them this host is, from 0", .bounds = {.min = 0, .max = 99999}, .brief = true}, entry.jobNode);
  visit(Field{.key = "command", .help = "for exec: what gives a shell there when /bin/sh is put behind it, as \"docker exec -i box\"", .brief = true}, entry.command);
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = 16U << 20U;

[[noreturn]] void refuse(const HostEntry& entry, const std::string& why) {
  throw Error(Errc::kUsage, strCat("host \"", quotable(entry.name), "\": ", why));
}

bool isName(const std::string& name) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; };
  return !name.empty() && name.size() <= 64 && name.front() != '-' && std::all_of(name.begin(), name.end(), plain);
}

bool hasControl(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

// What becomes a word of ssh's command line or of its configuration must be no option and no second line.
void checkWord(const HostEntry& entry, const char* what, const std::string& word) {
  if (hasControl(word)) refuse(entry, strCat(what, " \"", quotable(word), "\" has a control character"));
  if (word.starts_with('-')) refuse(entry, strCat(what, " \"", quotable(word), "\" must not begin with '-'"));
}

void checkDataAddress(const HostEntry& entry) {
  if (entry.dataAddress.empty()) return;
  unsigned char bytes[16] = {};
  const bool four = ::inet_pton(AF_INET, entry.dataAddress.c_str(), bytes) == 1;
  const bool six = !four && ::inet_pton(AF_INET6, entry.dataAddress.c_str(), bytes) == 1;
  if (!four && !six) refuse(entry, strCat("data address \"", quotable(entry.dataAddress), "\" is no IP address"));
  if (std::all_of(bytes, bytes + 16, [](unsigned char byte) { return byte == 0; }))
    refuse(entry, strCat("data address ", entry.dataAddress, " means every interface; name the one that carries the runs' traffic"));
}

void checkEnvironment(const HostEntry& entry) {
  for (const auto& [name, value] : entry.env) {
    if (name.empty() || name.find('=') != std::string::npos || hasControl(name))
      refuse(entry, strCat("\"", quotable(name), "\" is no name of an environment variable"));
    if (value.find('\0') != std::string::npos) refuse(entry, strCat("the value of ", quotable(name), " has a NUL byte"));
  }
}

// All that can be said of an entry without the others.
void check(const HostEntry& entry) {
  if (!isName(entry.name))
    throw Error(Errc::kUsage, strCat("\"", quotable(entry.name, 80), "\" is no name of a host: 1 to 64 letters, digits, '_', '-', '.', not '-' first"));
  if (entry.kind != "local" && entry.kind != "ssh" && entry.kind != "slurm" && entry.kind != "exec")
    refuse(entry, strCat("kind \"", quotable(entry.kind), "\" is not known; have local, ssh, slurm, exec"));
  if (entry.kind == "exec" && entry.command.empty()) refuse(entry, "has no command that gives a shell there, such as \"docker exec -i box\"");
  if (entry.kind != "exec" && !entry.command.empty()) refuse(entry, strCat("a command is for hosts of kind exec; its kind is ", entry.kind));
  if (!entry.job.empty() && entry.kind != "slurm") refuse(entry, strCat("a job is for hosts of kind slurm; its kind is ", entry.kind));
  if (!entry.job.empty() && !isName(entry.job)) refuse(entry, strCat("job \"", quotable(entry.job), "\" is no name"));
  if (entry.jobNodes < 1 || entry.jobNode < 0 || entry.jobNode >= entry.jobNodes) refuse(entry, strCat("is node ", entry.jobNode, " of a job of ", entry.jobNodes));
  if (hasControl(entry.command)) refuse(entry, strCat("command \"", quotable(entry.command), "\" has a control character"));
  if (entry.kind == "exec" && !entry.jump.empty()) refuse(entry, "is reached by its command, so it has no jump host");
  if (entry.name == "local" && entry.kind != "local") refuse(entry, "is this computer; its kind stays local");
  if (entry.kind == "local" && !entry.jump.empty()) refuse(entry, "is on this computer, so it has no jump host");
  if (entry.kind == "ssh" && entry.address.empty()) refuse(entry, "has no address");
  if (entry.port < 0 || entry.port > 65535) refuse(entry, strCat("port must be 1 to 65535, got ", entry.port));
  checkWord(entry, "address", entry.address);
  checkWord(entry, "user", entry.user);
  for (const std::string* path : {&entry.identity, &entry.knownHosts, &entry.libraries})
    if (hasControl(*path)) refuse(entry, strCat("path \"", quotable(*path), "\" has a control character"));
  for (const std::string& option : entry.slurm)
    if (hasControl(option)) refuse(entry, strCat("slurm option \"", quotable(option), "\" has a control character"));
  checkDataAddress(entry);
  checkEnvironment(entry);
}

HostEntry localEntry() {
  HostEntry entry;
  entry.name = entry.kind = "local";
  return entry;
}

struct HostsFile {
  std::vector<HostEntry> hosts = {};
};

void describe(auto& visit, HostsFile& file) {
  FormVersion<1> version;
  visit(Field{.key = "paceline_hosts"}, version);
  visit(Field{.key = "hosts"}, file.hosts);
}

std::string readAll(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw Error(Errc::kFile, strCat("cannot read ", path, ": it is a folder"));
  if (auto text = fileText(path, kMaxFileBytes)) return std::move(*text);
  if (errno == EFBIG) throw Error(Errc::kFormat, strCat(path, ": more than ", kMaxFileBytes, " bytes are no list of hosts"));
  throw Error(Errc::kFile, strCat("cannot read ", path, ": ", std::strerror(errno)));
}

}  // namespace

std::string fieldHelp(std::string_view key) {
  std::string help;
  HostEntry fresh;
  const auto find = [&](const Field& field, const auto&) {
    if (field.key == key) help = strCat(field.help, field.zero.empty() ? "" : "; default: ", field.zero);
  };
  describe(find, fresh);
  PACELINE_CHECK(!help.empty(), strCat("a member of a host's entry, not ", key));
  return help;
}

HostRegistry::HostRegistry() : entries_(1, localEntry()) {}

std::string HostRegistry::defaultPath() {
  const std::string given = environment("PACELINE_HOSTS");
  return given.empty() ? userConfigFolder() + "/paceline/hosts.json" : given;
}

HostRegistry HostRegistry::load(const std::string& path) {
  HostRegistry book;
  book.path_ = path;
  std::error_code error;
  if (!fs::exists(path, error) && (!error || error == std::errc::no_such_file_or_directory)) return book;
  const std::string text = readAll(path);
  std::vector<Finding> findings;
  HostsFile file;
  if (const auto document = parseJson(text, findings)) {
    Fields fields(*document, "", findings);
    readObject(fields, file);
  }
  const auto put = [&](const HostEntry& entry, const std::string& pointer) {
    try {
      book.put(entry);
    } catch (const Error& refused) {
      findings.push_back({pointer, refused.what()});
    }
  };
  std::set<std::string> names;
  for (std::size_t i = 0; i < file.hosts.size() && findings.empty(); ++i) {
    HostEntry entry = file.hosts[i];
    if (!names.insert(entry.name).second) findings.push_back({strCat("/hosts/", i, "/name"), strCat("host \"", quotable(entry.name), "\" is there twice")});
    entry.jump.clear();  // which may come later in the file
    put(entry, strCat("/hosts/", i));
  }
  for (std::size_t i = 0; i < file.hosts.size() && findings.empty(); ++i) put(file.hosts[i], strCat("/hosts/", i, "/jump"));
  if (!findings.empty()) {
    const std::string& pointer = findings.front().pointer;
    throw Error(Errc::kFormat, strCat(path, ": ", pointer, pointer.empty() ? "" : ": ", findings.front().message));
  }
  return book;
}

void HostRegistry::save() const {
  HostsFile file;
  for (const HostEntry& entry : entries_)
    if (entry != localEntry()) file.hosts.push_back(entry);
  std::error_code error;
  fs::path target = fs::weakly_canonical(path_, error);  // a link to the file stays a link
  if (error) target = fs::absolute(path_, error);
  const bool made = fs::create_directories(target.parent_path(), error);
  if (error) throw Error(Errc::kFile, strCat("cannot make folder ", target.parent_path().string(), ": ", error.message()));
  if (made) fs::permissions(target.parent_path(), fs::perms::owner_all, error);
  replaceFile(target.string(), dumped(written(file), 2) + "\n", 0600);
}

std::vector<std::string> HostRegistry::names() const {
  std::vector<std::string> names;
  for (const HostEntry& entry : entries_) names.push_back(entry.name);
  return names;
}

const HostEntry* HostRegistry::find(const std::string& name) const {
  const auto found = std::ranges::find(entries_, name, &HostEntry::name);
  return found == entries_.end() ? nullptr : &*found;
}

const HostEntry& HostRegistry::require(const std::string& name) const {
  if (const HostEntry* entry = find(name)) return *entry;
  throw Error(Errc::kHost, strCat("host \"", quotable(name), "\" is not known; have ", listed(names())));
}

void HostRegistry::checkJumps(const HostEntry& entry) const {
  std::set<std::string> passed = {entry.name};
  const HostEntry* from = &entry;
  while (!from->jump.empty()) {
    const std::string& jump = from->jump;
    if (!passed.insert(jump).second) refuse(entry, strCat("its jump hosts lead in a circle: \"", quotable(jump), "\" comes again"));
    const HostEntry* over = find(jump);
    if (over == nullptr) refuse(entry, strCat("jump host \"", quotable(jump), "\" is not known; have ", listed(names())));
    if (over->kind != "ssh") refuse(entry, strCat("jump host \"", quotable(jump), "\" is of kind ", over->kind, "; only ssh hosts can be jumped over"));
    from = over;
  }
}

void HostRegistry::put(HostEntry entry) {
  check(entry);
  checkJumps(entry);
  for (const HostEntry& other : entries_)
    if (other.jump == entry.name && entry.kind != "ssh")
      refuse(entry, strCat("host \"", other.name, "\" jumps over it, so its kind must be ssh"));
  const auto found = std::ranges::find(entries_, entry.name, &HostEntry::name);
  if (found != entries_.end()) *found = std::move(entry);
  else entries_.push_back(std::move(entry));
}

void HostRegistry::remove(const std::string& name) {
  require(name);
  if (name == "local") throw Error(Errc::kHost, "\"local\" is this computer and stays in the list");
  for (const HostEntry& entry : entries_)
    if (entry.jump == name) throw Error(Errc::kHost, strCat("host \"", name, "\" stays: host \"", entry.name, "\" jumps over it"));
  std::erase_if(entries_, [&](const HostEntry& entry) { return entry.name == name; });
}

}  // namespace paceline::hosts
