// paceline gui: becomes the workbench.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "app/cli/beside.h"
#include "app/cli/command.h"
#include "engine/core/base/error.h"

namespace paceline::cli {

void addGuiCommand(CLI::App& app, Shared& shared) {
  CLI::App* command = app.add_subcommand("gui", "Opens the workbench.");
  command->callback([&shared] {
    const std::string path = workbenchPath();
    ::setenv("PACELINE_STORE", shared.store.c_str(), 1);
    ::execl(path.c_str(), path.c_str(), static_cast<char*>(nullptr));
    throw Error(Errc::kHost, strCat("cannot start ", path, ": ", std::strerror(errno)));
  });
}

}  // namespace paceline::cli
