#include "app/ui/figure/render_command.h"

#include <iostream>

#include <QCommandLineParser>
#include <QFile>

#include "app/ui/figure/figure_view.h"
#include "engine/core/base/error.h"

namespace paceline::figure {
namespace {

double number(const QCommandLineParser& options, const QString& name) {
  bool ok = false;
  const double value = options.value(name).toDouble(&ok);
  if (!ok) throw Error(Errc::kUsage, strCat("--", name.toStdString(), ": must be a number, got \"", options.value(name).toStdString(), "\""));
  return value;
}

bool either(const QCommandLineParser& options, const QString& name, const QString& first, const QString& second) {
  const QString value = options.value(name);
  if (value != first && value != second)
    throw Error(Errc::kUsage, strCat("--", name.toStdString(), ": have ", first.toStdString(), ", ", second.toStdString(), "; got \"", value.toStdString(), "\""));
  return value == second;
}

Figure read(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) throw Error(Errc::kFile, strCat(path.toStdString(), ": cannot be read: ", file.errorString().toStdString()));
  return parseFigure(file.readAll().toStdString());
}

void render(QCommandLineParser& options, const QStringList& arguments) {
  options.addPositionalArgument("figure", "A figure as JSON, as paceline figure writes it.");
  options.addOptions({{{"o", "output"}, "The file to write: .png, .svg or .pdf.", "file"},
                      {"style", "modern or published.", "style", "modern"},
                      {"theme", "light or dark.", "theme", "light"},
                      {"width-mm", "Width in millimetres.", "mm", "160"},
                      {"height-mm", "Height in millimetres.", "mm", "100"},
                      {"font-pt", "Size of the text in points.", "pt", "9"},
                      {"dpi", "Dots per inch of a PNG.", "dpi", "300"}});
  if (!options.parse(QStringList{"paceline-workbench render"} + arguments)) throw Error(Errc::kUsage, options.errorText().toStdString());
  if (options.positionalArguments().size() != 1 || !options.isSet("output"))
    throw Error(Errc::kUsage, "usage: paceline-workbench render FIGURE.json -o FILE.(png|svg|pdf) [--style modern|published] [--theme light|dark] "
                              "[--width-mm W --height-mm H] [--font-pt P] [--dpi D]");
  FigureFile file;
  file.path = options.value("output");
  file.style = either(options, "style", "modern", "published") ? FigureStyle::kPublished : FigureStyle::kModern;
  file.dark = either(options, "theme", "light", "dark");
  file.widthMm = number(options, "width-mm");
  file.heightMm = number(options, "height-mm");
  file.fontPoints = number(options, "font-pt");
  file.dpi = static_cast<int>(number(options, "dpi"));
  if (file.dpi < 30 || file.dpi > 2400) throw Error(Errc::kUsage, strCat("--dpi: must be 30 to 2400, got ", file.dpi));
  saveFigure(read(options.positionalArguments().first()), file);
}

}  // namespace

int renderCommand(const QStringList& arguments) {
  QCommandLineParser options;
  try {
    render(options, arguments);
    return 0;
  } catch (const Error& error) {
    std::cerr << "paceline-workbench: " << error.what() << '\n';
    return error.code() == Errc::kUsage ? 2 : 1;
  } catch (const std::exception& error) {
    std::cerr << "paceline-workbench: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace paceline::figure
