#include "app/ui/settings/settings_page.h"

#include <QFileInfo>
#include <QSettings>
#include <utility>

#include "app/models/language.h"
#include "app/ui/settings/backup_card.h"
#include "app/ui/settings/notices_card.h"
#include "app/ui/settings/storage_card.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/file_dialog.h"

namespace paceline {
namespace {

QHBoxLayout* line(const QString& name, QWidget* editor) {
  auto* caption = widgets::label(name);
  caption->setMinimumWidth(widgets::scaled(132));  // as of a Field
  return widgets::across({caption, editor, widgets::room()});
}

}  // namespace

SettingsPage::SettingsPage(RecorderLink& recorder, const std::function<void(int mode)>& setMode, std::function<void(const QString& path)> openStore, std::function<void()> startAgain) : widgets::Page(tr("Settings")), storage_(recorder), notices_(recorder.storePath()), backup_(recorder.storePath()) {
  const QString words = tr("Paceline %1, a workbench for distributed training on machines of unequal speed. Licence: GPL-3.0-or-later. Qt %2, QCustomPlot.").arg(PACELINE_VERSION, QT_VERSION_STR);
  QFrame* about = widgets::card({widgets::label(tr("About"), "section"), widgets::wrapped(widgets::label(words, "muted"))});
  QVBoxLayout* cards = widgets::down({look(setMode, std::move(startAgain)), new NoticesCard(notices_), store(QString::fromStdString(recorder.storePath()), std::move(openStore)), new BackupCard(backup_), new StorageCard(storage_), about, widgets::room()},
                                     {widgets::kPageMargin, widgets::kGroupGap, widgets::kPageMargin, widgets::kPageMargin}, widgets::kGroupGap);
  auto* scroll = new widgets::ColumnScroll;
  scroll->setAccessibleName(tr("Settings"));
  scroll->setWidget(widgets::boxed(cards));
  widgets::addAll(body_, {widgets::horizontalLine(), {scroll, 1}});
  connect(&storage_, &StorageModel::freed, this, &widgets::Page::told);
  connect(&storage_, &StorageModel::failed, this, &widgets::Page::failed);
  connect(&notices_, &NoticesModel::failed, this, &widgets::Page::failed);
  connect(&backup_, &BackupModel::failed, this, &widgets::Page::failed);
}

// Remembered at once, used from the next start: texts that are shown were made in the present one.
QWidget* SettingsPage::languages(std::function<void()> startAgain) {
  QStringList names{tr("As the system")};
  for (const language::Language& each : language::all()) names << QString::fromUtf8(each.name);
  auto* chosen = new widgets::Segments(names);
  chosen->setObjectName("language");
  QPushButton* again = widgets::button(tr("Start again"), "refresh", std::move(startAgain), {.name = "startAgain", .help = tr("The window closes and opens in the other language; runs go on")});
  QLabel* later = widgets::label(tr("Used from the next start"), "caption");
  const auto codeAt = [](int index) { return index == 0 ? QString() : QString(language::all()[static_cast<std::size_t>(index) - 1].code); };
  const auto follow = [again, later](const QString& code) {
    const bool other = (code.isEmpty() ? language::ofSystem() : code) != language::current();
    again->setVisible(other), later->setVisible(other);
  };
  const QString kept = QSettings().value("look/language").toString();
  for (int i = 0; i < names.size(); ++i)
    if (codeAt(i) == kept) chosen->setCurrent(i);
  connect(chosen, &widgets::Segments::chosen, this, [codeAt, follow](int index) {
    QSettings().setValue("look/language", codeAt(index));
    follow(codeAt(index));
  });
  QWidget* row = widgets::boxed(widgets::across({chosen, again, later}));
  follow(kept);
  return row;
}

QWidget* SettingsPage::look(const std::function<void(int mode)>& setMode, std::function<void()> startAgain) {
  auto* mode = new widgets::Segments({tr("As the system"), tr("Light"), tr("Dark")});
  mode->setCurrent(static_cast<int>(widgets::Theme::instance().mode()));
  connect(mode, &widgets::Segments::chosen, this, setMode);
  connect(&widgets::Theme::instance(), &widgets::Theme::modeChanged, mode, [mode](int now) {
    const QSignalBlocker shown(mode);  // not chosen here
    mode->setCurrent(now);
  });
  auto* size = new widgets::Segments({tr("Small"), tr("Normal"), tr("Large"), tr("Larger")});
  for (int i = 0; i < 4; ++i)
    if (widgets::kTextSizes[i] == widgets::Theme::instance().scale()) size->setCurrent(i);
  connect(size, &widgets::Segments::chosen, this, [](int index) {
    widgets::Theme::instance().setScale(widgets::kTextSizes[index]);
    QSettings().setValue("look/scale", widgets::kTextSizes[index]);
  });
  return widgets::card({widgets::label(tr("Look"), "section"), line(tr("Theme"), mode), line(tr("Text size"), size), line(tr("Language"), languages(std::move(startAgain)))});
}

QWidget* SettingsPage::store(const QString& path, std::function<void(const QString& path)> openStore) {
  const auto choose = [this, path, openStore = std::move(openStore)] {
    const QString other = widgets::askCreatePath(this, {.title = tr("Open or create a store"), .at = QFileInfo(path).absolutePath(), .filters = tr("Paceline stores (*.db)"), .accept = tr("Open or create")});
    if (!other.isEmpty()) openStore(other);
  };
  auto* place = new widgets::BreakingLabel("mono");
  place->setFullText(path);
  return widgets::card({widgets::label(tr("Store"), "section"), place, widgets::label(tr("One SQLite file holds every run. The terminal's paceline reads and writes the same file."), "caption"),
                        widgets::across({widgets::copyButton(tr("Copy path"), [path] { return path; }), widgets::button(tr("Open another store…"), "imported", choose, {.name = "openStore", .help = tr("This window starts again with it")}), widgets::room()})});
}

}  // namespace paceline
