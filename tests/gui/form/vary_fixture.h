// A form with the strip of its suite: what varies is typed where the values stand.
#pragma once

#include <QToolButton>

#include "app/ui/experiment/vary_controls.h"
#include "engine/core/base/error.h"
#include "tests/gui/form/form_fixture.h"

namespace paceline::tests {

inline constexpr const char* kVaried = R"({"paceline": 1, "name": "quick", "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"},
  "batch_size": 32, "nodes": [{"id": "s0", "role": "server"}, {"id": "w0", "emulate": {"step_s": 0.1}}, {"id": "w1", "emulate": {"step_s": 0.2}}], "stop": {"rounds": 50}})";

struct VaryFixture : FormFixture {
  runs::RunsModel stored{""};
  predict::Prediction told;  // of every run; without samples/s: none can be predicted
  experiment::RunPrediction prediction{draft, [] { return std::vector<predict::HostSpeed>(); }, [this](const RunSpec&, const auto&, const std::stop_token&) {
    if (told.samplesPerSecond == 0) throw Error(Errc::kUnsupported, "Nobody knows how long a step takes");
    return told;
  }};
  experiment::SuiteStrip strip{draft, stored, prediction};

  void SetUp() override { show(smallCatalog(), kVaried); }
  void press(const char* pointer) { QTest::mouseClick(the<QToolButton>(("vary:" + std::string(pointer)).c_str()), Qt::LeftButton), QCoreApplication::processEvents(); }
  void write(QLineEdit* field, const char* words) {
    ASSERT_NE(field, nullptr);
    field->selectAll();
    QTest::keyClicks(field, words);
    draft.validateNow();
  }
  void keep(const char* words) { write(qobject_cast<QLineEdit*>(QApplication::focusWidget()), words); }  // into what has the keyboard
  QString sentence() { return strip.findChild<QLabel*>("suiteSentence")->text(); }
};

}  // namespace paceline::tests
