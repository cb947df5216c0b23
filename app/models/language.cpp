#include "app/models/language.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

static void initTranslations() { Q_INIT_RESOURCE(translations); }  // of a static library; not inside a namespace

namespace paceline::language {
namespace {

constexpr const char* kContexts[] = {"Paceline", "Catalogue"};

// A text has one translation, whatever class says it: the class's name, which lupdate and moc do not always agree on, is no part of the question.
class Texts : public QTranslator {
 public:
  QString translate(const char* /*context*/, const char* text, const char* which, int n) const override {
    if (*text == '\0') return {};
    for (const char* context : kContexts)
      if (const QString found = QTranslator::translate(context, text, which, n); !found.isEmpty()) return found;
    return {};
  }
};

struct Installed {
  QString code = "en";
  std::unique_ptr<QTranslator> texts, qt;  // of the chosen language; English needs none
  std::unique_ptr<Texts> plurals;
};

// QCoreApplication asks the newest translator first. All go with the application.
Installed& installed() {
  static Installed all;
  return all;
}

std::unique_ptr<Texts> textsIn(const QString& code) {
  auto made = std::make_unique<Texts>();
  if (!made->load(":/paceline/translations/paceline_" + code + ".qm")) return nullptr;
  QCoreApplication::installTranslator(made.get());
  return made;
}

// English texts are their own translation but for "%n run(s)".
void begin() {
  initTranslations();
  installed() = {};
  installed().plurals = textsIn("en");
  qAddPostRoutine([] { installed() = {}; });
}
Q_COREAPP_STARTUP_FUNCTION(begin)

}  // namespace

const std::vector<Language>& all() {
  static const std::vector<Language> kAll = {{"en", "English"}, {"zh_CN", "简体中文"}};
  return kAll;
}

QString ofSystem() {
  for (const QString& wanted : QLocale::system().uiLanguages()) {
    const QLocale locale(wanted);
    if (locale.language() == QLocale::English) return "en";
    if (locale.language() == QLocale::Chinese && locale.script() != QLocale::TraditionalHanScript) return "zh_CN";
  }
  return "en";
}

bool use(const QString& code) {
  const QString chosen = code.isEmpty() ? ofSystem() : code;
  if (std::ranges::none_of(all(), [&](const Language& each) { return chosen == each.code; })) return false;
  Installed& now = installed();
  if (now.code == chosen) return true;
  now.code = chosen;
  now.texts.reset(), now.qt.reset();  // they leave the application
  if (chosen == "en") return true;
  now.qt = std::make_unique<QTranslator>();
  if (now.qt->load("qtbase_" + chosen, QLibraryInfo::path(QLibraryInfo::TranslationsPath))) QCoreApplication::installTranslator(now.qt.get());
  now.texts = textsIn(chosen);  // also of Qt's own words, where its translations are not installed
  return now.texts != nullptr;
}

QString current() { return installed().code; }

}  // namespace paceline::language
