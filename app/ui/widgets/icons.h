// The outline icons of resources/icons, painted in a token's colour of the moment: a theme switch needs no new icons. GUI thread.
#pragma once

#include <QIcon>
#include <QPixmap>

#include "app/ui/widgets/theme.h"

namespace paceline::widgets {

QIcon icon(const char* name, Token token = Token::kText);
QPixmap iconPixmap(const char* name, const QColor& colour, int size, double ratio);
QIcon programIcon();

}  // namespace paceline::widgets
