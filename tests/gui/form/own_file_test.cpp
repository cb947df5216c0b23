// Files of one's own in the form: chosen with a button, and code is confirmed before a run may have it.
#include <fstream>

#include <QMessageBox>
#include <QTimer>
#include <QToolButton>

#include "app/cluster/worker/own_files.h"
#include "tests/gui/form/form_fixture.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

struct OwnFile : FormFixture {
  std::string path = (ownFolder() / "net.pt").string();

  void SetUp() override {
    std::ofstream(path) << "a network";
    draft.setJudge([](const RunSpec& spec, const Catalog& catalog) {
      ParsedSpec judged = validate(spec, catalog, {"local"});
      worker::pinFiles(judged, catalog);
      return judged;
    });
    Catalog catalog = smallCatalog();
    ModelEntry script;
    script.id = "script", script.title = "Your own model", script.summary = "A file.", script.params = {codeFileParam("path", "The file.")};
    catalog.models.push_back(script);
    show(std::move(catalog), R"({"paceline": 1, "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"}, "nodes": [{"id": "w0"}, {"id": "s0", "role": "server"}], "stop": {"rounds": 1}})");
    choose("modelList", "script");
  }
  QToolButton* confirm() { return the<QToolButton>("confirm:/model/params/path"); }
  // Presses the button of this role in the question that the click opens.
  void clickAnd(QMessageBox::ButtonRole role) {
    QTimer::singleShot(0, &form, [&, role] {
      auto* asked = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      ASSERT_NE(asked, nullptr);
      question = asked->text();
      for (QAbstractButton* button : asked->buttons())
        if (asked->buttonRole(button) == role) return button->click();
      asked->reject();
    });
    QTest::mouseClick(confirm(), Qt::LeftButton);
  }
  QString question;
};

TEST_F(OwnFile, WithCodeIsConfirmedOnce) {
  EXPECT_FALSE(confirm()->isVisible());
  EXPECT_NE(the<QToolButton>("press:/model/params/path"), nullptr);
  type("model/params/path", path.c_str());
  EXPECT_TRUE(note("model/params/path").contains("nobody has confirmed it yet")) << note("model/params/path").toStdString();
  EXPECT_TRUE(draft.runnable().empty());
  ASSERT_TRUE(waitFor([this] { return confirm()->isVisible(); }));
  clickAnd(QMessageBox::RejectRole);
  EXPECT_TRUE(question.contains(QString::fromStdString(worker::contentOf(path)))) << question.toStdString();
  EXPECT_TRUE(confirm()->isVisible());
  EXPECT_FALSE(worker::isTrusted(worker::contentOf(path)));
  clickAnd(QMessageBox::DestructiveRole);
  EXPECT_TRUE(worker::isTrusted(worker::contentOf(path)));
  EXPECT_FALSE(confirm()->isVisible());
  EXPECT_FALSE(note("model/params/path").contains("nobody"));
  EXPECT_TRUE(waitFor([this] { return note("model/params/path").contains("is no TorchScript file"); })) << note("model/params/path").toStdString();  // it was tried
  ASSERT_FALSE(draft.runnable().empty());
  EXPECT_EQ(draft.runnable().front().model.params.text("path"), path + "#sha256=" + worker::contentOf(path));  // the run is told from one with another content
}

TEST_F(OwnFile, IsShownWithoutThePinOfItsContent) {
  const std::string pinned = path + "#sha256=" + worker::contentOf(path);
  draft.edit([&](RunSpec& spec) { spec.model.params.set("path", pinned); });
  EXPECT_EQ(the<QLineEdit>("model/params/path")->text(), QString::fromStdString(path));
  EXPECT_EQ(draft.spec().model.params.text("path"), pinned);
}

TEST_F(OwnFile, ThatIsNotThereHasNothingToConfirm) {
  type("model/params/path", "/nowhere/net.pt");
  EXPECT_FALSE(confirm()->isVisible());
  EXPECT_TRUE(note("model/params/path").contains("cannot read /nowhere/net.pt")) << note("model/params/path").toStdString();
}

}  // namespace
}  // namespace paceline::tests
