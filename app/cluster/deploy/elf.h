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
  bool defined = false;
};

struct ElfFile {
  std::string path, soname, interpreter;
  int machine = 0;                                           // EM_X86_64, EM_AARCH64 ...
  std::vector<std::string> needed;                           // sonames, in the loader's order
  std::map<std::string, std::vector<std::string>> versions;  // needed, by soname: {"libc.so.6", {"GLIBC_2.34", ...}}
  std::vector<ElfSymbol> symbols;                            // global and weak ones
};

ElfFile readElf(const std::string& path);

// The versions of the C and C++ libraries that our programs need on a host: known before an upload. Any thread.
struct ElfNeeds {
  std::string glibc, glibcxx, cxxabi;  // "2.34", "3.4.30", "1.3.13"; "": none is needed
};

ElfNeeds elfNeeds(const std::vector<std::string>& paths);  // the highest of all; throws Error{kFile, kFormat}

// "" < "2.9" < "2.36".
bool olderVersion(const std::string& a, const std::string& b);

// An empty shared library: it satisfies the loader where a program names a library of which it uses nothing. Any thread.
std::string emptyLibrary(const std::string& soname, int machine);  // the file's bytes; machine: ElfFile::machine

}  // namespace paceline::deploy
