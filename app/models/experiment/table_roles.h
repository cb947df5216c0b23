// What the cells of the form's tables say beside their text. Values of Qt's user roles.
#pragma once

#include <QtCore/qnamespace.h>

namespace paceline::experiment {

enum TableRole {
  kFindingRole = Qt::UserRole,  // QString: what is wrong with the cell; empty: nothing
  kChoicesRole                  // QStringList: what may be chosen; empty: any text
};

}  // namespace paceline::experiment
