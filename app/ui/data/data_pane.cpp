#include "app/ui/data/data_pane.h"

#include <algorithm>

#include "app/models/words.h"
#include "app/ui/data/sample_grid.h"

namespace paceline::data {
namespace {

constexpr int kLeastWidth = 320, kNames = 84, kChartHeight = 240;

bool downloadable(const DataSet& set) { return !set.listed.files.empty() && !set.here() && !set.chosen; }

}  // namespace

widgets::StateMark standingMark(SetStanding standing) {
  using widgets::Token;
  static const widgets::StateMark kMarks[] = {{"computer", Token::kText}, {"template", Token::kText}, {"minus", Token::kTextMuted}, {"stopped", Token::kWarn},
                                              {"running", Token::kAccent}, {"running", Token::kAccent}, {"finished", Token::kOk}, {"failed", Token::kBad}};
  return kMarks[static_cast<std::size_t>(standing)];
}

DataPane::DataPane(Shell& shell, DataSets& sets)
    : widgets::ScrollPane(kLeastWidth), shell_(shell), sets_(sets), title_(widgets::wrapped(widgets::label("", "section"))), summary_(widgets::wrapped(widgets::label("", "muted"))),
      progressWords_(widgets::label("", "caption")), problem_(widgets::problemLine()), lookProblem_(widgets::problemLine()), lookHead_(widgets::label(tr("Samples"), "section")),
      found_(widgets::selectable(widgets::wrapped(widgets::label("", "small")))), state_(new widgets::StateBadge), progress_(new QProgressBar), facts_(new widgets::FactGrid(kNames)),
      classes_(new figure::FigureView), grid_(new SampleGrid) {
  problem_->setObjectName("dataProblem");
  lookProblem_->setObjectName("lookProblem");
  found_->setObjectName("dataFound");
  progress_->setAccessibleName(tr("Download"));
  progress_->setTextVisible(false);
  progress_->setFixedHeight(6);
  classes_->setCompact(true);
  classes_->setObjectName("classHistogram");
  classes_->setAccessibleName(tr("Samples of each class"));
  classes_->setFixedHeight(kChartHeight);
  widgets::addAll(column_, {title_, state_, summary_, actions(), progressWords_, progress_, problem_, found_, widgets::horizontalLine(), facts_, widgets::gap(4), classes_, samples(), widgets::room()});
  connect(&sets_, &DataSets::changed, this, [this](const QString& key) {
    if (key == key_) follow();
  });
  connect(&sets_, &DataSets::reloaded, this, &DataPane::follow);
  connect(&shell_.catalogue, &Catalogue::downloadChanged, this, &DataPane::follow);
  follow();
}

QVBoxLayout* DataPane::actions() {
  download_ = widgets::button(tr("Download"), "imported", [this] { act(); }, {.kind = "primary", .name = "downloadSet"});
  check_ = widgets::button(tr("Check"), "refresh", [this] { sets_.checking() ? sets_.stopCheck() : sets_.check(key_, decode_->isVisible() && decode_->isChecked()); },
                           {.name = "checkSet", .help = tr("Files, checksums, samples of each class")});
  copy_ = widgets::copyButton(tr("Copy path"), [this] {
    const DataSet* set = sets_.find(key_);
    return set ? qtext(set->listed.location) : QString();
  });
  forget_ = widgets::button(tr("Take off the list"), "close", [this] { sets_.removeFolder(key_); }, {.kind = "quiet", .name = "forgetFolder", .help = tr("The folder stays as it is")});
  decode_ = new QCheckBox(tr("Decode every picture"));
  decode_->setObjectName("decodeAll");
  decode_->setToolTip(tr("Takes as long as reading all of them, and names those that are broken"));
  return widgets::down({widgets::across({download_, check_, copy_, forget_, widgets::room()}), decode_});
}

QVBoxLayout* DataPane::samples() {
  split_ = new widgets::Segments({tr("To train"), tr("To test")});
  split_->setObjectName("sampleSplit");
  others_ = widgets::button(tr("Other samples"), "rerun", [this] { ++seed_, look(); }, {.kind = "quiet", .name = "otherSamples", .help = tr("Draws the next ones; the same ones come again with every start")});
  connect(split_, &widgets::Segments::chosen, this, &DataPane::look);
  return widgets::down({widgets::across({lookHead_, widgets::room(), split_, others_}), lookProblem_, grid_});
}

void DataPane::setSet(const QString& key) {
  if (std::exchange(key_, key) != key) seed_ = 1, toTop();
  follow();
  look();
}

void DataPane::act() {
  const DataSet* set = sets_.find(key_);
  if (!set) return;
  if (set->downloading) return shell_.catalogue.stopDownload();
  if (downloadable(*set)) return shell_.catalogue.download(set->listed.id);
  sets_.check(key_, decode_->isVisible() && decode_->isChecked());
}

void DataPane::look() {
  if (isVisible()) sets_.look(key_, split_->current() == 0 ? "train" : "test", seed_);
}

void DataPane::follow() {
  const DataSet* set = sets_.find(key_);
  inside_->setVisible(set != nullptr);
  if (!set) return;
  title_->setText(set->title());
  summary_->setText(said(set->listed.summary));
  summary_->setVisible(!set->listed.summary.empty());
  state_->setMark(standingMark(set->standing()), standingWord(set->standing()));
  followActions(*set);
  const QString failed = shell_.catalogue.downloadError(set->listed.id);
  widgets::tell(problem_, set->chosen || set->here() ? set->checkError : failed);
  QStringList found = set->checkError.isEmpty() ? findingsOf(*set) : QStringList();
  found_->setText(found.join("\n"));
  found_->setVisible(!found.isEmpty());
  fillFacts(*set);
  followLook(*set);
  if (set->here() && !set->looked && !set->looking && set->lookError.isEmpty()) look();  // it has come, or was recognised
}

void DataPane::followActions(const DataSet& set) {
  const bool fetch = downloadable(set), otherDownload = !shell_.catalogue.downloading().empty() && !set.downloading;
  download_->setVisible(fetch || set.downloading);
  download_->setText(set.downloading ? tr("Stop") : set.begun > 0 ? tr("Go on with the download") : tr("Download"));
  download_->setEnabled(!otherDownload);
  download_->setToolTip(otherDownload ? tr("Another data set is being downloaded") : set.downloading ? tr("What has come stays, and the download goes on from there") : tr("From its publisher; its checksums are verified"));
  check_->setVisible(set.here() && !set.listed.builtIn);
  check_->setText(set.checking ? tr("Stop checking") : tr("Check"));
  check_->setEnabled(set.checking || !sets_.checking());
  copy_->setVisible(set.here() && !set.listed.builtIn);
  forget_->setVisible(set.chosen && !set.checking);
  decode_->setVisible(set.here() && set.pictureFiles() && !(set.checked && !set.checked->facts.empty()));
  const double fraction = shell_.catalogue.downloadFraction();
  progress_->setVisible(set.downloading);
  progress_->setRange(0, fraction < 0 ? 0 : 1000);
  progress_->setValue(static_cast<int>(fraction * 1000));
  const QString progress = shell_.catalogue.downloadProgress();
  progressWords_->setText(set.downloading ? (progress.isEmpty() ? tr("Connecting") : progress) : QString());
  progressWords_->setVisible(set.downloading);
}

void DataPane::followLook(const DataSet& set) {
  const bool shown = set.looked != nullptr;
  classes_->setVisible(shown && std::ranges::any_of(set.looked->splits, [](const worker::CheckedSplit& split) { return !split.perClass.empty(); }));
  if (shown && set.looked != shown_) {
    shown_ = set.looked;
    Figure figure = histogram(set);
    figure.title.clear();  // stands above
    QStringList said;
    for (const std::string& note : figure.notes) said << asSentence(paceline::said(note));
    classes_->setFigure(std::move(figure));
    classes_->setAccessibleDescription(said.join(" "));
  }
  const bool can = set.here() && (!set.chosen || !set.listed.id.empty());
  lookHead_->setText(set.looking ? tr("Samples: reading…") : tr("Samples"));
  for (QWidget* each : std::initializer_list<QWidget*>{lookHead_, split_, others_}) each->setVisible(can);
  grid_->setVisible(can);
  grid_->show(set.looked);
  grid_->setStale(set.looking);
  widgets::tell(lookProblem_, set.lookError);
}

void DataPane::fillFacts(const DataSet& set) {
  const worker::ListedSet& listed = set.listed;
  const std::int64_t bytes = worker::downloadBytes(listed);
  QStringList sides;
  for (const std::int64_t side : listed.shape) sides << QString::number(side);
  const auto counted = [](std::int64_t count) { return count == 0 ? QString() : countText(count); };
  const std::tuple<QString, QString, bool> facts[] = {  // the last: an id or a path
      {tr("Id"), qtext(listed.id), true},
      {tr("Where"), listed.builtIn ? tr("made from the seed") : qtext(listed.location), true},
      {tr("On disk"), listed.bytes > 0 ? bytesText(static_cast<double>(listed.bytes)) : QString(), false},
      {tr("Download"), listed.files.empty() ? QString() : (bytes == 0 ? tr("of unknown size") : bytesText(static_cast<double>(bytes))) + (set.begun > 0 && !set.here() ? tr(", %1 of it is there").arg(bytesText(static_cast<double>(set.begun))) : QString()), false},
      {tr("Goes to"), set.here() || set.chosen ? QString() : qtext(listed.downloadTo), true},
      {tr("To train"), counted(listed.trainCount), false},
      {tr("To test"), counted(listed.testCount), false},
      {tr("Classes"), counted(listed.classes), false},
      {tr("Shape"), sides.join("x"), false},
      {tr("Source"), qtext(listed.reference), false},
  };
  QString all;
  for (const auto& [name, value, mono] : facts) all += value + '\n';
  if (all == factsShown_) return;  // a text that is being selected stays
  factsShown_ = all;
  widgets::emptyLayout(facts_);
  for (const auto& [name, value, mono] : facts) facts_->add(name, value, mono);
}

}  // namespace paceline::data
