#include "app/ui/widgets/theme.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

TEST(Theme, ContrastIsThatOfWcag) {
  EXPECT_NEAR(contrastRatio(Qt::black, Qt::white), 21.0, 1e-9);
  EXPECT_NEAR(contrastRatio(QColor("#777777"), Qt::white), 4.478, 1e-3);
  EXPECT_DOUBLE_EQ(contrastRatio(Qt::red, Qt::red), 1.0);
}

TEST(Theme, TextIsReadableOnEverySurfaceInLightAndDark) {
  for (const bool dark : {false, true})
    for (const Token ground : {Token::kSurface, Token::kSurfaceRaised, Token::kSurfaceSunken})
      for (const Token ink :
           {Token::kText, Token::kTextMuted, Token::kAccent, Token::kOk, Token::kWarn, Token::kBad, Token::kStale})
        EXPECT_GE(contrastRatio(Theme::value(ink, dark), Theme::value(ground, dark)), 4.5)
            << Theme::tokenName(ink) << " on " << Theme::tokenName(ground) << (dark ? ", dark" : ", light");
}

TEST(Theme, TextIsReadableOnAccentAndOnTheSelection) {
  for (const bool dark : {false, true}) {
    EXPECT_GE(contrastRatio(Theme::value(Token::kAccentText, dark), Theme::value(Token::kAccent, dark)), 4.5);
    for (const Token ink : {Token::kText, Token::kAccent, Token::kOk, Token::kBad})
      EXPECT_GE(contrastRatio(Theme::value(ink, dark), Theme::value(Token::kAccentSoft, dark)), 4.5)
          << Theme::tokenName(ink) << dark;
  }
}

}  // namespace
}  // namespace paceline
