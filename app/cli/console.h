// Text in and out: files, tables, durations. Main thread.
#pragma once

#include <functional>
#include <memory>
#include <streambuf>
#include <string>
#include <vector>

#include "engine/core/base/replace_file.h"
#include "engine/core/base/text.h"

namespace paceline::cli {

bool isTerminal(int descriptor);

// The door to the terminal: names and messages come from files, hosts and other people, and a control character among them would move the cursor, change
// colours or type for the user. From here on std::cerr, and std::cout where it is a terminal, print '?' for all but newline and tab. What goes
// into a file or another program stays as it is.
void guardTerminal();
std::unique_ptr<std::streambuf> withoutControls(std::streambuf& to);  // the same over any stream; `to` outlives it
void eraseLine();                                                     // of the terminal behind stderr: the one sequence that passes

// "-": standard input. Throws Error{kFile} naming the path and the system's reason.
std::string readTextFile(const std::string& path);
// To stdout when `path` is empty or "-", else as replaceFile() does. Throws Error{kFile, kNoSpace}.
void writeOutput(const std::string& path, const std::string& text);
void writeOutput(const std::string& path, const std::function<void(const PieceWriter& write)>& source);  // that comes in pieces
void makeFolder(const std::string& path);

// Columns two spaces apart, numbers (columns whose every cell looks like one) to the right. No trailing blanks.
std::string tableText(const std::vector<std::string>& header, std::vector<std::vector<std::string>> rows);  // cells as printable lines

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
