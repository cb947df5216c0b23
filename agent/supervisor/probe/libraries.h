// Which C, C++ and torch libraries this host has, read from their files: the agent is linked statically, so its own say nothing about the host.
// Never throws; what is not found is empty.
#pragma once

#include <string>
#include <vector>

namespace paceline::probe {

struct LibraryFacts {
  std::string libcFile, libc;             // "2.36"; "musl" where that is the C library
  std::string libstdcxxFile, glibcxx, cxxabi;  // highest version: "3.4.30", "1.3.13"
  std::string torchFile, torch;           // "1.13.1"; "" version: its files do not say
};

LibraryFacts libraryFacts(const std::string& root = "");  // root: "" or a folder with etc/, usr/ ... of a test

// Parts, for tests. Highest X in "PREFIX" "X" of all strings in the file, X being digits and dots.
std::string highestVersionIn(const std::string& file, const std::string& prefix);
std::string libcVersionOf(const std::string& file);  // its banner's, else its highest GLIBC_ symbol's
bool isOurElf(const std::string& file);              // 64 bit, of this program's architecture

}  // namespace paceline::probe
