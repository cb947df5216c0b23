// An empty shared library: it satisfies the loader where a program names a library of which it uses nothing. Any thread.
#pragma once

#include <string>

namespace paceline::deploy {

std::string emptyLibrary(const std::string& soname, int machine);  // the file's bytes; machine: ElfFile::machine

}  // namespace paceline::deploy
