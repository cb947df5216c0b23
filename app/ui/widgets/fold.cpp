#include "app/ui/widgets/fold.h"

#include "app/ui/widgets/controls.h"

namespace paceline::widgets {

Fold::Fold() : button_(widgets::button(tr("More"), "", {}, {.kind = "quiet"})), column_(down({})), inside_(boxed(column_)) {
  button_->setProperty("fold", true);
  button_->setCheckable(true);
  const auto follow = [this] {
    const Theme& theme = Theme::instance();
    button_->setIcon(QIcon(QString(":/paceline/ui/%1-%2.svg").arg(isOpen() ? "chevron" : "closed", theme.dark() ? "dark" : "light")));
    inside_->setVisible(isOpen());
  };
  connect(button_, &QPushButton::toggled, this, follow);
  connect(&Theme::instance(), &Theme::changed, this, follow);
  setLayout(down({{button_, 0, Qt::AlignLeft}, inside_}));
  follow();
}

void Fold::setWords(const QString& behind) { button_->setText(behind.isEmpty() ? tr("More") : tr("More: %1").arg(behind)); }

void unfold(QWidget* widget) {
  for (QWidget* up = widget; up; up = up->parentWidget())
    if (auto* fold = dynamic_cast<Fold*>(up)) fold->setOpen(true);
}

}  // namespace paceline::widgets
