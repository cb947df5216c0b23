#include "agent/worker/spec_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "engine/core/base/error.h"

namespace paceline {

std::string textOf(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::ifstream file(path);
  if (!file) throw Error(Errc::kFile, strCat("cannot read ", path, ": ", std::strerror(errno)));
  text << file.rdbuf();
  return text.str();
}

void refuseErrors(const std::string& path, const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& finding : findings)
    if (finding.error)
      all += strCat(all.empty() ? "" : "; ", finding.pointer, finding.pointer.empty() ? "" : " ", finding.message);
  if (!all.empty()) throw Error(Errc::kSpec, strCat(path, ": ", all));
}

}  // namespace paceline
