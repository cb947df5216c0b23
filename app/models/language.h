// The interface's language: which there are, which is used, and what code without Qt says in it. GUI thread.
// Texts stand in tr() in English; resources/translations has the others, a text once, whatever class says it. Errors, logs, documents and files stay as they are.
#pragma once

#include <vector>

#include <QString>

namespace paceline::language {

struct Language {
  const char *code, *name;  // "zh_CN", "简体中文": in the language itself
};
const std::vector<Language>& all();  // English first
QString ofSystem();                  // a code: of the desktop's language where it is one of them, else English

// From now on: texts that are made later are in this language. `code`: one of all(), or "" for the desktop's; false: there is no such language.
bool use(const QString& code);
QString current();

}  // namespace paceline::language
