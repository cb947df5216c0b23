#include "app/models/runs/run_views.h"

#include <algorithm>

#include <QSettings>

namespace paceline::runs {
namespace {

constexpr const char* kKey = "runs/views";

void write(std::vector<RunView> views) {
  std::ranges::sort(views, {}, &RunView::name);
  QVariantList list;
  for (const RunView& view : views) {
    QVariantList hidden;
    for (const int column : view.hidden) hidden << column;
    list << QVariantMap{{"name", view.name}, {"words", view.words}, {"states", view.states}, {"column", view.column}, {"descending", view.descending}, {"hidden", hidden}};
  }
  QSettings().setValue(kKey, list);
}

std::vector<RunView> without(const QString& name) {
  std::vector<RunView> views = savedViews();
  std::erase_if(views, [&name](const RunView& view) { return view.name == name; });
  return views;
}

}  // namespace

std::vector<RunView> savedViews() {
  std::vector<RunView> views;
  for (const QVariant& each : QSettings().value(kKey).toList()) {
    const QVariantMap map = each.toMap();
    RunView view{.name = map["name"].toString(), .words = map["words"].toString(), .states = map["states"].toInt(), .column = map["column"].toInt(),
                 .descending = map["descending"].toBool(), .hidden = {}};
    for (const QVariant& column : map["hidden"].toList()) view.hidden << column.toInt();
    if (!view.name.isEmpty()) views.push_back(std::move(view));
  }
  return views;
}

void saveView(const RunView& view) {
  std::vector<RunView> views = without(view.name);
  views.push_back(view);
  write(std::move(views));
}

void deleteView(const QString& name) { write(without(name)); }

}  // namespace paceline::runs
