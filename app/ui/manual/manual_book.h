// The manual as values: chapters in Markdown and their sections, found by words, by a place such as "02-window.md#run-page", by a field of a document. GUI thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

namespace paceline::manual {

struct Section {
  QString title, anchor;  // the anchor as GitHub makes it of a title
  int level = 1;          // 1: the chapter itself
  QString text = {};      // its own, without its title
};

struct Chapter {
  QString file;  // "02-window.md"
  QString title, markdown;
  std::vector<Section> sections = {};  // the first is the chapter's beginning
};

struct Place {
  QString file, anchor;  // anchor "": the chapter's beginning
  bool operator==(const Place&) const = default;
};

struct Hit {
  Place place;
  QString title;  // "The window, Run page"
  QString words;  // of its text around what was looked for
};

class Book {
 public:
  Book();  // that which is in the program
  explicit Book(const std::vector<std::pair<QString, QString>>& files);  // names and texts; index.md is the first chapter

  const std::vector<Chapter>& chapters() const { return chapters_; }
  const Chapter* chapter(const QString& file) const;
  const Section* section(const Place& place) const;             // nullptr: there is none
  std::vector<Hit> find(const QString& words) const;            // sections that have all of them, titles first
  std::optional<Place> ofLink(const QString& link, const QString& from) const;  // from a chapter; nullopt: it leads out of the manual, or to nothing
  Place ofField(const std::string& pointer) const;              // "/nodes/2/emulate" is in the place of "/nodes"
  static QString anchorOf(const QString& title);

 private:
  std::vector<Chapter> chapters_;
};

}  // namespace paceline::manual
