#include "app/cli/beside.h"

#include <unistd.h>

#include <map>

#include "app/cluster/hosts/command.h"
#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"

namespace paceline::cli {

std::string workbenchPath() {
  const hosts::Installation here = hosts::localInstallation();
  const std::string path = here.program("paceline-workbench");
  if (::access(path.c_str(), X_OK) == 0) return path;
  throw Error(Errc::kHost, strCat("paceline-workbench is not in ", here.folder,
                                  ": it was built without PACELINE_GUI; csv and json figures need no window"));
}

void runWorkbench(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{workbenchPath()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::map<std::string, std::string> env;
  const bool display = !environment("DISPLAY").empty() || !environment("WAYLAND_DISPLAY").empty();
  if (!display && environment("QT_QPA_PLATFORM").empty()) env["QT_QPA_PLATFORM"] = "offscreen";
  const hosts::CommandResult result = hosts::runOn(*hosts::localHost("local", env), command, {.silenceSeconds = 600});
  if (result.end.code != 0) throw Error(Errc::kHost, strCat("paceline-workbench ", arguments.at(0), ": ", result.said()));
}

}  // namespace paceline::cli
