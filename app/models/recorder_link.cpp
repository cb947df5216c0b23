#include "app/models/recorder_link.h"

#include <QSocketNotifier>
#include <QTimer>

#include "app/models/words.h"

namespace paceline {
namespace {

constexpr int kAgainMs = 2000;

}  // namespace

class RecorderLink::Line : public QObject {
 public:
  explicit Line(RecorderLink& link) : link_(link), again_(this) {
    again_.setSingleShot(true);
    connect(&again_, &QTimer::timeout, this, [this] { readQueue(); });
  }

  void readQueue() {
    QString problem;
    try {
      const std::vector<recorder::Entry> entries = client().queue();
      tell([entries](RecorderLink& link) { emit link.queueRead(entries); });
    } catch (const std::exception& error) {
      problem = QString::fromUtf8(error.what());
      again_.start(kAgainMs);
    }
    tell([problem](RecorderLink& link) { link.setTrouble(&RecorderLink::lost_, problem); });
    readNotices();
  }

  void make(const Request& request, const std::function<void()>& answered) {
    try {
      request(client());
      tell([answered](RecorderLink& link) {
        if (answered) answered();
        emit link.written();
      });
    } catch (const std::exception& error) {
      tell([problem = QString::fromUtf8(error.what())](RecorderLink& link) { emit link.failed(problem); });
    }
    readNotices();
  }

 private:
  recorder::Client& client() {
    if (client_) return *client_;
    const auto ask = [this](const recorder::Question& question) { return answerTo(question, *link_.prompts_.forOneTask(link_.closing_.get_token(), &given_)); };
    client_ = std::make_unique<recorder::Client>(link_.path_, recorder::ClientOptions{.answers = true, .ask = ask});
    readable_ = std::make_unique<QSocketNotifier>(client_->descriptor(), QSocketNotifier::Read);  // the same one whatever it is connected to
    connect(readable_.get(), &QSocketNotifier::activated, this, [this] { readNotices(); });
    return *client_;
  }

  void readNotices() {
    bool lost = false;
    try {
      while (client_) {
        const std::optional<recorder::Notice> notice = client_->next(0);
        if (!notice) break;
        lost = lost || std::holds_alternative<recorder::Lost>(*notice);
        tell([notice = *notice](RecorderLink& link) { link.take(notice); });
      }
    } catch (const std::exception&) {
      lost = true;
    }
    if (lost && !again_.isActive()) again_.start(0);
  }

  void tell(std::function<void(RecorderLink&)> what) {
    QMetaObject::invokeMethod(&link_, [link = &link_, what = std::move(what)] { what(*link); }, Qt::QueuedConnection);
  }

  RecorderLink& link_;
  QTimer again_;
  GuiPrompts::Given given_;  // to questions while a request waits
  std::unique_ptr<recorder::Client> client_;
  std::unique_ptr<QSocketNotifier> readable_;
};

RecorderLink::RecorderLink(const QString& storePath, GuiPrompts& prompts, QObject* parent)
    : QObject(parent), path_(storePath.toStdString()), prompts_(prompts) {
  line_ = new Line(*this);
  line_->moveToThread(&thread_);
  connect(&thread_, &QThread::finished, line_, &QObject::deleteLater);
  thread_.start();
}

RecorderLink::~RecorderLink() {
  closing_.request_stop();
  thread_.quit();
  thread_.wait();
}

void RecorderLink::readQueue() {
  QMetaObject::invokeMethod(line_, [line = line_] { line->readQueue(); }, Qt::QueuedConnection);
}

void RecorderLink::ask(Request request, std::function<void()> answered) {
  QMetaObject::invokeMethod(
      line_, [line = line_, request = std::move(request), answered = std::move(answered)] { line->make(request, answered); }, Qt::QueuedConnection);
}

void RecorderLink::setTrouble(QString RecorderLink::*kind, const QString& text) {
  if (this->*kind == text) return;
  this->*kind = text;
  emit troubleChanged();
}

void RecorderLink::take(const recorder::Notice& notice) {
  if (const auto* entry = std::get_if<recorder::Entry>(&notice)) emit entryChanged(*entry);
  if (const auto* rows = std::get_if<recorder::NewerRows>(&notice)) emit newerRows(rows->run);
  if (const auto* trouble = std::get_if<recorder::StoreTrouble>(&notice)) setTrouble(&RecorderLink::store_, qtext(trouble->text));
  if (const auto* lost = std::get_if<recorder::Lost>(&notice)) {
    setTrouble(&RecorderLink::lost_, qtext(lost->text));
    while (!open_.empty()) drop(open_.begin()->first);  // asked again if need be; another recorder's questions have the same ids
  }
  if (const auto* question = std::get_if<recorder::Question>(&notice)) put(*question);
  if (const auto* gone = std::get_if<recorder::QuestionGone>(&notice)) drop(gone->id);
}

void RecorderLink::drop(std::int64_t question) {
  if (const auto open = open_.extract(question)) open.mapped().request_stop();
}

void RecorderLink::put(const recorder::Question& question) {
  drop(question.id);  // of a connection that was lost
  const std::stop_token gone = open_[question.id].get_token();
  asking_.post([this, question, gone](const std::stop_token& closing) {
    const EitherStop stop(gone, closing);
    const std::optional<std::string> answer = answerTo(question, *prompts_.forOneTask(stop.token(), &given_));
    onGuiThread(this, [this, id = question.id, answer, gone] {
      if (gone.stop_requested()) return;
      open_.erase(id);
      ask([id, answer](recorder::Client& client) { client.answer(id, answer); });
    });
  });
}

}  // namespace paceline
