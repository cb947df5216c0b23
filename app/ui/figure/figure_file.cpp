// Figures as files. PNG by pixmap, SVG and PDF as vectors, each exactly as large as asked.

#include <cerrno>
#include <cmath>
#include <cstring>
#include <iostream>

#include <QBuffer>
#include <QCommandLineParser>
#include <QFile>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "app/ui/figure/figure_plot.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/widgets/theme.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"

namespace paceline::figure {

namespace {

constexpr double kDpi = 96;        // of the plot
constexpr double kMmPerInch = 25.4;
constexpr double kPointsPerInch = 72;
constexpr int kPdfDpi = 1200;
constexpr double kMostPixels = 1 << 30;  // of a PNG: 4 GiB of memory

constexpr double kUsualHeight = 5.0 / 8, kUsualAxes = 1.0 / 4;  // of the width: of a picture, and of the axes where nothing else is asked for
constexpr double kSmallestMm = 20, kLargestMm = 2000, kMoreMm = 400;  // of a side; how much higher is looked for

QSize pixels(const FigureFile& file) {
  const auto px = [](double mm) { return static_cast<int>(std::lround(mm / kMmPerInch * kDpi)); };
  return {px(file.widthMm), px(file.heightMm)};
}

QString described(const Figure& figure) {
  const char* variant = figure.variant == Variant::kPublished ? "published formula" : "corrected";
  return QString("%1 (%2)").arg(QString::fromStdString(figure.title), variant);
}

void png(FigurePlot& plot, const FigureFile& file, const Figure& figure, QIODevice& into) {
  const QSize size = pixels(file);
  const double scale = file.dpi / kDpi;
  QImage image;
  if (scale * size.width() * scale * size.height() <= kMostPixels) image = plot.toPixmap(size.width(), size.height(), scale).toImage();
  image.setDotsPerMeterX(static_cast<int>(std::lround(file.dpi / kMmPerInch * 1000)));
  image.setDotsPerMeterY(image.dotsPerMeterX());
  image.setText("Title", described(figure));
  if (!image.save(&into, "PNG"))  // no image, or no memory for it
    throw Error(Errc::kUsage, strCat(file.path.toStdString(), ": ", file.widthMm, " x ", file.heightMm, " mm at ", file.dpi, " dpi is too large for a PNG"));
}

void describe(QSvgGenerator& generator, QIODevice& into, const QSize& size, const QString& title) {
  generator.setOutputDevice(&into);
  generator.setTitle(title);
  generator.setDescription("Paceline " PACELINE_VERSION);
  generator.setResolution(static_cast<int>(kDpi));
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(), size));
}

void svg(FigurePlot& plot, const FigureFile& file, const Figure& figure, QIODevice& into) {
  const QSize size = pixels(file);
  QSvgGenerator generator;
  describe(generator, into, size, described(figure));
  plot.toPainter(generator, size.width(), size.height(), 1.0);
}

void pdf(FigurePlot& plot, const FigureFile& file, const Figure& figure, QIODevice& into) {
  const QSize size = pixels(file);
  QPdfWriter writer(&into);
  writer.setCreator("Paceline " PACELINE_VERSION);
  writer.setTitle(described(figure));
  writer.setResolution(kPdfDpi);
  writer.setPageSize(QPageSize(QSizeF(file.widthMm, file.heightMm), QPageSize::Millimeter, {}, QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF(0, 0, 0, 0));
  plot.toPainter(writer, size.width(), size.height(), kPdfDpi / kDpi);
}

// Lays the figure out in the size that was asked for, without a height in one that has room for everything.
void arrange(FigurePlot& plot, FigureFile& file) {
  const bool chosen = file.heightMm > 0;
  const double first = chosen ? file.heightMm : std::max(kSmallestMm, kUsualHeight * file.widthMm), last = std::min(kLargestMm, first + kMoreMm);
  const auto fits = [&](double heightMm, double axes) {
    file.heightMm = heightMm;
    plot.widget()->resize(pixels(file));
    plot.arrange();
    return plot.fits(axes * pixels(file).width());
  };
  if (fits(first, chosen ? 0 : kUsualAxes)) return;
  for (double heightMm = std::floor(first) + 1; heightMm <= last; ++heightMm) {
    if (!fits(heightMm, kUsualAxes)) continue;
    if (!chosen) return;
    throw Error(Errc::kUsage, strCat(file.path.toStdString(), ": ", file.widthMm, " x ", first, " mm is too small for this figure with text of ", file.fontPoints,
                                     " pt; a height of ", heightMm, " mm is enough, or smaller text"));
  }
  throw Error(Errc::kUsage, strCat(file.path.toStdString(), ": ", file.widthMm, " mm is too narrow for this figure with text of ", file.fontPoints, " pt; choose a greater width or smaller text"));
}

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
  if (const auto text = fileText(path.toStdString(), kMaxFigureBytes)) return parseFigure(*text);
  throw Error(Errc::kFile, strCat(path.toStdString(), ": cannot be read: ", std::strerror(errno)));
}

void render(QCommandLineParser& options, const QStringList& arguments) {
  options.addPositionalArgument("figure", "A figure as JSON, as paceline figure writes it.");
  options.addOptions({{{"o", "output"}, "The file to write: .png, .svg or .pdf.", "file"},
                      {"style", "modern or published.", "style", "modern"},
                      {"theme", "light or dark.", "theme", "light"},
                      {"width-mm", "Width in millimetres.", "mm", "160"},
                      {"height-mm", "Height in millimetres; 0: five eighths of the width, or more where the legend or names need it.", "mm", "0"},
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
  const double dpi = number(options, "dpi");
  if (!(dpi >= 30 && dpi <= 2400)) throw Error(Errc::kUsage, strCat("--dpi: must be 30 to 2400, got ", dpi));
  file.dpi = static_cast<int>(dpi);
  saveFigure(read(options.positionalArguments().first()), file);
}

}  // namespace

void writeFile(const QString& path, const QByteArray& bytes) {
  replaceFile(QFile::encodeName(path).toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

namespace {

// Drawn in the size that the file asks for, which is then known whole.
std::unique_ptr<FigurePlot> plotted(const std::shared_ptr<const Figure>& figure, FigureFile& file) {
  auto plot = std::make_unique<FigurePlot>();
  plot->widget()->resize(pixels(file));  // as wide as it will be: draw() thins lines out to that
  QFont font(widgets::Theme::uiFamily());
  font.setPixelSize(std::max(4, static_cast<int>(std::lround(file.fontPoints / kPointsPerInch * kDpi))));
  plot->draw(figure, {.style = file.style, .dark = file.dark, .font = font, .picture = true});
  arrange(*plot, file);
  return plot;
}

}  // namespace

void saveFigure(const Figure& figure, FigureFile file) {
  const QString format = QFileInfo(file.path).suffix().toLower();
  const auto encode = format == "png" ? &png : format == "svg" ? &svg : format == "pdf" ? &pdf : nullptr;
  if (encode == nullptr)
    throw Error(Errc::kUsage, strCat(file.path.toStdString(), ": unknown figure format \"", format.toStdString(), "\"; have png, svg, pdf"));
  const auto possible = [](double mm) { return mm >= kSmallestMm && mm <= kLargestMm; };
  if (!possible(file.widthMm) || !(file.heightMm == 0 || possible(file.heightMm)))
    throw Error(Errc::kUsage, strCat("size: must be ", kSmallestMm, " to ", kLargestMm, " mm, got ", file.widthMm, " x ", file.heightMm));
  if (!(file.fontPoints >= 1 && file.fontPoints <= 200)) throw Error(Errc::kUsage, strCat("font: must be 1 to 200 pt, got ", file.fontPoints));
  const std::unique_ptr<FigurePlot> plot = plotted(std::make_shared<const Figure>(figure), file);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  encode(*plot, file, figure, buffer);
  writeFile(file.path, bytes);
}

FigureDrawing drawFigure(const std::shared_ptr<const Figure>& figure, FigureFile file) {
  const std::unique_ptr<FigurePlot> plot = plotted(figure, file);
  FigureDrawing drawing{.size = pixels(file)};
  plot->toPainter(drawing.picture, drawing.size.width(), drawing.size.height(), 1.0);
  return drawing;
}

// A picture that is played enlarges itself by the resolutions of the two devices.
void paint(QPainter& painter, const FigureDrawing& drawing) {
  painter.save();
  painter.scale(static_cast<double>(drawing.picture.logicalDpiX()) / painter.device()->logicalDpiX(), static_cast<double>(drawing.picture.logicalDpiY()) / painter.device()->logicalDpiY());
  painter.drawPicture(0, 0, drawing.picture);
  painter.restore();
}

QByteArray svgOf(const FigureDrawing& drawing, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  describe(generator, buffer, drawing.size, title);
  QPainter painter(&generator);
  paint(painter, drawing);
  painter.end();
  return bytes;
}

int exitOf(const std::function<void()>& command) {
  try {
    command();
    return 0;
  } catch (const Error& error) {
    std::cerr << "paceline-workbench: " << error.what() << '\n';
    return error.code() == Errc::kUsage ? 2 : 1;
  } catch (const std::exception& error) {
    std::cerr << "paceline-workbench: " << error.what() << '\n';
    return 1;
  }
}

int renderCommand(const QStringList& arguments) {
  QCommandLineParser options;
  return exitOf([&] { render(options, arguments); });
}

}  // namespace paceline::figure
