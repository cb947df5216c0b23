#include "app/ui/settings_page.h"

#include <QFileDialog>
#include <QSettings>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline {
namespace {

constexpr double kScales[] = {0.9, 1.0, 1.15, 1.3};

QHBoxLayout* line(const QString& name, QWidget* editor) {
  auto* caption = widgets::label(name);
  caption->setFixedWidth(150);
  return widgets::across({caption, editor, widgets::room()});
}

class SettingsPage : public widgets::Page {
 public:
  SettingsPage(Shell& shell, const std::function<void(int mode)>& setMode, std::function<void(const QString& path)> openStore) : widgets::Page("Settings") {
    const char* words = "Paceline " PACELINE_VERSION ", a workbench for distributed training on machines of unequal speed. Licence: GPL-3.0-or-later. Qt " QT_VERSION_STR ", QCustomPlot.";
    QFrame* about = widgets::card({widgets::label("About", "section"), widgets::wrapped(widgets::label(words, "muted"))});
    QVBoxLayout* cards = widgets::down({look(setMode), store(qtext(shell.recorder.storePath()), std::move(openStore)), about, widgets::room()},
                                       {widgets::kPageMargin, widgets::kGroupGap, widgets::kPageMargin, widgets::kPageMargin}, widgets::kGroupGap);
    widgets::addAll(body(), {widgets::horizontalLine(), {cards, 1}});
  }

 private:
  QWidget* look(const std::function<void(int mode)>& setMode) {
    auto* mode = new widgets::Segments({"As the system", "Light", "Dark"});
    mode->setCurrent(static_cast<int>(widgets::Theme::instance().mode()));
    connect(mode, &widgets::Segments::chosen, this, setMode);
    connect(&widgets::Theme::instance(), &widgets::Theme::modeChanged, mode, [mode](int now) {
      const QSignalBlocker shown(mode);  // not chosen here
      mode->setCurrent(now);
    });
    auto* size = new widgets::Segments({"Small", "Normal", "Large", "Larger"});
    for (int i = 0; i < 4; ++i)
      if (kScales[i] == widgets::Theme::instance().scale()) size->setCurrent(i);
    connect(size, &widgets::Segments::chosen, this, [](int index) {
      widgets::Theme::instance().setScale(kScales[index]);
      QSettings().setValue("look/scale", kScales[index]);
    });
    return widgets::card({widgets::label("Look", "section"), line("Theme", mode), line("Text size", size)});
  }

  QWidget* store(const QString& path, std::function<void(const QString& path)> openStore) {
    const auto choose = [this, path, openStore = std::move(openStore)] {
      const QString other = QFileDialog::getSaveFileName(this, "Open or create a store", path, "Paceline stores (*.db)", nullptr, QFileDialog::DontConfirmOverwrite);
      if (!other.isEmpty()) openStore(other);
    };
    return widgets::card({widgets::label("Store", "section"), widgets::selectable(widgets::wrapped(widgets::label(path, "mono"))),
                          widgets::label("One SQLite file holds every run. The terminal's paceline reads and writes the same file.", "caption"),
                          widgets::across({widgets::copyButton("Copy path", [path] { return path; }), widgets::button("Open another store…", "imported", choose), widgets::room()})});
  }
};

}  // namespace

widgets::Page* settingsPage(Shell& shell, std::function<void(int mode)> setMode, std::function<void(const QString& path)> openStore) {
  return new SettingsPage(shell, setMode, std::move(openStore));
}

}  // namespace paceline
