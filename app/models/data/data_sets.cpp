#include "app/models/data/data_sets.h"

#include <QFileInfo>
#include <algorithm>

#include "app/cluster/deploy/fetch_dataset.h"
#include "app/figures/class_counts.h"
#include "app/models/words.h"

namespace paceline::data {
namespace {

QString shapeText(const std::vector<std::int64_t>& shape) {
  QStringList sides;
  for (const std::int64_t side : shape) sides << QString::number(side);
  return sides.join("x");
}

QString orFiles(std::int64_t count) { return count == 0 ? QString("—") : countText(count); }

QString sizeText(const DataSet& set) { return set.listed.bytes > 0 ? bytesText(static_cast<double>(set.listed.bytes)) : QString("—"); }

QString whereText(const DataSet& set) {
  if (set.listed.builtIn) return QObject::tr("made from the seed");
  if (set.here()) return qtext(set.listed.location);
  return set.begun > 0 ? QObject::tr("%1 fetched").arg(bytesText(static_cast<double>(set.begun))) : QObject::tr("not on this computer");
}

const ItemColumn<DataSet> kTable[] = {
    {{QT_TR_NOOP("Data set"), QT_TR_NOOP("As the catalogue calls it")}, [](const DataSet& set) { return set.title(); }},
    {{QT_TR_NOOP("State"), QT_TR_NOOP("Whether it is here and what the last check found")}, [](const DataSet& set) { return standingWord(set.standing()); }},
    {{QT_TR_NOOP("On disk"), QT_TR_NOOP("Size of its files"), true}, sizeText, [](const DataSet& set) { return QVariant(static_cast<double>(set.listed.bytes)); }},
    {{QT_TR_NOOP("Where"), QT_TR_NOOP("Where runs find it")}, whereText},
    {{QT_TR_NOOP("To train"), QT_TR_NOOP("Samples to train on; —: its files say"), true}, [](const DataSet& set) { return orFiles(set.listed.trainCount); }, [](const DataSet& set) { return QVariant(static_cast<double>(set.listed.trainCount)); }},
    {{QT_TR_NOOP("To test"), QT_TR_NOOP("Samples to test on; —: its files say"), true}, [](const DataSet& set) { return orFiles(set.listed.testCount); }, [](const DataSet& set) { return QVariant(static_cast<double>(set.listed.testCount)); }},
    {{QT_TR_NOOP("Classes"), QT_TR_NOOP("Kinds of samples; —: its files say"), true}, [](const DataSet& set) { return orFiles(set.listed.classes); }, [](const DataSet& set) { return QVariant(static_cast<double>(set.listed.classes)); }},
    {{QT_TR_NOOP("Shape"), QT_TR_NOOP("Channels, height and width of a sample")}, [](const DataSet& set) { return set.listed.shape.empty() ? QString("—") : shapeText(set.listed.shape); }},
};

}  // namespace

DataServices dataServices() {
  return {.list = worker::listData,
          .begun = deploy::begunBytes,
          .check = [](const std::string& path, const std::string& id, bool decode, const std::stop_token& stop) { return worker::checkedData(worker::checkDocument(path, id, decode, stop)); },
          .look = [](const worker::LookQuestion& question, const std::stop_token& stop) { return worker::lookedData(worker::lookDocument(question, stop)); }};
}

QString standingWord(SetStanding standing) {
  constexpr const char* kWords[] = {QT_TR_NOOP("Here"), QT_TR_NOOP("Built in"), QT_TR_NOOP("Not here"), QT_TR_NOOP("Begun"), QT_TR_NOOP("Downloading"), QT_TR_NOOP("Checking"), QT_TR_NOOP("All right"), QT_TR_NOOP("Problem")};
  return QObject::tr(kWords[static_cast<std::size_t>(standing)]);
}

QString DataSet::key() const { return chosen ? "folder " + qtext(listed.location) : qtext(listed.id); }

QString DataSet::title() const {
  const QString name = listed.title.empty() ? qtext(listed.id) : said(listed.title);
  if (!chosen) return name;
  const QString folder = QFileInfo(qtext(listed.location)).fileName();
  return name.isEmpty() ? folder : QString("%1 (%2)").arg(name, folder);
}

SetStanding DataSet::standing() const {
  if (downloading) return SetStanding::kDownloading;
  if (checking) return SetStanding::kChecking;
  if (!checkError.isEmpty() || (checked && !checked->problems.empty())) return SetStanding::kProblem;
  if (listed.builtIn) return SetStanding::kBuiltIn;
  if (!here()) return begun > 0 ? SetStanding::kBegun : SetStanding::kAbsent;
  return checked ? SetStanding::kGood : SetStanding::kHere;
}

DataSets::DataSets(Catalogue& catalogue, DataServices services, QObject* parent) : ColumnTable(kTable, parent), catalogue_(catalogue), services_(std::move(services)) {
  connect(&catalogue_, &Catalogue::downloadChanged, this, &DataSets::followDownload);
  connect(&catalogue_, &Catalogue::downloadMoved, this, [this] { emit changed(qtext(downloading_)); });
}

DataSets::~DataSets() {
  stopCheck_.request_stop();
  stopLook_.request_stop();
}

const DataSet* DataSets::find(const QString& key) const {
  const auto found = std::ranges::find(sets_, key, &DataSet::key);
  return found == sets_.end() ? nullptr : &*found;
}

void DataSets::change(const QString& key, const std::function<void(DataSet&)>& change) {
  const auto found = std::ranges::find(sets_, key, &DataSet::key);
  if (found == sets_.end()) return;  // removed meanwhile
  change(*found);
  const int row = static_cast<int>(found - sets_.begin());
  rowsChanged(row, row);
  emit changed(key);
}

void DataSets::load() {
  struct Answer {
    worker::ListedData data;
    std::vector<std::int64_t> begun;
  };
  const auto work = [services = services_](const std::stop_token& stop) {
    Answer answer{.data = services.list(stop), .begun = {}};
    for (const worker::ListedSet& set : answer.data.sets) answer.begun.push_back(set.location.empty() ? services.begun(set) : 0);
    return answer;
  };
  inBackground(lists_, this, work, [this](const Answer& answer, const QString& problem) {
    problem_ = problem;
    if (problem.isEmpty()) take(answer.data, answer.begun);
    emit reloaded();
  });
}

// What was found of a set stays while it lies where it did.
void DataSets::take(const worker::ListedData& data, const std::vector<std::int64_t>& begun) {
  std::vector<DataSet> now;
  for (std::size_t i = 0; i < data.sets.size(); ++i) {
    DataSet set{.listed = data.sets[i], .begun = begun[i]};
    if (const DataSet* before = find(set.key())) {
      const bool same = before->listed.location == set.listed.location;
      set.checking = before->checking, set.looking = before->looking;
      if (same) set.checked = before->checked, set.looked = before->looked, set.checkError = before->checkError, set.lookError = before->lookError;
    }
    set.downloading = set.listed.id == downloading_;
    now.push_back(std::move(set));
  }
  std::ranges::copy_if(sets_, std::back_inserter(now), &DataSet::chosen);
  const bool sameRows = std::ranges::equal(now, sets_, {}, &DataSet::key, &DataSet::key);
  if (!sameRows) beginResetModel();
  sets_ = std::move(now);
  loaded_ = true;
  if (!sameRows) endResetModel();
  else allChanged();
}

void DataSets::followDownload() {
  const std::string before = std::exchange(downloading_, catalogue_.downloading());
  for (const std::string& id : {before, downloading_})
    if (!id.empty()) change(qtext(id), [this, &id](DataSet& set) { set.downloading = id == downloading_, set.checked.reset(), set.checkError.clear(); });
  if (!before.empty()) load();
}

void DataSets::check(const QString& key, bool decode) {
  const DataSet* set = find(key);
  if (checking() || !set || !set->here() || set->listed.builtIn) return;
  checked_ = key;
  stopCheck_ = std::stop_source();
  change(key, [](DataSet& begun) { begun.checking = true, begun.checkError.clear(); });
  const auto work = [path = set->listed.location, id = set->listed.id, decode, ask = services_.check, person = stopCheck_.get_token()](const std::stop_token& end) {
    const EitherStop stop(person, end);
    return ask(path, id, decode, stop.token());
  };
  inBackground(checks_, this, work, [this, key, person = stopCheck_.get_token()](const worker::CheckedData& found, const QString& problem) {
    checked_.clear();
    change(key, [&](DataSet& set) {
      set.checking = false;
      if (person.stop_requested()) return;  // what an earlier check found stays
      set.checkError = problem;
      if (!problem.isEmpty()) return set.checked.reset();
      set.checked = found;
      if (!set.chosen) return;
      set.listed.id = found.id;
      for (const DataSet& known : sets_)
        if (!known.chosen && known.listed.id == found.id) set.listed.title = known.listed.title, set.listed.shape = known.listed.shape, set.listed.summary = known.listed.summary;
      for (const worker::CheckedSplit& split : found.splits) (split.name == "train" ? set.listed.trainCount : set.listed.testCount) = split.images;
      set.listed.classes = found.splits.empty() ? 0 : static_cast<std::int64_t>(found.splits.front().perClass.size());
      set.listed.bytes = 0;
      for (const worker::CheckedFile& file : found.files) set.listed.bytes += file.bytes;
    });
  });
}

void DataSets::look(const QString& key, const std::string& split, std::uint64_t seed) {
  const DataSet* set = find(key);
  if (!set || !set->here() || (set->chosen && set->listed.id.empty())) return;
  const Question question{.split = split, .seed = seed};
  if (looked_ == key ? question == question_ : set->looked && Question{.split = set->looked->split, .seed = set->looked->seed} == question) return;
  stopLook_.request_stop();
  stopLook_ = std::stop_source();
  if (const QString other = std::exchange(looked_, key); !other.isEmpty()) change(other, [](DataSet& older) { older.looking = false; });
  question_ = question;
  const worker::LookQuestion asked{.id = set->listed.id, .path = set->listed.builtIn ? "" : set->listed.location, .split = split, .seed = seed};
  change(key, [](DataSet& begun) { begun.looking = true, begun.lookError.clear(); });
  const auto work = [asked, ask = services_.look, newer = stopLook_.get_token()](const std::stop_token& end) {
    const EitherStop stop(newer, end);
    return stop.asked() ? std::shared_ptr<const worker::LookedData>() : std::make_shared<const worker::LookedData>(ask(asked, stop.token()));
  };
  inBackground(looking_, this, work, [this, key, number = ++looks_](const std::shared_ptr<const worker::LookedData>& found, const QString& problem) {
    if (number != looks_) return;  // a newer one is on its way
    looked_.clear();
    change(key, [&](DataSet& set) {
      set.looking = false, set.lookError = problem;
      if (found) set.looked = found;
    });
  });
}

QString DataSets::addFolder(const QString& path) {
  DataSet set{.listed = {.location = path.toStdString()}, .chosen = true};
  const QString key = set.key();
  if (!find(key)) {
    beginInsertRows({}, rows(), rows());
    sets_.push_back(std::move(set));
    endInsertRows();
  }
  check(key, false);
  return key;
}

void DataSets::removeFolder(const QString& key) {
  const auto found = std::ranges::find(sets_, key, &DataSet::key);
  if (found == sets_.end() || !found->chosen || found->checking) return;
  const int row = static_cast<int>(found - sets_.begin());
  beginRemoveRows({}, row, row);
  sets_.erase(found);
  endRemoveRows();
  emit reloaded();
}

QVariant DataSets::cell(int row, int column, int role) const {
  const DataSet& set = sets_[static_cast<std::size_t>(row)];
  const ItemColumn<DataSet>& table = kTable[column];
  switch (role) {
    case Qt::DisplayRole: return table.shown(set);
    case kKeyRole: return set.key();
    case kStandingRole: return static_cast<int>(set.standing());
    case kSearchRole: return QStringList{set.title(), qtext(set.listed.id), standingWord(set.standing()), said(set.listed.summary), qtext(set.listed.location)}.join(" ");
    case kSortRole: return table.sortKey(set);
    default: return {};
  }
}

Figure histogram(const DataSet& set) {
  if (!set.looked) return {};
  std::vector<ClassCounts> counts;
  for (const worker::CheckedSplit& split : set.looked->splits) counts.push_back({.split = split.name, .perClass = split.perClass, .samples = split.images});
  return classCounts(set.title().toStdString(), set.looked->classNames, counts);
}

QStringList findingsOf(const DataSet& set) {
  QStringList lines;
  if (!set.checkError.isEmpty()) return {set.checkError};
  if (!set.checked) return {};
  for (const worker::CheckedFile& file : set.checked->files) {
    const QString state = file.state == "published"    ? QObject::tr("SHA-256 as published")
                          : file.state == "repacked"   ? QObject::tr("content as published, packed anew")
                          : file.state == "different"  ? QObject::tr("differs from the published one")
                          : file.state == "unverified" ? QObject::tr("no checksum is known")
                                                       : QObject::tr("missing");
    lines << QString("%1: %2").arg(qtext(file.name), file.state == "missing" ? state : QString("%1, %2").arg(bytesText(static_cast<double>(file.bytes)), state));
  }
  for (const std::string& fact : set.checked->facts) lines << asSentence(qtext(fact));
  for (const worker::CheckedSplit& split : set.checked->splits) {
    QString line = said(countsInWords({.split = split.name, .perClass = split.perClass, .samples = split.images}));
    if (set.checked->decoded) line = split.broken == 0 ? QObject::tr("%1, all decode").arg(line) : QObject::tr("%1, %2 do not decode").arg(line).arg(split.broken);
    lines << line + ".";
  }
  for (const std::string& problem : set.checked->problems) lines << asSentence(qtext(problem));
  return lines;
}

QString sampleWords(const worker::LookedData& looked, const worker::LookedSample& sample) {
  if (!sample.numbers.empty()) return QObject::tr("Sample %1 to %2: target %3, input %4.").arg(QString::number(sample.index), said(looked.split), qtext(worker::targetOf(looked, sample)), qtext(sample.numbers));
  const QString what = QObject::tr("Sample %1 to %2: %3").arg(QString::number(sample.index), said(looked.split), qtext(worker::targetOf(looked, sample)));
  return sample.problem.empty() ? QString("%1, %2.").arg(what, shapeText(sample.stored)) : QString("%1. %2").arg(what, asSentence(qtext(sample.problem)));
}

}  // namespace paceline::data
