#include "app/cluster/interop/host_import.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <set>

#include "app/cluster/ssh/config.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/data_sharding.h"

namespace paceline::interop {
namespace {

constexpr int kMaxSlots = 100'000;
constexpr std::size_t kMaxUser = 64;

// Lines with words on them, comments left out.
std::vector<TextLine> hostLines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  std::string plain;
  bool comment = false;
  for (const char c : text) {
    comment = c == '#' || (comment && c != '\n');
    if (!comment) plain += c;
  }
  std::vector<TextLine> lines = linesOf(plain);
  std::erase_if(lines, [](const TextLine& line) { return line.words.empty(); });
  return lines;
}

std::optional<int> positiveNumber(std::string_view digits) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 1 || number > kMaxSlots) return std::nullopt;
  return number;
}

bool isIp(std::string_view address) {
  std::array<unsigned char, 16> bytes{};
  const std::string text(address);
  return ::inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 || ::inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

// "user@[::1]:4", "node3:2", "fe80::1": colons are the host's own when it is an IPv6 address.
struct HostWord {
  std::string user;
  std::string_view host;
  std::optional<std::string_view> count;
};

HostWord splitHostWord(std::string_view word) {
  HostWord parts;
  if (const std::size_t at = word.find('@'); at != std::string_view::npos) {
    parts.user = word.substr(0, at);
    word.remove_prefix(at + 1);
  }
  parts.host = word;
  if (word.starts_with('[') && word.find("]") != std::string_view::npos && word.find(':') < word.find(']')) {
    const std::size_t close = word.find(']');
    parts.host = word.substr(1, close - 1);
    if (word.substr(close + 1).starts_with(':')) parts.count = word.substr(close + 2);
    else if (close + 1 < word.size()) parts.host = word;  // refused as an address
  } else if (const std::size_t colon = word.rfind(':'); colon != std::string_view::npos && colon == word.find(':')) {
    parts.host = word.substr(0, colon);
    parts.count = word.substr(colon + 1);
  }
  return parts;
}

// Reads one file: hosts are collected with their slots added up, problems with their place.
class ListReader {
 public:
  ListReader(HostImport& result, const std::string& path) : result_(result), path_(path) {}

  void problem(std::size_t line, const std::string& what) { result_.problems.push_back(strCat(path_, ":", line, ": ", what)); }

  void add(std::size_t line, std::string_view address, int slots, std::string_view name, const std::string& user) {
    if (const std::string wrong = addressProblem(address); !wrong.empty()) return problem(line, wrong);
    if (user.size() > kMaxUser || user.starts_with('-') || quotable(user, kMaxUser) != user) return problem(line, strCat("\"", quotable(user), "\" is no user name"));
    const auto [place, fresh] = places_.try_emplace({user, std::string(address)}, result_.hosts.size());
    if (!fresh) {
      result_.hosts[place->second].slots = std::min(kMaxSlots, result_.hosts[place->second].slots + slots);
    } else if (result_.hosts.size() == kMaxHosts) {
      problem(line, strCat("more than ", kMaxHosts, " hosts"));
    } else {
      result_.hosts.push_back({.name = std::string(name.empty() ? address : name), .address = std::string(address), .user = user, .slots = slots});
    }
  }

  void plainLine(const TextLine& line) {
    if (line.words.size() > 1) return problem(line.number, strCat("one host a line expected, got ", line.words.size(), " words"));
    hostWord(line, 1, false);
  }

  void mpiLine(const TextLine& line) {
    int slots = 1;
    bool given = false;
    for (std::size_t i = 1; i < line.words.size(); ++i) {
      const std::string& word = line.words[i];
      const std::size_t equals = std::min(word.find('='), word.size());
      const std::string key = word.substr(0, equals), value = equals < word.size() ? word.substr(equals + 1) : "";
      if (key != "slots" && key != "max_slots" && key != "max-slots") return problem(line.number, strCat("\"", quotable(word), "\" is not slots=N or max_slots=N"));
      const auto number = positiveNumber(value);
      if (!number) return problem(line.number, strCat(key, " must be 1 to ", kMaxSlots, ", got \"", quotable(value), "\""));
      if (key == "slots") slots = *number, given = true;
    }
    hostWord(line, slots, !given);
  }

  void psPytorchLine(const TextLine& line) {
    if (line.words.size() > 2) return problem(line.number, strCat("an address and perhaps an alias expected, got ", line.words.size(), " words"));
    if (line.words.size() == 2 && !isIp(line.words[0])) return problem(line.number, strCat("\"", quotable(line.words[0]), "\" is no IP address"));
    if (line.words.size() == 1) return hostWord(line, 1, false);
    if (const std::string wrong = addressProblem(line.words[1]); !wrong.empty()) return problem(line.number, wrong);
    add(line.number, line.words[0], 1, line.words[1], "");
  }

 private:
  void hostWord(const TextLine& line, int slots, bool countAllowed) {
    const HostWord word = splitHostWord(line.words[0]);
    if (word.count && !countAllowed) return problem(line.number, strCat("\"", quotable(line.words[0]), "\": a colon and a number are for MPI hostfiles only, where slots= is not given too"));
    if (word.count) {
      const auto number = positiveNumber(*word.count);
      if (!number) return problem(line.number, strCat("\"", quotable(line.words[0]), "\": the number behind the colon must be 1 to ", kMaxSlots));
      slots = *number;
    }
    try {
      for (const std::string& address : word.host.find_first_of("[,") == std::string_view::npos ? std::vector<std::string>{std::string(word.host)} : expandHostRanges(word.host))
        add(line.number, address, slots, "", word.user);
    } catch (const Error& error) {
      problem(line.number, error.what());
    }
  }

  HostImport& result_;
  std::string path_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
};

// {"hosts": [{"name", "addr", "port": "10000"}]}. The port is where ECL's own nodes listened, not SSH's: it is not taken.
void readEcl(std::string_view text, const std::string& path, HostImport& result, ListReader& reader) {
  std::vector<Finding> findings;
  const auto document = parseJson(std::string(text), findings);
  if (document) {
    Fields fields(*document, "", findings);
    const Json& hosts = fields.array("hosts");
    for (std::size_t i = 0; i < hosts.size() && findings.empty(); ++i) {
      Fields host(hosts[i], strCat("/hosts/", i), findings);
      const auto name = host.required<std::string>("name");
      const auto address = host.required<std::string>("addr");
      if (!findings.empty()) break;
      if (const std::string wrong = addressProblem(address); !wrong.empty()) findings.push_back({strCat("/hosts/", i, "/addr"), wrong});
      else reader.add(0, address, 1, name, "");
    }
  }
  for (const Finding& finding : findings) result.problems.push_back(strCat(path, ": ", finding.pointer, finding.pointer.empty() ? "" : ": ", finding.message));
}

void readAliases(const std::string& path, HostImport& result) {
  std::error_code error;
  if (!std::filesystem::equivalent(path, ssh::sshConfigPath(), error) || error) {
    result.problems.push_back(strCat(path, ": only aliases of ", ssh::sshConfigPath(), " can be used; Include this file there, or name it in PACELINE_SSH_CONFIG"));
    return;
  }
  for (const std::string& alias : ssh::sshAliases(path)) result.hosts.push_back({.name = alias, .address = alias, .user = ""});
}

constexpr std::size_t kMaxName = 64;

// Letters, digits, '_', '-', '.', not '-' first; at most kMaxName.
std::string plainName(std::string_view wanted) {
  std::string name;
  for (const char c : wanted.substr(0, kMaxName)) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || (c == '-' && !name.empty()) ? c : '_';
  return name.empty() ? "host" : name;
}

std::string uniqueName(const hosts::HostRegistry& book, const std::set<std::string>& taken, const std::string& wanted) {
  const std::string plain = plainName(wanted);
  std::string name = plain;
  for (int n = 2; book.find(name) != nullptr || taken.contains(name); ++n) {
    const std::string suffix = strCat("-", n);
    name = plain.substr(0, kMaxName - suffix.size()) + suffix;
  }
  return name;
}

constexpr std::size_t kMaxDigits = 9;

[[noreturn]] void refuse(const std::string& why) { throw Error(Errc::kFormat, why); }

// Slurm's host lists, as in `scontrol show hostnames`: commas outside brackets separate, brackets hold numbers and ranges with their zeros.
std::vector<std::string_view> splitOutsideBrackets(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
    if (depth < 0 || depth > 1) refuse(strCat("\"", quotable(text), "\" has unbalanced brackets"));
    if (text[i] != ',' || depth > 0) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  if (depth != 0) refuse(strCat("\"", quotable(text), "\" has unbalanced brackets"));
  parts.push_back(text.substr(begin));
  return parts;
}

std::size_t numberOf(std::string_view digits, std::string_view range) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || digits.size() > kMaxDigits || error != std::errc() || end != digits.data() + digits.size())
    refuse(strCat("range \"", quotable(range), "\" is no number or pair of numbers"));
  return number;
}

// "001-003" -> 001 002 003
void appendRange(std::string_view range, std::vector<std::string>& out) {
  const std::size_t dash = range.find('-');
  const std::string_view first = range.substr(0, dash);
  const std::size_t from = numberOf(first, range);
  const std::size_t to = dash == std::string_view::npos ? from : numberOf(range.substr(dash + 1), range);
  if (to < from) refuse(strCat("range \"", quotable(range), "\" goes down"));
  if (to - from >= kMaxHosts || out.size() + (to - from) >= kMaxHosts) refuse(strCat("range \"", quotable(range), "\" makes more than ", kMaxHosts, " hosts"));
  for (std::size_t n = from; n <= to; ++n) {
    const std::string number = std::to_string(n);
    out.push_back(std::string(first.size() > number.size() ? first.size() - number.size() : 0, '0') + number);
  }
}

std::vector<std::string> numbersIn(std::string_view list) {
  std::vector<std::string> numbers;
  for (;;) {
    const std::size_t comma = list.find(',');
    appendRange(list.substr(0, comma), numbers);
    if (comma == std::string_view::npos) return numbers;
    list.remove_prefix(comma + 1);
  }
}

std::vector<std::string> expandOne(std::string_view pattern) {
  std::vector<std::string> names = {""};
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('[');
    for (std::string& name : names) name += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find(']', open);  // there, see splitOutsideBrackets
    const std::vector<std::string> numbers = numbersIn(pattern.substr(open + 1, close - open - 1));
    if (names.size() * numbers.size() > kMaxHosts) refuse(strCat("\"", quotable(pattern), "\" makes more than ", kMaxHosts, " hosts"));
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& number : numbers) longer.push_back(name + number);
    names = std::move(longer);
    pattern.remove_prefix(close + 1);
  }
  return names;
}

}  // namespace

HostFormat hostFormatNamed(const std::string& name) {
  const auto found = std::find(std::begin(kHostFormats), std::end(kHostFormats), name);
  if (found != std::end(kHostFormats)) return static_cast<HostFormat>(found - std::begin(kHostFormats));
  throw Error(Errc::kUsage, strCat("format \"", quotable(name), "\" is not known; have ", listed({std::begin(kHostFormats), std::end(kHostFormats)})));
}

const char* hostFormatName(HostFormat format) { return kHostFormats[static_cast<std::size_t>(format)]; }

std::string addressProblem(std::string_view address) {
  if (isIp(address)) return "";
  const auto plain = [](unsigned char c) { return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'); };
  if (address.empty() || address.size() > 253 || address.front() == '-' || address.front() == '.' || !std::all_of(address.begin(), address.end(), plain))
    return strCat("\"", quotable(address), "\" is no host name or IP address");
  if (address.find_first_not_of("0123456789.") == std::string_view::npos) return strCat("\"", quotable(address), "\" is no IP address");
  return "";
}

HostFormat guessHostFormat(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return HostFormat::kEcl;
  bool aliases = false;
  for (const TextLine& line : hostLines(text)) {
    const std::string keyword = lowerCase(line.words[0].substr(0, line.words[0].find('=')));
    if (line.words.size() > 1 && (keyword == "host" || keyword == "match" || keyword == "include")) return HostFormat::kSshConfig;
    const bool slots = line.words.size() > 1 && (line.words[1].starts_with("slots") || line.words[1].starts_with("max"));
    if (slots || splitHostWord(line.words[0]).count) return HostFormat::kMpi;
    aliases = aliases || (line.words.size() == 2 && isIp(line.words[0]));
  }
  return aliases ? HostFormat::kPsPytorch : HostFormat::kList;
}

HostImport readHosts(std::string_view text, const std::string& path, HostFormat format) {
  HostImport result{.format = format == HostFormat::kAuto ? guessHostFormat(text) : format, .hosts = {}, .problems = {}};
  ListReader reader(result, path);
  if (result.format == HostFormat::kSshConfig) {
    readAliases(path, result);
  } else if (result.format == HostFormat::kEcl) {
    readEcl(text, path, result, reader);
  } else {
    for (const TextLine& line : hostLines(text)) {
      if (result.format == HostFormat::kMpi) reader.mpiLine(line);
      else if (result.format == HostFormat::kPsPytorch) reader.psPytorchLine(line);
      else reader.plainLine(line);
    }
  }
  if (result.problems.empty() && result.hosts.empty()) result.problems.push_back(strCat(path, ": no host in it"));
  if (!result.problems.empty()) result.hosts.clear();
  return result;
}

std::string hostListText(const std::vector<hosts::HostEntry>& hosts, const std::vector<int>& slots) {
  std::string text;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (hosts[i].address.empty()) continue;
    text += hosts[i].address;
    if (i < slots.size() && slots[i] > 0) text += strCat(" slots=", slots[i]);
    text += '\n';
  }
  return text;
}

HostAdditions additionsTo(const hosts::HostRegistry& book, const std::vector<ImportedHost>& hosts, const hosts::HostEntry& model) {
  HostAdditions additions;
  std::set<std::string> taken;
  for (const ImportedHost& host : hosts) {
    hosts::HostEntry entry = model;
    entry.address = host.address;
    if (!host.user.empty()) entry.user = host.user;
    const auto& known = book.entries();
    const auto same = std::find_if(known.begin(), known.end(), [&](const hosts::HostEntry& other) { return other.kind == entry.kind && other.address == entry.address && other.user == entry.user; });
    if (same != known.end()) {
      additions.knownAlready.push_back(same->name);
      continue;
    }
    entry.name = uniqueName(book, taken, host.name);
    taken.insert(entry.name);
    additions.entries.push_back(std::move(entry));
    additions.slots.push_back(host.slots);
  }
  return additions;
}

std::vector<std::string> expandHostRanges(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view pattern : splitOutsideBrackets(text)) {
    if (pattern.empty()) refuse(strCat("\"", quotable(text), "\" has an empty name between commas"));
    for (std::string& name : expandOne(pattern)) names.push_back(std::move(name));
    if (names.size() > kMaxHosts) refuse(strCat("\"", quotable(text), "\" makes more than ", kMaxHosts, " hosts"));
  }
  return names;
}

}  // namespace paceline::interop
