#include "app/ui/widgets/theme.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

TEST(Theme, ContrastIsThatOfWcag) {
  EXPECT_NEAR(widgets::contrastRatio(Qt::black, Qt::white), 21.0, 1e-9);
  EXPECT_NEAR(widgets::contrastRatio(QColor("#777777"), Qt::white), 4.478, 1e-3);
  EXPECT_DOUBLE_EQ(widgets::contrastRatio(Qt::red, Qt::red), 1.0);
}

TEST(Theme, TextIsReadableOnEverySurfaceInLightAndDark) {
  for (const bool dark : {false, true})
    for (const widgets::Token ground : {widgets::Token::kSurface, widgets::Token::kSurfaceRaised, widgets::Token::kSurfaceSunken})
      for (const widgets::Token ink :
           {widgets::Token::kText, widgets::Token::kTextMuted, widgets::Token::kAccent, widgets::Token::kOk, widgets::Token::kWarn, widgets::Token::kBad, widgets::Token::kStale})
        EXPECT_GE(widgets::contrastRatio(widgets::Theme::value(ink, dark), widgets::Theme::value(ground, dark)), 4.5)
            << widgets::Theme::tokenName(ink) << " on " << widgets::Theme::tokenName(ground) << (dark ? ", dark" : ", light");
}

TEST(Theme, TextIsReadableOnAccentAndOnTheSelection) {
  for (const bool dark : {false, true}) {
    EXPECT_GE(widgets::contrastRatio(widgets::Theme::value(widgets::Token::kAccentText, dark), widgets::Theme::value(widgets::Token::kAccent, dark)), 4.5);
    for (const widgets::Token ink : {widgets::Token::kText, widgets::Token::kAccent, widgets::Token::kOk, widgets::Token::kBad})
      EXPECT_GE(widgets::contrastRatio(widgets::Theme::value(ink, dark), widgets::Theme::value(widgets::Token::kAccentSoft, dark)), 4.5)
          << widgets::Theme::tokenName(ink) << dark;
  }
}

}  // namespace
}  // namespace paceline::tests
