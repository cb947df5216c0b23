#include "app/ui/widgets/json_editor.h"

#include <QRegularExpression>
#include <QScrollBar>
#include <QSyntaxHighlighter>

#include "app/ui/widgets/theme.h"

namespace paceline::widgets {
namespace {

class JsonColours : public QSyntaxHighlighter {
 public:
  explicit JsonColours(QTextDocument* document) : QSyntaxHighlighter(document) {}

 protected:
  void highlightBlock(const QString& text) override {
    static const QRegularExpression kToken(R"re("(?:[^"\\]|\\.)*"(\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b)re");
    auto found = kToken.globalMatch(text);
    while (found.hasNext()) {
      const QRegularExpressionMatch match = found.next();
      const bool string = text[match.capturedStart()] == '"';
      const bool key = match.capturedLength(1) > 0;
      const Token token = key ? Token::kText : string ? Token::kOk : Token::kAccent;
      setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), Theme::instance().colour(token));
    }
  }
};

}  // namespace

JsonEditor::JsonEditor(QWidget* parent) : QPlainTextEdit(parent) {
  setProperty("role", "code");
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setTabChangesFocus(true);
  setAccessibleName("JSON of the experiment");
  auto* colours = new JsonColours(document());
  followTheme();
  connect(&Theme::instance(), &Theme::changed, this, [this, colours] {
    followTheme();
    colours->rehighlight();
  });
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    if (hasFocus()) emit typed(toPlainText());
  });
}

void JsonEditor::followTheme() { setFont(Theme::instance().font(TextRole::kMono)); }

void JsonEditor::showText(const QString& text) {
  if (toPlainText() == text) return;
  const int scroll = verticalScrollBar()->value();
  const QSignalBlocker blocker(this);
  setPlainText(text);
  verticalScrollBar()->setValue(scroll);
}

}  // namespace paceline::widgets
