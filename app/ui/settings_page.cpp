#include "app/ui/settings_page.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QSettings>

#include "app/ui/widgets/controls.h"

namespace paceline {
namespace {

constexpr double kScales[] = {0.9, 1.0, 1.15, 1.3};

QHBoxLayout* line(const QString& name, QWidget* editor) {
  auto* row = new QHBoxLayout;
  auto* caption = widgets::label(name);
  caption->setFixedWidth(150);
  row->addWidget(caption);
  row->addWidget(editor);
  row->addStretch(1);
  return row;
}

}  // namespace

SettingsPage::SettingsPage(Shell& shell, QWidget* parent) : widgets::Page("Settings", parent), shell_(shell) {
  body()->addWidget(widgets::horizontalLine());
  auto* column = new QVBoxLayout;
  column->setContentsMargins(widgets::kPageMargin, widgets::kGroupGap, widgets::kPageMargin, widgets::kPageMargin);
  column->setSpacing(widgets::kGroupGap);
  column->addWidget(look());
  column->addWidget(store());
  QFrame* about = widgets::card();
  about->layout()->addWidget(widgets::label("About", "section"));
  auto* words = widgets::label("Paceline " PACELINE_VERSION ", a workbench for distributed training on machines of unequal speed. Licence: GPL-3.0-or-later. "
                      "Qt " QT_VERSION_STR ", QCustomPlot.", "muted");
  words->setWordWrap(true);
  about->layout()->addWidget(words);
  column->addWidget(about);
  column->addStretch(1);
  body()->addLayout(column, 1);
}

QWidget* SettingsPage::look() {
  QFrame* frame = widgets::card();
  auto* column = qobject_cast<QVBoxLayout*>(frame->layout());
  column->addWidget(widgets::label("Look", "section"));
  mode_ = new widgets::Segments({"As the system", "Light", "Dark"});
  mode_->setCurrent(static_cast<int>(widgets::Theme::instance().mode()));
  connect(mode_, &widgets::Segments::chosen, this, &SettingsPage::modeChosen);
  column->addLayout(line("Theme", mode_));
  auto* size = new widgets::Segments({"Small", "Normal", "Large", "Larger"});
  for (int i = 0; i < 4; ++i)
    if (kScales[i] == widgets::Theme::instance().scale()) size->setCurrent(i);
  connect(size, &widgets::Segments::chosen, this, [](int index) {
    widgets::Theme::instance().setScale(kScales[index]);
    QSettings().setValue("look/scale", kScales[index]);
  });
  column->addLayout(line("Text size", size));
  return frame;
}

QWidget* SettingsPage::store() {
  QFrame* frame = widgets::card();
  auto* column = qobject_cast<QVBoxLayout*>(frame->layout());
  column->addWidget(widgets::label("Store", "section"));
  auto* path = widgets::label(QString::fromStdString(shell_.workspace.storePath()), "mono");
  path->setTextInteractionFlags(Qt::TextSelectableByMouse);
  path->setWordWrap(true);
  column->addWidget(path);
  auto* note = widgets::label("One SQLite file holds every run. The terminal's paceline reads and writes the same file.", "caption");
  column->addWidget(note);
  auto* row = new QHBoxLayout;
  QPushButton* copy = widgets::button("Copy path", "copy");
  QPushButton* other = widgets::button("Open another store…", "imported");
  row->addWidget(copy);
  row->addWidget(other);
  row->addStretch(1);
  column->addLayout(row);
  connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(QString::fromStdString(shell_.workspace.storePath())); });
  connect(other, &QPushButton::clicked, this, &SettingsPage::chooseStore);
  return frame;
}

void SettingsPage::chooseStore() {
  const QString path = QFileDialog::getSaveFileName(this, "Open or create a store", QString::fromStdString(shell_.workspace.storePath()),
                                                    "Paceline stores (*.db)", nullptr, QFileDialog::DontConfirmOverwrite);
  if (!path.isEmpty()) emit otherStoreAsked(path);
}

void SettingsPage::showMode(int mode) { mode_->setCurrent(mode); }

}  // namespace paceline
