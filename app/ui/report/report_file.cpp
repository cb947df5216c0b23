#include "app/ui/report/report_file.h"

#include <cerrno>
#include <cstring>
#include <ctime>

#include <QCommandLineParser>
#include <QFileInfo>

#include "app/cluster/worker/worker_answer.h"
#include "app/models/words.h"
#include "app/report/resolve.h"
#include "app/ui/report/report_paper.h"
#include "engine/core/base/file_text.h"
#include "storage/store/store.h"

namespace paceline::reports {
namespace {

Titles knownTitles() {
  try {
    return titlesOf(worker::describeLocal());
  } catch (const Error&) {
    return {};  // ids stand for themselves
  }
}

void make(QCommandLineParser& options, const QStringList& arguments) {
  options.addPositionalArgument("file", "The report's text.");
  options.addOptions({{{"o", "output"}, "The file to write: .html, .tex or .pdf.", "file"}, {"store", "The store.", "file"}});
  if (!options.parse(QStringList{"paceline-workbench report"} + arguments)) throw Error(Errc::kUsage, options.errorText().toStdString());
  if (options.positionalArguments().size() != 1 || !options.isSet("output") || !options.isSet("store")) throw Error(Errc::kUsage, "usage: paceline-workbench report FILE -o OUT.(html|tex|pdf) --store STORE");
  const std::string file = options.positionalArguments().first().toStdString(), store = options.value("store").toStdString();
  const auto text = fileText(file);
  if (!text) throw Error(Errc::kFile, strCat(file, ": cannot be read: ", std::strerror(errno)));
  const report::Document document = report::parse(*text);
  report::Records records(store);
  const report::Making making{.file = file, .output = options.value("output").toStdString(), .madeUtc = static_cast<double>(std::time(nullptr)), .store = store == store::defaultStorePath() ? "" : store};
  const auto made = std::make_shared<const report::Report>(report::resolved(document, records, knownTitles(), making));
  report::refuseProblems(file, *made);
  ReportPictures pictures;
  writeReport(options.value("output"), made, pictures);
}

// Throws Error{kUsage} for one that cannot be drawn.
void drawAll(const report::Report& report, ReportPictures& pictures) {
  for (const report::Piece& piece : report.pieces)
    if (piece.kind == report::PieceKind::kPicture) pictures.drawing(piece.picture);
  if (const std::string problem = pictures.problem(); !problem.empty()) throw Error(Errc::kUsage, problem);
}

}  // namespace

void writeReport(const QString& path, const std::shared_ptr<const report::Report>& report, ReportPictures& pictures) {
  const QString ending = QFileInfo(path).suffix().toLower();
  pictures.setReport(report);
  if (ending != "tex") drawAll(*report, pictures);
  const auto svg = [&](const report::Picture& picture) { return figure::svgOf(pictures.drawing(picture), qtext(picture.figure->title)).toStdString(); };
  if (ending == "pdf") figure::writeFile(path, pdfOf(*report, pictures));
  else if (ending == "html") figure::writeFile(path, QByteArray::fromStdString(report::toHtml(*report, svg)));
  else if (ending == "tex") figure::writeFile(path, QByteArray::fromStdString(report::toLatex(*report)));
  else throw Error(Errc::kUsage, strCat(path.toStdString(), ": a report is written as .html, .tex or .pdf"));
}

int reportCommand(const QStringList& arguments) {
  QCommandLineParser options;
  return figure::exitOf([&] { make(options, arguments); });
}

}  // namespace paceline::reports
