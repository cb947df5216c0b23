// Writes a file whole or not at all: what every document, export, figure, checkpoint and setting is written by. Any thread, any number of
// processes at once: the last one wins, and none waits for another.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace paceline {

// The bytes go to a temporary file beside it (".NAME.new"; ".NAME.new2" and on while others write the same file), to the disk, and under its name;
// then the name goes to the disk. Until then the old file stays as it was; a kill leaves the temporary, which the next call takes away. `mode`, less
// the umask, is a new file's; an old one's mode and, where the system lets us, its owner stay. A symbolic link stays one: the file it leads to is
// replaced. What is no regular file (a device, a pipe) is written as it stands. Throws Error{kNoSpace, kFile} naming `path`.
void replaceFile(const std::string& path, std::string_view bytes, mode_t mode = 0666);
// The same of bytes that come in pieces: `source` hands each to `write`. What it throws leaves the old file as it was.
using PieceWriter = std::function<void(std::string_view piece)>;
void replaceFile(const std::string& path, const std::function<void(const PieceWriter& write)>& source, mode_t mode = 0666);

}  // namespace paceline
