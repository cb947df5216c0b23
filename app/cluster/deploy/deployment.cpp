#include "app/cluster/deploy/deployment.h"

#include <filesystem>

#include "app/cluster/worker/catalog_source.h"
#include "app/cluster/deploy/session.h"
#include "app/cluster/deploy/library_bundle.h"
#include "engine/core/base/error.h"

namespace paceline::deploy {
namespace {

std::string firstOf(const std::vector<std::string>& problems) {
  if (problems.empty()) return "its programs do not start";
  return problems.size() == 1 ? problems[0] : strCat(problems[0], " and ", problems.size() - 1, " more");
}

// Sent libraries do not bring a C library: what ours is too new for stays so.
void refuseOldC(const hosts::Host& host, const std::vector<std::string>& problems) {
  for (const std::string& problem : problems)
    if (problem.find("`GLIBC_") != std::string::npos)
      throw Error(Errc::kHost, strCat(host.name(), ": its C library is too old for our programs: ", problem, "; use a newer system there, or build Paceline on one as old"));
}

class Deployer {
 public:
  Deployer(hosts::Host& host, const DeployOptions& options) : host_(host), options_(options), programs_(programFiles()), version_(programs_.manifest.id()) {}

  hosts::Installation run() {
    open();
    if (!answer_.there) placed("", programs_);
    if (answer_.libraries.empty()) sendLibraries();
    for (const std::string& id : options_.datasets)
      if (answer_.datasets[id].empty()) placed(strCat("data/", folderName(here(id))), folderFiles(here(id)));
    for (const std::string& id : options_.datasets)
      if (answer_.datasets[id].empty()) throw Error(Errc::kHost, strCat(host_.name(), ": data set \"", id, "\" was sent, but paceline-worker there does not find it"));
    return {.folder = answer_.folder, .env = answer_.env};
  }

 private:
  void open() {
    session_.emplace(host_, options_);
    auto answer = session_->ready(version_);
    if (!answer) {
      deployAgent(host_);
      session_.emplace(host_, options_);
      answer = session_->ready(version_);
    }
    if (!answer) throw Error(Errc::kHost, strCat(host_.name(), ": paceline-agent was put there and is gone; is its cache folder being cleaned?"));
    answer_ = std::move(*answer);
  }

  void placed(const std::string& part, const FileSet& files) {
    session_->place(version_, part, files);
    auto answer = session_->ready(version_);
    if (!answer || !answer->there) throw Error(Errc::kHost, strCat(host_.name(), ": version ", version_, " was put there and is gone"));
    answer_ = std::move(*answer);
  }

  void sendLibraries() {
    refuseOldC(host_, answer_.problems);
    if (!options_.libraries.empty())
      throw Error(Errc::kHost, strCat(host_.name(), ": our programs do not start with the libraries in ", options_.libraries, ": ", firstOf(answer_.problems),
                                      "; leave that folder empty and LibTorch is sent"));
    placed("lib", *libraryBundle());
    refuseOldC(host_, answer_.problems);
    if (answer_.libraries.empty())
      throw Error(Errc::kHost, strCat(host_.name(), ": our programs do not start there, even with the libraries that were sent: ", firstOf(answer_.problems)));
  }

  std::string here(const std::string& id) {
    if (!catalog_) catalog_ = worker::describeWorker(hosts::localProgram("paceline-worker"));
    const DatasetEntry* entry = findEntry(catalog_->datasets, id);
    if (entry == nullptr) throw Error(Errc::kHost, strCat(host_.name(), ": data set \"", id, "\" is not known"));
    if (!entry->location.starts_with('/') && !std::filesystem::is_directory(entry->location))
      throw Error(Errc::kHost, strCat(host_.name(), ": data set \"", id, "\" is neither there nor on this computer"));
    return entry->location;
  }

  // The worker looks for a set in a folder of this name below PACELINE_DATA (engine/data/datasets/places.h).
  static std::string folderName(const std::string& location) { return std::filesystem::path(location).filename().string(); }

  hosts::Host& host_;
  const DeployOptions& options_;
  FileSet programs_;
  std::string version_;
  std::optional<DeploySession> session_;
  ReadyAnswer answer_;
  std::optional<Catalog> catalog_;
};

}  // namespace

hosts::Installation deploy(hosts::Host& host, const DeployOptions& options) { return Deployer(host, options).run(); }

}  // namespace paceline::deploy
