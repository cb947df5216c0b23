// Text in and out: files, tables, durations. Main thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/base/text.h"

namespace paceline::cli {

bool isTerminal(int descriptor);

// Throws Error{kFile} naming the path and the system's reason.
std::string readTextFile(const std::string& path);
// To stdout when `path` is empty or "-". Throws Error{kFile, kNoSpace}; a file that could not be written whole is removed.
void writeOutput(const std::string& path, const std::string& text);
void makeFolder(const std::string& path);

// Columns two spaces apart, numbers (columns whose every cell looks like one) to the right. No trailing blanks.
std::string tableText(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

std::string durationText(double seconds);  // "2.4 s", "1:20", "2:03:10"
std::string decimals(double value, int digits);
std::string significant(double value, int digits = 3);  // "812", "12.3", "0.0123"

// Programs that lie beside this one. Main thread.
// Path of paceline-workbench. Throws Error{kHost} that says where it was looked for.
std::string workbenchPath();

// Runs it to its end, its messages kept from the terminal; without a display Qt draws offscreen. Throws Error{kHost} with its
// last line.
void runWorkbench(const std::vector<std::string>& arguments);

}  // namespace paceline::cli
