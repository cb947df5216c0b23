#include "agent/supervisor/spool/run_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"

namespace paceline::spool {

using Json = nlohmann::json;

namespace {

bool toDisk(const std::string& path) {  // a file or a folder
  const Fd opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return opened && (::fsync(opened.get()) == 0 || errno == EINVAL);
}

}  // namespace

bool RunFolder::isRunName(const std::string& name) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), allowed);
}

void RunFolder::create() const {
  if (::mkdir(path.c_str(), 0700) != 0) {
    if (errno == EEXIST) throw Error(Errc::kHost, strCat("run ", run, " is already known to this supervisor"));
    throw Error(errno == ENOSPC ? Errc::kNoSpace : Errc::kFile, strCat("cannot make ", path, ": ", std::strerror(errno)));
  }
  const std::string temporary = path + "/run.json.new";
  Json json{{"run", run}, {"host", host}, {"nodes", nodes}};
  if (!cgroup.empty()) json["cgroup"] = cgroup;
  std::ofstream file(temporary);
  file << json.dump() << "\n";
  file.close();
  if (!file || !toDisk(temporary) || std::rename(temporary.c_str(), (path + "/run.json").c_str()) != 0 || !toDisk(path)) {
    const std::string reason = std::strerror(errno);
    remove();
    throw Error(Errc::kFile, strCat("cannot write ", path, "/run.json: ", reason));
  }
}

RunFolder RunFolder::read(const std::string& path) {
  std::ifstream file(path + "/run.json");
  const Json json = Json::parse(file, nullptr, false);
  try {
    RunFolder folder{.run = json.at("run"), .host = json.at("host"), .nodes = json.at("nodes"), .path = path};
    folder.cgroup = json.value("cgroup", "");
    if (folder.run == std::filesystem::path(path).filename()) return folder;
  } catch (const Json::exception&) {
  }
  throw Error(Errc::kFormat, strCat(path, "/run.json does not describe a run"));
}

std::shared_ptr<Spool> RunFolder::openSpool(int node) const {
  return std::make_shared<Spool>(strCat(path, "/", node < 0 ? "host" : std::to_string(node), ".spool"), budget);
}

void RunFolder::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace paceline::spool
