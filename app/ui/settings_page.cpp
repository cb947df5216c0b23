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

QFrame* titled(const QString& title, widgets::Cells cells) {
  QFrame* frame = widgets::card();
  auto* column = qobject_cast<QVBoxLayout*>(frame->layout());
  column->addWidget(widgets::label(title, "section"));
  widgets::addAll(column, cells);
  return frame;
}

}  // namespace

SettingsPage::SettingsPage(Shell& shell, QWidget* parent) : widgets::Page("Settings", parent), shell_(shell) {
  QFrame* about = titled("About", {widgets::wrapped(widgets::label("Paceline " PACELINE_VERSION ", a workbench for distributed training on machines of unequal speed. Licence: GPL-3.0-or-later. "
                                                 "Qt " QT_VERSION_STR ", QCustomPlot.", "muted"))});
  widgets::addAll(body(), {widgets::horizontalLine(), {widgets::down({look(), store(), about, widgets::room()}, {widgets::kPageMargin, widgets::kGroupGap, widgets::kPageMargin, widgets::kPageMargin}, widgets::kGroupGap), 1}});
}

QWidget* SettingsPage::look() {
  mode_ = new widgets::Segments({"As the system", "Light", "Dark"});
  mode_->setCurrent(static_cast<int>(widgets::Theme::instance().mode()));
  connect(mode_, &widgets::Segments::chosen, this, &SettingsPage::modeChosen);
  auto* size = new widgets::Segments({"Small", "Normal", "Large", "Larger"});
  for (int i = 0; i < 4; ++i)
    if (kScales[i] == widgets::Theme::instance().scale()) size->setCurrent(i);
  connect(size, &widgets::Segments::chosen, this, [](int index) {
    widgets::Theme::instance().setScale(kScales[index]);
    QSettings().setValue("look/scale", kScales[index]);
  });
  return titled("Look", {line("Theme", mode_), line("Text size", size)});
}

QWidget* SettingsPage::store() {
  const QString path = qtext(shell_.recorder.storePath());
  return titled("Store", {widgets::selectable(widgets::wrapped(widgets::label(path, "mono"))),
                          widgets::label("One SQLite file holds every run. The terminal's paceline reads and writes the same file.", "caption"),
                          widgets::across({widgets::copyButton("Copy path", [path] { return path; }), widgets::button("Open another store…", "imported", [this] { chooseStore(); }), widgets::room()})});
}

void SettingsPage::chooseStore() {
  const QString path = QFileDialog::getSaveFileName(this, "Open or create a store", qtext(shell_.recorder.storePath()),
                                                    "Paceline stores (*.db)", nullptr, QFileDialog::DontConfirmOverwrite);
  if (!path.isEmpty()) emit otherStoreAsked(path);
}

void SettingsPage::showMode(int mode) { mode_->setCurrent(mode); }

}  // namespace paceline
