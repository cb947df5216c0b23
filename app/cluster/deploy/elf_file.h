// The dynamic section of a 64-bit little-endian ELF program or library. A value: nothing of the file stays open.
// Any bytes may be given: what is no such file throws Error{kFormat} naming the path, a file that cannot be read Error{kFile}.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace paceline::deploy {

struct ElfSymbol {
  std::string name, version;  // version "": any
  bool defined = false, weak = false;
};

struct ElfFile {
  std::string path, soname, interpreter;
  int machine = 0;                                           // EM_X86_64, EM_AARCH64 ...
  std::vector<std::string> needed;                           // sonames, in the loader's order
  std::map<std::string, std::vector<std::string>> versions;  // needed, by soname: {"libc.so.6", {"GLIBC_2.34", ...}}
  std::vector<ElfSymbol> symbols;                            // global and weak ones
};

ElfFile readElf(const std::string& path);

}  // namespace paceline::deploy
