#include "agent/supervisor/left_weights.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <ostream>

#include "agent/supervisor/spool/spool.h"
#include "engine/core/record/base64.h"
#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/text.h"
#include "engine/core/json/json_text.h"

namespace paceline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".safetensors";

std::string folderOf(const std::string& checkpoints, const std::string& run) {
  if (!spool::RunFolder::isRunName(run)) throw Error(Errc::kHost, strCat("\"", quotable(run), "\" cannot be the name of a run"));
  return strCat(checkpoints, "/", run);
}

}  // namespace

std::string leftWeightsJson(const std::string& checkpoints, const std::string& run) {
  Json all = Json::array();
  std::error_code error;
  for (fs::directory_iterator node(folderOf(checkpoints, run), error), end; !error && node != end; node.increment(error)) {
    std::error_code unreadable;
    for (fs::directory_iterator file(node->path(), unreadable), last; !unreadable && file != last; file.increment(unreadable))
      if (const std::string name = file->path().filename(); name.ends_with(kEnding) && file->is_regular_file(unreadable))
        all.push_back({{"node", node->path().filename().string()}, {"name", name}, {"bytes", file->file_size(unreadable)}});
  }
  std::sort(all.begin(), all.end());
  return Json{{"weights", all}}.dump();
}

void printWeights(const std::string& checkpoints, const std::string& run, const std::string& node, const std::string& name, std::ostream& out) {
  for (const std::string* part : {&node, &name})
    if (part->empty() || part->front() == '.' || part->find('/') != std::string::npos) throw Error(Errc::kHost, strCat("\"", quotable(*part), "\" is no name of a node or of weights"));
  const std::string path = strCat(folderOf(checkpoints, run), "/", node, "/", name);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!file || !name.ends_with(kEnding)) throw Error(Errc::kFile, strCat("cannot read ", path, ": ", file ? "these are no weights" : std::strerror(errno)));
  constexpr std::size_t kLine = 48 * 1024;  // a multiple of 3
  std::string bytes(kLine, '\0');
  Sha256 hash;
  while (const std::size_t got = std::fread(bytes.data(), 1, bytes.size(), file.get())) {
    const std::string_view piece(bytes.data(), got);
    hash.add(piece);
    out << toBase64(piece) << '\n';
  }
  if (std::ferror(file.get()) != 0) throw Error(Errc::kFile, strCat("cannot read ", path));
  out << "end " << hash.hex() << std::endl;
}

}  // namespace paceline
