// paceline-workbench: the desktop application, and `render` and `report` for figures and reports without a window.
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cluster/worker/worker_answer.h"
#include "app/models/catalogue_texts.h"
#include "app/models/language.h"
#include "app/models/words.h"
#include "app/ui/desktop_notices.h"
#include "app/ui/main_window.h"
#include "app/ui/report/report_file.h"
#include "app/ui/screenshots.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"

namespace paceline {
namespace {

bool headless(const QStringList& arguments) {
  return arguments.contains("render") || arguments.value(0) == "report" || arguments.contains("--help") || arguments.contains("-h") ||
         arguments.contains("--version") || arguments.contains("--texts");
}

// A package that carries its own libraries brings fonts, for systems without any.
void useOwnFonts() {
  const QString own = QFileInfo("/proc/self/exe").canonicalPath() + "/../lib/paceline/fonts/fonts.conf";
  if (qEnvironmentVariableIsEmpty("FONTCONFIG_FILE") && !QFileInfo::exists("/etc/fonts/fonts.conf") && QFileInfo::exists(own)) qputenv("FONTCONFIG_FILE", own.toLocal8Bit());
}

int usage(const QString& sentence) {
  std::cerr << "paceline-workbench: " << sentence.toStdString() << '\n';
  return 2;
}

QString storePath(const QCommandLineParser& options) {
  if (options.isSet("store")) return options.value("store");
  const QString remembered = QSettings().value("store").toString();
  return remembered.isEmpty() || qEnvironmentVariableIsSet("PACELINE_STORE") ? QString::fromStdString(store::defaultStorePath())
                                                                             : remembered;
}

// One a line, as resources/translations/update reads them.
int printTexts() {
  try {
    for (const std::string& text : catalogueTexts(worker::describeLocal())) std::cout << qtext(text).replace('\n', "\\n").toStdString() << '\n';
    for (const experiment::Template& each : experiment::templates()) std::cout << each.title.toStdString() << '\n';
  } catch (const Error& error) {
    return std::cerr << "paceline-workbench: " << error.what() << '\n', 1;
  }
  return 0;
}

int windowCommand(QApplication& application) {
  QCommandLineParser options;
  options.setApplicationDescription("The Paceline workbench: set up, run and compare distributed training.");
  options.addHelpOption();
  options.addVersionOption();
  options.addOptions({{"store", "The store to open; default: as the terminal's paceline.", "file"},
                      {"page", "The page to show: clusters, experiment, runs, compare, data, settings, report.", "page"},
                      {"theme", "light, dark or system; default: as remembered.", "theme"},
                      {"language", "en, zh_CN or system; default: as remembered.", "code"},
                      {"texts", "Print the texts of the catalogue, the fields and the figures, for translators, and end."},
                      {"text", "Size of the text: small, normal, large, larger; default: as remembered.", "size"},
                      {"screenshot", "Grab every page in both themes into PNG files and end.", "folder"},
                      {"size", "Size of the window, with --screenshot.", "WxH", "1280x800"}});
  options.process(application);
  if (options.isSet("texts")) return printTexts();
  const QStringList modes{"system", "light", "dark"}, pages{"clusters", "experiment", "runs", "compare", "data", "settings", "report"};
  int mode = std::clamp(QSettings().value("look/mode", 0).toInt(), 0, 2);
  if (options.isSet("theme")) mode = static_cast<int>(modes.indexOf(options.value("theme")));
  if (mode < 0) return usage("--theme: have system, light, dark; got \"" + options.value("theme") + "\"");
  if (options.isSet("page") && !pages.contains(options.value("page")))
    return usage("--page: have " + pages.join(", ") + "; got \"" + options.value("page") + "\"");
  const QStringList texts{"small", "normal", "large", "larger"};
  if (options.isSet("text") && !texts.contains(options.value("text"))) return usage("--text: have " + texts.join(", ") + "; got \"" + options.value("text") + "\"");
  const QString language = options.isSet("language") ? (options.value("language") == "system" ? QString() : options.value("language")) : QSettings().value("look/language").toString();
  if (!language::use(language) && options.isSet("language")) return usage("--language: have en, zh_CN, system; got \"" + options.value("language") + "\"");
  widgets::Theme::instance().setScale(options.isSet("text") ? widgets::kTextSizes[texts.indexOf(options.value("text"))] : QSettings().value("look/scale", 1.0).toDouble());
  widgets::Theme::instance().setMode(static_cast<widgets::ThemeMode>(mode));
  widgets::Theme::instance().apply();
  auto open = std::make_unique<MainWindow>(storePath(options));
  MainWindow& window = *open;
  if (options.isSet("page")) window.go(options.value("page") == pages.last() ? MainWindow::kReport : static_cast<int>(pages.indexOf(options.value("page"))));
  if (options.isSet("screenshot")) {
    const QStringList size = options.value("size").split('x');
    const QSize pixels(size.value(0).toInt(), size.value(1).toInt());
    if (pixels.isEmpty()) return usage("--size: must be WxH such as 1280x800; got \"" + options.value("size") + "\"");
    window.resize(pixels);
    window.show();
    return takeScreenshots(window, options.value("screenshot"));
  }
  window.experiment().keepDraft(QFileInfo(QSettings().fileName()).absolutePath() + "/drafts");
  window.show();
  const int ended = QApplication::exec();
  const QString next = window.nextStore();
  open.reset();  // first: the next window takes up the draft that this one leaves
  if (next.isEmpty() || QProcess::startDetached(QCoreApplication::applicationFilePath(), {"--store", next})) return ended;
  std::cerr << "paceline-workbench: cannot start again with " << next.toStdString() << '\n';
  return 1;
}

}  // namespace
}  // namespace paceline

int main(int argc, char** argv) {
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const bool noDisplay = qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
  if (paceline::headless(arguments) || (arguments.contains("--screenshot") && noDisplay)) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  } else if (noDisplay && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    std::cerr << "paceline-workbench: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set). Use paceline in the "
                 "terminal.\n";
    return 1;
  }
  const bool render = arguments.value(0) == "render", report = arguments.value(0) == "report";
  paceline::disk::tellFileSizeLimits();
  paceline::useOwnFonts();
  if (render || report) {  // its --style is not Qt's; Qt's messages about the desktop are left out
    argc = 1;
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
  }
  QApplication application(argc, argv);
  QApplication::setApplicationName("paceline");
  QApplication::setOrganizationName("paceline");
  QApplication::setApplicationDisplayName("Paceline");
  QApplication::setApplicationVersion(PACELINE_VERSION);
  QApplication::setDesktopFileName(paceline::kDesktopId);
  if (render) return paceline::figure::renderCommand(arguments.mid(1));
  if (report) return paceline::reports::reportCommand(arguments.mid(1));
  return paceline::windowCommand(application);
}
