#include "agent/worker/spec_file.h"

#include <cerrno>
#include <cstring>
#include <iostream>

#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"

namespace paceline {

std::string textOf(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  if (auto text = fileText(path)) return std::move(*text);
  throw Error(Errc::kFile, strCat("cannot read ", path, ": ", std::strerror(errno)));
}

void refuseErrors(const std::string& path, const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& finding : findings)
    if (finding.error)
      all += strCat(all.empty() ? "" : "; ", finding.pointer, finding.pointer.empty() ? "" : " ", finding.message);
  if (!all.empty()) throw Error(Errc::kSpec, strCat(path, ": ", all));
}

}  // namespace paceline
