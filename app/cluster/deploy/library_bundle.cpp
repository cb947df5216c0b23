#include "app/cluster/deploy/files.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <unordered_map>

#include "app/cluster/hosts/local_process.h"

namespace paceline::deploy {
namespace {

// glibc and its loader belong to the host: its kernel interface, name services and locale files go with them.
bool belongsToHost(std::string_view soname) {
  constexpr std::array<std::string_view, 13> kFamily = {"libc.so.",    "libm.so.",   "libdl.so.",  "libpthread.so.", "librt.so.",         "libutil.so.", "libresolv.so.",
                                                        "libnsl.so.1", "libanl.so.", "libmvec.so.", "ld-linux",       "libthread_db.so.", "linux-vdso"};
  return std::any_of(kFamily.begin(), kFamily.end(), [&](std::string_view name) { return soname.starts_with(name); });
}

// soname -> path, as the loader of this computer would load them for the program.
std::map<std::string, std::string> loaded(const std::string& program) {
  constexpr double kTraceSeconds = 60;
  hosts::LocalProcess trace({program}, {{"LD_TRACE_LOADED_OBJECTS", "1"}});
  trace.closeInput();
  std::map<std::string, std::string> paths;
  while (!trace.ended()) {
    const auto line = trace.readLine(kTraceSeconds);
    if (!line) continue;
    const std::size_t name = line->find_first_not_of(" \t"), arrow = line->find(" => "), address = line->rfind(" (0x");
    if (name == std::string::npos || arrow == std::string::npos) continue;
    const std::string soname = line->substr(name, arrow - name);
    if (address == std::string::npos) throw Error(Errc::kHost, strCat("local: ", program, " lacks ", soname));
    paths[soname] = line->substr(arrow + 4, address - arrow - 4);
  }
  return paths;
}

class Closure {
 public:
  explicit Closure(const std::string& program) : paths_(loaded(program)) {
    objects_.push_back(readElf(program));
    names_.emplace_back();
    for (std::size_t i = 0; i < objects_.size(); ++i)  // breadth first: the order in which the loader looks for symbols
      for (const std::string& soname : std::vector<std::string>(objects_[i].needed)) addObject(soname);
    for (std::size_t i = 0; i < objects_.size(); ++i)
      for (const ElfSymbol& symbol : objects_[i].symbols)
        if (symbol.defined) definers_[symbol.name].push_back({i, symbol.version});
  }

  LeanSet lean() {
    std::set<std::size_t> kept = {0};
    std::vector<std::size_t> open = {0};
    const auto keep = [&](std::size_t object) {
      if (kept.insert(object).second) open.push_back(object);
    };
    for (const std::string& soname : objects_[0].needed) keepNamed(soname, keep);  // what the program asks for itself is never replaced
    while (!open.empty()) {
      const ElfFile& user = objects_[open.back()];
      open.pop_back();
      for (const ElfSymbol& symbol : user.symbols)
        if (!symbol.defined)
          if (const std::size_t definer = definerOf(symbol); definer != 0) keep(definer);
      for (const auto& [soname, versions] : user.versions) keepNamed(soname, keep);  // the loader checks these versions
    }
    return result(kept);
  }

  const std::string& pathOf(const std::string& soname) const { return paths_.at(soname); }
  int machine() const { return objects_[0].machine; }

 private:
  struct Definer {
    std::size_t object;
    std::string version;
  };

  void addObject(const std::string& soname) {
    if (index_.contains(soname) || !paths_.contains(soname)) return;  // without a path: the loader itself
    index_[soname] = objects_.size();
    objects_.push_back(readElf(paths_.at(soname)));
    names_.push_back(soname);
  }

  template <class Keep>
  void keepNamed(const std::string& soname, const Keep& keep) {
    if (const auto found = index_.find(soname); found != index_.end()) keep(found->second);
  }

  std::size_t definerOf(const ElfSymbol& symbol) const {  // 0: nobody, or the program itself
    const auto found = definers_.find(symbol.name);
    if (found == definers_.end()) return 0;
    for (const Definer& definer : found->second)
      if (symbol.version.empty() || definer.version.empty() || definer.version == symbol.version) return definer.object;
    return 0;
  }

  LeanSet result(const std::set<std::size_t>& kept) const {
    LeanSet set;
    std::set<std::string> replaced;
    for (std::size_t i = 1; i < objects_.size(); ++i)
      if (!belongsToHost(names_[i])) set.closure.push_back(names_[i]);
    for (const std::size_t i : kept) {
      if (i == 0 || belongsToHost(names_[i])) continue;
      set.kept.push_back(names_[i]);
      for (const std::string& soname : objects_[i].needed) {
        const auto needed = index_.find(soname);
        if (needed != index_.end() && !kept.contains(needed->second) && !belongsToHost(soname)) replaced.insert(soname);
      }
    }
    set.replaced.assign(replaced.begin(), replaced.end());
    return set;
  }

  std::map<std::string, std::string> paths_;
  std::vector<ElfFile> objects_;  // 0: the program
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> index_;
  std::unordered_map<std::string, std::vector<Definer>> definers_;
};

FileSet makeBundle() {
  std::map<std::string, FileSource> sources;
  for (const char* program : {"paceline-server", "paceline-worker"}) {
    Closure closure(hosts::localProgram(program));
    const LeanSet lean = closure.lean();
    for (const std::string& soname : lean.replaced)
      if (!sources.contains(soname)) sources[soname] = {.path = "", .content = emptyLibrary(soname, closure.machine())};
    for (const std::string& soname : lean.kept) sources[soname] = {.path = closure.pathOf(soname), .content = ""};
  }
  FileSet set{.manifest = {.paceline = PACELINE_VERSION, .files = {}}, .sources = {}};
  for (auto& [soname, source] : sources) set.add(soname, false, std::move(source));
  return set;
}

}  // namespace

LeanSet leanSetOf(const std::string& program) { return Closure(program).lean(); }

std::shared_ptr<const FileSet> libraryBundle() {
  static std::mutex mutex;  // guards the two below
  static std::string madeFor;
  static std::shared_ptr<const FileSet> made;
  const std::lock_guard lock(mutex);
  const std::string programs = programFiles().manifest.id();
  if (made == nullptr || madeFor != programs) made = std::make_shared<const FileSet>(makeBundle()), madeFor = programs;
  return made;
}

ElfNeeds bundleNeeds() {
  std::vector<std::string> paths = {hosts::localProgram("paceline-server"), hosts::localProgram("paceline-worker")};
  for (const FileSource& source : libraryBundle()->sources)
    if (!source.path.empty()) paths.push_back(source.path);
  return elfNeeds(paths);
}

}  // namespace paceline::deploy
