// Labels: by role, of problems, of words that are too long for their place. GUI thread; Qt's parents own them.
#pragma once

#include <QLabel>

namespace paceline::widgets {

QLabel* label(const QString& text, const char* role = "", QWidget* parent = nullptr);
QLabel* problemLine();                              // below a form: empty until it is told a problem
void tell(QLabel* line, const QString& words);      // as a sentence; hidden while there are none
QLabel* wrapped(QLabel* label);     // on as many lines as it needs
QLabel* selectable(QLabel* label);  // by the mouse

// Words of which long ones (paths, fingerprints) break anywhere. They are selected by the mouse, a long one whole by a double click, and copied without the breaks:
// what is selected or, from the context menu, all.
class BreakingLabel : public QLabel {
  Q_OBJECT
 public:
  explicit BreakingLabel(const char* role = "");
  void setFullText(const QString& text);
  const QString& fullText() const { return full_; }
  void copy() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  QString selectedWords() const;
  void selectLongWord();
  QString full_;
};

// One line that is cut at its end when there is no room; its tool tip has all of it.
class ElidedLabel : public QLabel {
 public:
  explicit ElidedLabel(const char* role = "", const QString& text = {});
  void setFullText(const QString& text);
  QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void elide();
  QString full_;
};

}  // namespace paceline::widgets
