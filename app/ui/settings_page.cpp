#include "app/ui/settings_page.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QSettings>
#include <utility>

#include "app/ui/desktop_notices.h"
#include "app/ui/storage_card.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/file_dialog.h"

namespace paceline {
namespace {

QHBoxLayout* line(const QString& name, QWidget* editor) {
  auto* caption = widgets::label(name);
  caption->setMinimumWidth(150);
  return widgets::across({caption, editor, widgets::room()});
}

}  // namespace

SettingsPage::SettingsPage(RecorderLink& recorder, const std::function<void(int mode)>& setMode, std::function<void(const QString& path)> openStore) : widgets::Page("Settings"), storage_(recorder) {
  const char* words = "Paceline " PACELINE_VERSION ", a workbench for distributed training on machines of unequal speed. Licence: GPL-3.0-or-later. Qt " QT_VERSION_STR ", QCustomPlot.";
  QFrame* about = widgets::card({widgets::label("About", "section"), widgets::wrapped(widgets::label(words, "muted"))});
  QVBoxLayout* cards = widgets::down({look(setMode), store(QString::fromStdString(recorder.storePath()), std::move(openStore)), new StorageCard(storage_), about, widgets::room()},
                                     {widgets::kPageMargin, widgets::kGroupGap, widgets::kPageMargin, widgets::kPageMargin}, widgets::kGroupGap);
  auto* scroll = new widgets::ColumnScroll;
  scroll->setWidget(widgets::boxed(cards));
  widgets::addAll(body_, {widgets::horizontalLine(), {scroll, 1}});
  connect(&storage_, &StorageModel::freed, this, &widgets::Page::told);
  connect(&storage_, &StorageModel::failed, this, &widgets::Page::failed);
}

QWidget* SettingsPage::look(const std::function<void(int mode)>& setMode) {
  auto* mode = new widgets::Segments({"As the system", "Light", "Dark"});
  mode->setCurrent(static_cast<int>(widgets::Theme::instance().mode()));
  connect(mode, &widgets::Segments::chosen, this, setMode);
  connect(&widgets::Theme::instance(), &widgets::Theme::modeChanged, mode, [mode](int now) {
    const QSignalBlocker shown(mode);  // not chosen here
    mode->setCurrent(now);
  });
  auto* size = new widgets::Segments({"Small", "Normal", "Large", "Larger"});
  for (int i = 0; i < 4; ++i)
    if (widgets::kTextSizes[i] == widgets::Theme::instance().scale()) size->setCurrent(i);
  connect(size, &widgets::Segments::chosen, this, [](int index) {
    widgets::Theme::instance().setScale(widgets::kTextSizes[index]);
    QSettings().setValue("look/scale", widgets::kTextSizes[index]);
  });
  auto* notices = new QCheckBox("When a run fails or reaches its target while another window is in front");
  notices->setObjectName("desktopNotices");
  notices->setChecked(noticesWanted());
  connect(notices, &QCheckBox::toggled, this, setNoticesWanted);
  return widgets::card({widgets::label("Look", "section"), line("Theme", mode), line("Text size", size), line("Desktop notices", notices)});
}

QWidget* SettingsPage::store(const QString& path, std::function<void(const QString& path)> openStore) {
  const auto choose = [this, path, openStore = std::move(openStore)] {
    const QString other = widgets::askCreatePath(this, {.title = "Open or create a store", .at = QFileInfo(path).absolutePath(), .filters = "Paceline stores (*.db)", .accept = "Open or create"});
    if (!other.isEmpty()) openStore(other);
  };
  auto* place = new widgets::BreakingLabel("mono");
  place->setFullText(path);
  return widgets::card({widgets::label("Store", "section"), place, widgets::label("One SQLite file holds every run. The terminal's paceline reads and writes the same file.", "caption"),
                        widgets::across({widgets::copyButton("Copy path", [path] { return path; }), widgets::button("Open another store…", "imported", choose, {.name = "openStore", .help = "This window starts again with it"}), widgets::room()})});
}

}  // namespace paceline
