// What a person chooses before other tools' files are imported: which column, or which series, means what. The same profile as the terminal's --map and --profile. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <QString>

#include "storage/interchange/foreign/foreign_run.h"
#include "storage/interchange/foreign/table_head.h"

namespace paceline {

struct ImportRole {
  std::string role;  // as a profile has it: "step"
  QString name, help;
  bool ofTables = false;  // others are of all files
};
const std::vector<ImportRole>& importRoles();

class ImportChoice {
 public:
  explicit ImportChoice(std::string path = "");  // reads the first rows of a table

  const std::string& path() const { return path_; }
  bool isTable() const { return !head_.names.empty(); }
  const interchange::TableHead& head() const { return head_; }

  void set(const std::string& role, const std::string& name);  // "": told by its name
  std::string of(const std::string& role) const;
  QString load(const std::string& text, const std::string& from);  // a profile; what is wrong with it as a sentence, "": nothing
  std::string profile() const;                                     // as importPaths() takes it

  QString problem() const;  // why it cannot be imported so; "": it may be

 private:
  void read();  // the head, by the separator
  std::string path_;
  std::map<std::string, std::string> names_;  // by role
  interchange::TableHead head_;
};

}  // namespace paceline
