// Messages' numbers as structs: there and back, and the refusal of everything else.
#include "engine/comm/transport/fields.h"

#include <gmock/gmock.h>

#include <limits>

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum class Colour : std::uint8_t { kRed, kBlue };

struct Mixed {
  double rate = 0;
  std::int64_t place = 0, count = 0;
  Colour colour = Colour::kRed;
  bool last = false;
  std::vector<std::int64_t> others = {};
  template <class S, class V> static void fields(S& s, V& v) {
    v.real(s.rate), v.whole(s.place), v.count(s.count), v.choice(s.colour, Colour::kBlue), v.choice(s.last, true), v.rest(s.others);
  }
};
struct Empty {
  template <class S, class V> static void fields(S&, V&) {}
};
using Step = std::variant<Empty, Mixed>;

Message from(std::vector<double> numbers) { return {.kind = MessageKind::kCheckpoint, .from = 3, .scalars = std::move(numbers)}; }

struct Narrow {
  int set = 0;
  std::vector<std::int64_t> rest = {};
  template <class S, class V> static void fields(S& s, V& v) { v.whole(s.set), v.rest(s.rest); }
};

TEST(Fields, RefusesNumbersThatTheirTypeCannotHold) {
  EXPECT_EQ(fieldsOf<Narrow>(from({-2147483648.0, -3})).set, std::numeric_limits<int>::min());
  EXPECT_THROW(fieldsOf<Narrow>(from({2147483648.0})), Error);
  EXPECT_THROW(fieldsOf<Narrow>(from({0, 1e300})), Error);
  EXPECT_THROW(fieldsOf<Narrow>(from({0, 1.5})), Error);
  EXPECT_THROW(fieldsOf<Step>(from({-1})), Error);
}

TEST(Fields, ComeBackAsTheyWere) {
  const Mixed sent{.rate = 0.1, .place = -7, .count = 12, .colour = Colour::kBlue, .last = true, .others = {4, 5}};
  const Message message = messageOf(MessageKind::kCheckpoint, sent);
  EXPECT_THAT(message.scalars, ElementsAre(0.1, -7, 12, 1, 1, 4, 5));
  const auto got = fieldsOf<Mixed>(message);
  EXPECT_THAT(encodeFields(got), ElementsAre(0.1, -7, 12, 1, 1, 4, 5));
  EXPECT_EQ(got.colour, Colour::kBlue);
  EXPECT_TRUE(got.last);
}

TEST(Fields, OfAStepBeginWithItsNumber) {
  EXPECT_THAT(encodeFields(Step(Empty{})), ElementsAre(0));
  const Step step = fieldsOf<Step>(from({1, 0.5, 2, 3, 0, 0}));
  ASSERT_TRUE(std::holds_alternative<Mixed>(step));
  EXPECT_EQ(std::get<Mixed>(step).count, 3);
}

TEST(Fields, RefuseWhatDoesNotFitAndNameTheSender) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& bad : {std::vector<double>{}, {2}, {-1}, {0.5}, {nan}, {0, 1}, {1}, {1, 0.5, 2, 3, 0}, {1, nan, 2, 3, 0, 0},
                                         {1, infinity, 2, 3, 0, 0}, {1, 0.5, 2.5, 3, 0, 0}, {1, 0.5, 1e15, 3, 0, 0}, {1, 0.5, 2, -3, 0, 0},
                                         {1, 0.5, 2, 3, 2, 0}, {1, 0.5, 2, 3, 0, 2}, {1, 0.5, 2, 3, 0, 0, nan}}) {
    try {
      (void)fieldsOf<Step>(from(bad));
      ADD_FAILURE() << ::testing::PrintToString(bad);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kFormat);
      EXPECT_THAT(error.what(), HasSubstr(strCat("node 3 sent a malformed checkpoint of ", bad.size(), " numbers")));
    }
  }
}

}  // namespace
}  // namespace paceline::tests
