// The numbers of a message as a struct. A struct names its fields once, in the order of the wire:
//   struct StopOrder { std::int64_t lastRound; StopReason reason;
//                        template <class S, class V> static void fields(S& s, V& v) { v.count(s.lastRound); v.choice(s.reason, kLastReason); } };
// A protocol of several steps is a std::variant of such structs; the alternative's index, the first number, is persisted on the wire:
// append only. Header-only, pure. What does not fit throws Error{kFormat} that names the sender.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/comm/transport/message.h"
#include "engine/core/base/error.h"

namespace paceline {

class FieldWriter {
 public:
  explicit FieldWriter(std::vector<double>& numbers) : numbers_(numbers) {}
  void real(double value) { numbers_.push_back(value); }
  template <class T> void whole(T value) { real(static_cast<double>(value)); }
  template <class T> void count(T value) { whole(value); }
  template <class E> void choice(E value, E /*last*/) { whole(static_cast<int>(value)); }
  template <class T> void rest(const std::vector<T>& values) { for (const T value : values) whole(value); }

 private:
  std::vector<double>& numbers_;
};

// Whether a number that travels or is kept as a double is whole, of at most 15 digits, and a T.
template <class T>
bool isWhole(double number) {
  return std::abs(number) < 1e15 && number == std::floor(number) && std::in_range<T>(static_cast<std::int64_t>(number));
}

class FieldReader {
 public:
  FieldReader(const Message& message, std::size_t next) : message_(message), next_(next) {}

  void real(double& value) { value = take(); }  // finite
  template <class T> void whole(T& value) {
    const double number = take();
    require(isWhole<T>(number));
    value = static_cast<T>(number);
  }
  template <class T> void count(T& value) {  // whole and not negative
    whole(value);
    require(value >= T{0});
  }
  template <class E> void choice(E& value, E last) {
    int index = 0;
    count(index);
    require(index <= static_cast<int>(last));
    value = static_cast<E>(index);
  }
  template <class T> void rest(std::vector<T>& values) {  // all that follow
    while (next_ < message_.scalars.size())
      if constexpr (std::is_same_v<T, double>) real(values.emplace_back());
      else whole(values.emplace_back());
  }
  void require(bool good) const {
    if (good) return;
    std::string numbers;
    for (std::size_t i = 0; i < message_.scalars.size() && i < 8; ++i) numbers += strCat(i == 0 ? "" : ", ", message_.scalars[i]);
    throw Error(Errc::kFormat, strCat("node ", message_.from, " sent a malformed ", kindName(message_.kind), " of ", message_.scalars.size(),
                                      " numbers: {", numbers, message_.scalars.size() > 8 ? ", ...}" : "}"));
  }
  void end() const { require(next_ == message_.scalars.size()); }

 private:
  double take() {
    require(next_ < message_.scalars.size() && std::isfinite(message_.scalars[next_]));
    return message_.scalars[next_++];
  }
  const Message& message_;
  std::size_t next_;
};

template <class T>
std::vector<double> encodeFields(const T& value) {
  std::vector<double> numbers;
  FieldWriter writer(numbers);
  T::fields(value, writer);
  return numbers;
}

template <class... Steps>
std::vector<double> encodeFields(const std::variant<Steps...>& step) {
  std::vector<double> numbers{static_cast<double>(step.index())};
  FieldWriter writer(numbers);
  std::visit([&]<class T>(const T& value) { T::fields(value, writer); }, step);
  return numbers;
}

template <class T>
Message messageOf(MessageKind kind, const T& value) { return {.kind = kind, .scalars = encodeFields(value)}; }

template <class T>
void decodeFields(const Message& message, std::size_t from, T& value) {
  FieldReader reader(message, from);
  T::fields(value, reader);
  reader.end();
}

template <class... Steps>
void decodeFields(const Message& message, std::size_t from, std::variant<Steps...>& step) {
  std::size_t index = 0;
  FieldReader reader(message, from);
  reader.count(index);
  reader.require(index < sizeof...(Steps));
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((index == I ? decodeFields(message, from + 1, step.template emplace<I>()) : void()), ...);
  }(std::index_sequence_for<Steps...>());
}

template <class T>
T fieldsOf(const Message& message) {
  T value;
  decodeFields(message, 0, value);
  return value;
}

// std::visit(Overloaded{[](const Save& save) { ... }, [](const auto&) {}}, step)
template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace paceline
