// A list of choices that is found by typing: the entry of just that name or id, else the first that begins so, else the first that has it. Typing into a
// closed list opens it; nothing is chosen before Return or a click. GUI thread.
#pragma once

#include <QComboBox>

namespace paceline::widgets {

inline constexpr const char* kTitleAndId = " · ";  // between the two in an entry that shows both

class ChoiceList : public QComboBox {
 public:
  explicit ChoiceList(QWidget* parent = nullptr);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
};

// The entry that is called so, in any case: by its text, its value, or a part of "title · id"; -1: none.
int entryCalled(const QComboBox& list, const QString& name);

}  // namespace paceline::widgets
