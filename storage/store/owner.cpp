#include "storage/store/owner.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace paceline::store {
namespace {

std::string fileText(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Field 22 of /proc/PID/stat, proc(5). The name in field 2 may hold anything: fields are counted after its last ")".
std::optional<std::int64_t> startOf(std::int64_t pid) {
  const std::string stat = fileText("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name = stat.rfind(')');
  if (name == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name + 1));
  std::string field;
  fields >> field;  // 3: state
  if (field == "Z" || field == "X") return std::nullopt;
  for (int skipped = 4; skipped < 22; ++skipped) fields >> field;
  std::int64_t start = 0;
  fields >> start;
  return fields ? std::optional(start) : std::nullopt;
}

}  // namespace

ProcessIdentity thisProcess() {
  const std::int64_t pid = ::getpid();
  return {.pid = pid, .start = startOf(pid).value_or(0)};
}

bool isAlive(const ProcessIdentity& process) { return process.pid > 0 && startOf(process.pid) == process.start; }

std::string thisProgram() {
  const std::string line = fileText("/proc/self/cmdline");  // arguments, each ended by a zero
  std::string program = line.substr(0, line.find('\0'));
  program = program.substr(program.rfind('/') + 1);
  if (program.size() + 1 >= line.size() || line.find('\0') == std::string::npos) return program;
  const std::size_t second = line.find('\0') + 1;
  const std::string word = line.substr(second, line.find('\0', second) - second);
  const bool subcommand =
      !word.empty() && word.size() < 20 && std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return subcommand ? program + " " + word : program;
}

}  // namespace paceline::store
