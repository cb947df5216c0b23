#include "app/figures/parts/latex_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace paceline {
namespace {

struct Sign {
  std::string_view utf8, latex;
};
constexpr std::array<Sign, 22> kSigns = {{{"≥", "$\\geq$"}, {"≤", "$\\leq$"}, {"≈", "$\\approx$"}, {"∞", "$\\infty$"}, {"−", "$-$"}, {"→", "$\\rightarrow$"}, {"←", "$\\leftarrow$"}, {"·", "$\\cdot$"},
                                          {"α", "$\\alpha$"}, {"β", "$\\beta$"}, {"γ", "$\\gamma$"}, {"δ", "$\\delta$"}, {"ε", "$\\varepsilon$"}, {"η", "$\\eta$"}, {"θ", "$\\theta$"}, {"λ", "$\\lambda$"},
                                          {"μ", "$\\mu$"}, {"ρ", "$\\rho$"}, {"σ", "$\\sigma$"}, {"τ", "$\\tau$"}, {"\u2009", "\\,"}, {"\u202f", "\\,"}}};

}  // namespace

std::string latexText(const std::string& text) {
  static const std::map<char, std::string> kWords = {{'~', "\\textasciitilde{}"}, {'^', "\\textasciicircum{}"}, {'\\', "\\textbackslash{}"}, {'<', "\\textless{}"}, {'>', "\\textgreater{}"}};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    const auto sign = std::ranges::find_if(kSigns, [&](const Sign& each) { return rest.starts_with(each.utf8); });
    const char c = text[i];
    const auto word = kWords.find(c);
    if (out.empty() && (c == '[' || c == '*')) out += {'{', c, '}'};  // behind \\ and \item they would begin an option
    else if (sign != kSigns.end()) out += sign->latex, i += sign->utf8.size() - 1;
    else if (word != kWords.end()) out += word->second;
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += {'\\', c};
    else out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out;
}

}  // namespace paceline
