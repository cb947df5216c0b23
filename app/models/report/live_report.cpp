#include "app/models/report/live_report.h"

#include <ctime>
#include <utility>

#include "engine/core/base/error.h"
#include "storage/store/store.h"

namespace paceline::reports {
namespace {

constexpr int kRestMs = 150;  // after a keystroke

report::Making makingOf(const std::string& file, const std::string& output, const std::string& store) {
  return {.file = file, .output = output, .madeUtc = static_cast<double>(std::time(nullptr)), .store = store == store::defaultStorePath() ? "" : store};
}

}  // namespace

struct LiveReport::Source {
  std::string path;
  std::unique_ptr<report::Records> records;

  // After an error the store is opened anew.
  template <class Work>
  auto with(Work&& work) {
    if (!records) records = std::make_unique<report::Records>(path);
    try {
      return work(*records);
    } catch (const std::exception&) {
      records.reset();
      throw;
    }
  }
};

LiveReport::LiveReport(std::string storePath, QObject* parent) : QObject(parent), source_(std::make_shared<Source>()) {
  source_->path = std::move(storePath);
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, &LiveReport::read);
}

void LiveReport::setText(const QString& text) {
  text_ = text.toStdString();
  rest_.start();
}

void LiveReport::setTitles(const Titles& titles) {
  titles_ = titles;
  rest_.start();
}

void LiveReport::refresh() {
  if (current()) read();
}

void LiveReport::read() {
  older_.request_stop();
  older_ = std::stop_source();
  const auto work = [source = source_, text = text_, titles = titles_, newer = older_.get_token()](const std::stop_token& stop) {
    const EitherStop either(stop, newer);
    auto document = std::make_shared<const report::Document>(report::parse(text));
    report::Report made = source->with([&](report::Records& records) { return report::resolved(*document, records, titles, makingOf("", "", source->path), either.token()); });
    return Answer{.document = std::move(document), .report = std::make_shared<const report::Report>(std::move(made))};
  };
  inBackground(tasks_, this, work, [this, question = ++asked_](const Answer& answer, const QString& error) {
    if (question != asked_) return;  // a newer question is on its way
    answered_ = question;
    document_ = answer.document ? answer.document : std::make_shared<const report::Document>();
    report_ = answer.report;
    if (!report_) {
      report::Report none;
      none.problems.push_back({.line = 1, .sentence = error.toStdString()});
      none.pieces.push_back({.kind = report::PieceKind::kProblem, .line = 1, .text = error.toStdString()});
      report_ = std::make_shared<const report::Report>(std::move(none));
    }
    emit ready();
  });
}

void LiveReport::make(const QString& file, const QString& output, std::function<void(ReportPtr, const QString&)> then) {
  const auto work = [source = source_, text = text_, titles = titles_, file = file.toStdString(), output = output.toStdString()](const std::stop_token& stop) -> ReportPtr {
    const report::Document document = report::parse(text);
    report::Report made = source->with([&](report::Records& records) { return report::resolved(document, records, titles, makingOf(file, output, source->path), stop); });
    report::refuseProblems(file.empty() ? "the report" : file.substr(file.rfind('/') + 1), made);
    return std::make_shared<const report::Report>(std::move(made));
  };
  inBackground(tasks_, this, work, [then = std::move(then)](const ReportPtr& made, const QString& error) { then(made, error); });
}

void LiveReport::begin(const std::vector<std::string>& runs, double target, std::function<void(const QString&, const QString&)> then) {
  const auto work = [source = source_, titles = titles_, runs, target](const std::stop_token&) {
    return source->with([&](report::Records& records) {
      records.begin();
      return QString::fromStdString(report::starter(records.summaries(runs, target, {}), titles));
    });
  };
  inBackground(tasks_, this, work, [then = std::move(then)](const QString& text, const QString& error) { then(text, error); });
}

}  // namespace paceline::reports
