#include "app/ui/manual/manual_book.h"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QRegularExpression>

namespace paceline::manual {
namespace {

constexpr const char* kFolder = ":/paceline/manual";
constexpr const char* kFirst = "index.md";
constexpr const char* kFields = "09-fields.md";
constexpr qsizetype kAround = 60;  // letters at each side of what was found

std::vector<std::pair<QString, QString>> filesInside() {
  std::vector<std::pair<QString, QString>> files;
  for (const QString& name : QDir(kFolder).entryList({"*.md"}, QDir::Files, QDir::Name)) {
    QFile file(QString("%1/%2").arg(kFolder, name));
    if (file.open(QIODevice::ReadOnly)) files.emplace_back(name, QString::fromUtf8(file.readAll()));
  }
  return files;
}

Chapter chapterOf(const QString& file, const QString& markdown) {
  Chapter chapter{.file = file, .title = file, .markdown = markdown};
  bool fenced = false;
  for (const QString& line : markdown.split('\n')) {
    if (line.startsWith("```")) fenced = !fenced;
    int level = 0;
    while (!fenced && level < line.size() && line[level] == '#') ++level;
    if (level > 0 && level < line.size() && line[level] == ' ') {
      const QString title = line.mid(level + 1).trimmed();
      if (chapter.sections.empty()) chapter.title = title;
      chapter.sections.push_back({.title = title, .anchor = Book::anchorOf(title), .level = level});
    } else if (!chapter.sections.empty()) {
      chapter.sections.back().text += line + '\n';
    }
  }
  if (chapter.sections.empty()) chapter.sections.push_back({.title = file, .anchor = "", .level = 1, .text = markdown});
  return chapter;
}

// Without the marks of Markdown that a reader does not see.
QString plain(QString text) { return text.remove(QRegularExpression(R"([`*|#]|\]\([^)]*\)|\[|-{3,})")).simplified(); }

}  // namespace

Book::Book() : Book(filesInside()) {}

Book::Book(const std::vector<std::pair<QString, QString>>& files) {
  for (const auto& [name, text] : files) chapters_.push_back(chapterOf(name, text));
  std::ranges::stable_sort(chapters_, [](const Chapter& a, const Chapter& b) { return std::pair(a.file != kFirst, a.file) < std::pair(b.file != kFirst, b.file); });
}

// As GitHub: lower case, blanks as '-', nothing but letters, digits, '-' and '_'.
QString Book::anchorOf(const QString& title) {
  QString anchor;
  for (const QChar c : title.toLower()) {
    if (c.isLetterOrNumber() || c == '-' || c == '_') anchor += c;
    else if (c == ' ') anchor += '-';
  }
  return anchor;
}

const Chapter* Book::chapter(const QString& file) const {
  const auto found = std::ranges::find(chapters_, file, &Chapter::file);
  return found == chapters_.end() ? nullptr : &*found;
}

const Section* Book::section(const Place& place) const {
  const Chapter* in = chapter(place.file);
  if (in == nullptr) return nullptr;
  if (place.anchor.isEmpty()) return &in->sections.front();
  const auto found = std::ranges::find(in->sections, place.anchor, &Section::anchor);
  return found == in->sections.end() ? nullptr : &*found;
}

std::vector<Hit> Book::find(const QString& words) const {
  const QStringList wanted = words.split(' ', Qt::SkipEmptyParts);
  std::vector<std::pair<int, Hit>> hits;  // with how many of the words its title lacks
  for (const Chapter& chapter : chapters_)
    for (const Section& section : chapter.sections) {
      const QString text = plain(section.text), all = section.title + ' ' + text;
      if (wanted.isEmpty() || !std::ranges::all_of(wanted, [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); })) continue;
      const auto lacks = static_cast<int>(std::ranges::count_if(wanted, [&section](const QString& word) { return !section.title.contains(word, Qt::CaseInsensitive); }));
      const qsizetype at = std::max<qsizetype>(0, text.indexOf(wanted.front(), 0, Qt::CaseInsensitive));
      const qsizetype from = std::max<qsizetype>(0, at - kAround);
      QString around = text.mid(from, 2 * kAround + wanted.front().size());
      if (from > 0) around.prepend("…");
      hits.emplace_back(lacks, Hit{.place = {chapter.file, section.level == 1 ? QString() : section.anchor}, .title = section.level == 1 ? chapter.title : chapter.title + ", " + section.title, .words = around});
    }
  std::ranges::stable_sort(hits, {}, &std::pair<int, Hit>::first);
  std::vector<Hit> found;
  for (auto& [lacks, hit] : hits) found.push_back(std::move(hit));
  return found;
}

std::optional<Place> Book::ofLink(const QString& link, const QString& from) const {
  const qsizetype mark = link.indexOf('#');
  const QString file = mark < 0 ? link : link.left(mark);
  const Place place{.file = file.isEmpty() ? from : file, .anchor = mark < 0 ? QString() : link.mid(mark + 1)};
  return section(place) == nullptr ? std::nullopt : std::optional(place);
}

Place Book::ofField(const std::string& pointer) const {
  for (QString path = QString::fromStdString(pointer); !path.isEmpty(); path.truncate(path.lastIndexOf('/'))) {
    const Chapter* fields = chapter(kFields);
    if (fields == nullptr) break;
    const auto found = std::ranges::find(fields->sections, path, &Section::title);
    if (found != fields->sections.end()) return {.file = kFields, .anchor = found->anchor};
  }
  return {.file = kFields, .anchor = ""};
}

}  // namespace paceline::manual
