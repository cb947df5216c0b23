// Programs that lie beside this one. Main thread.
#pragma once

#include <string>
#include <vector>

namespace paceline::cli {

// Path of paceline-workbench. Throws Error{kHost} that says where it was looked for.
std::string workbenchPath();

// Runs it to its end, its messages kept from the terminal; without a display Qt draws offscreen. Throws Error{kHost} with its
// last line.
void runWorkbench(const std::vector<std::string>& arguments);

}  // namespace paceline::cli
