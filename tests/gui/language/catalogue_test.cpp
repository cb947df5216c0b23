// What the worker program, the document's fields and the figures' registry say has a translation.
#include <gtest/gtest.h>

#include "app/cluster/worker/worker_answer.h"
#include "app/models/catalogue_texts.h"
#include "app/models/words.h"
#include "app/ui/experiment/experiment_page.h"
#include "engine/core/spec/schema.h"
#include "tests/gui/gui_support.h"
#include "tests/gui/language/chinese.h"
#include "tests/gui/language/translation_file.h"

namespace paceline::tests {
namespace {

TEST(CatalogueTexts, AreTranslated) {
  const InChinese chinese;
  const std::vector<std::string> texts = catalogueTexts(worker::describeLocal());
  ASSERT_GT(texts.size(), 300u);
  const Texts told = textsIn(PACELINE_SOURCE_DIR "/resources/translations/paceline_zh_CN.ts");  // a name such as "ResNet-50" is its own translation
  for (const std::string& text : texts) EXPECT_TRUE(told.contains({qtext(text), ""}) && told.at({qtext(text), ""}).finished) << "resources/translations/update, then translate: " << text;
}

TEST(CatalogueTexts, TemplatesHaveChineseTitles) {
  const InChinese chinese;
  for (const experiment::Template& each : experiment::templates()) EXPECT_EQ(englishIn(each.title), QStringList()) << each.title.toStdString();
}

TEST(CatalogueTexts, AFieldsHelpIsChineseWithItsLimits) {
  const InChinese chinese;
  for (const FieldInfo& field : runSpecFields()) EXPECT_EQ(englishIn(helpAt(field.pointer)), QStringList()) << field.pointer << ": " << helpAt(field.pointer).toStdString();
  EXPECT_TRUE(helpAt("/batch_size").endsWith("至少 1，默认 64。")) << helpAt("/batch_size").toStdString();
}

}  // namespace
}  // namespace paceline::tests
