// The texts of a .ts file, for tests of translations.
#pragma once

#include <map>
#include <stdexcept>
#include <utility>

#include <QFile>
#include <QStringList>
#include <QXmlStreamReader>

namespace paceline::tests {

struct Translation {
  bool plural = false, finished = true;
  QStringList forms;  // one where it has no plurals
};
using Texts = std::map<std::pair<QString, QString>, Translation>;  // by source and disambiguation, whatever the context

inline Texts textsIn(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) throw std::runtime_error("cannot read " + path.toStdString());
  QXmlStreamReader xml(&file);
  Texts texts;
  QString source, which;
  Translation now;
  while (!xml.atEnd()) {
    const auto token = xml.readNext();
    if (token == QXmlStreamReader::StartElement && xml.name() == QString("message")) now = {.plural = xml.attributes().value("numerus") == QString("yes"), .finished = true, .forms = {}}, source.clear(), which.clear();
    else if (token == QXmlStreamReader::StartElement && xml.name() == QString("source")) source = xml.readElementText();
    else if (token == QXmlStreamReader::StartElement && xml.name() == QString("comment")) which = xml.readElementText();
    else if (token == QXmlStreamReader::StartElement && xml.name() == QString("translation")) {
      now.finished = xml.attributes().value("type").isEmpty();
      if (!now.plural) now.forms << xml.readElementText();
    } else if (token == QXmlStreamReader::StartElement && xml.name() == QString("numerusform")) now.forms << xml.readElementText();
    else if (token == QXmlStreamReader::EndElement && xml.name() == QString("message")) texts[{source, which}] = now;
  }
  if (xml.hasError()) throw std::runtime_error((path + ": " + xml.errorString()).toStdString());
  return texts;
}

}  // namespace paceline::tests
