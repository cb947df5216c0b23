// Language models over the characters of a text: whole numbers [batch, places] in, scores of the next one [batch, places, symbols] out.
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/nn/model.h"

namespace paceline {
namespace {

struct CharLstm final : Net {
  CharLstm(int symbols, std::int64_t width, std::int64_t layers)
      : symbol(register_module("symbol", torch::nn::Embedding(symbols, width))),
        lstm(register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(width, width).num_layers(layers).batch_first(true)))),
        head(register_module("head", torch::nn::Linear(width, symbols))) {}
  torch::Tensor forward(torch::Tensor inputs) override { return head(std::get<0>(lstm(symbol(inputs)))); }

  torch::nn::Embedding symbol;
  torch::nn::LSTM lstm;
  torch::nn::Linear head;
};

// Pre-norm, learned places, causal attention, GELU: GPT-2's block.
struct GptBlock final : torch::nn::Module {
  GptBlock(std::int64_t width, std::int64_t headCount)
      : heads(headCount),
        before(register_module("before", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})))),
        attend(register_module("attend", torch::nn::Linear(width, 3 * width))),
        mix(register_module("mix", torch::nn::Linear(width, width))),
        between(register_module("between", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})))),
        wide(register_module("wide", torch::nn::Linear(width, 4 * width))),
        narrow(register_module("narrow", torch::nn::Linear(4 * width, width))) {}

  torch::Tensor forward(torch::Tensor x, const torch::Tensor& later) {
    const std::int64_t batch = x.size(0), places = x.size(1), width = x.size(2);
    const torch::Tensor parts = attend(before(x)).reshape({batch, places, 3, heads, width / heads}).permute({2, 0, 3, 1, 4});
    const torch::Tensor scores = parts[0].matmul(parts[1].transpose(-2, -1)) / std::sqrt(static_cast<double>(width) / static_cast<double>(heads));
    const torch::Tensor seen = scores.masked_fill(later, -1e9).softmax(-1).matmul(parts[2]);
    x = x + mix(seen.transpose(1, 2).reshape({batch, places, width}));
    return x + narrow(torch::gelu(wide(between(x))));
  }

  std::int64_t heads;
  torch::nn::LayerNorm before;
  torch::nn::Linear attend, mix;
  torch::nn::LayerNorm between;
  torch::nn::Linear wide, narrow;
};

struct CharGpt final : Net {
  CharGpt(int symbols, std::int64_t places, std::int64_t width, std::int64_t headCount, std::int64_t layers)
      : symbol(register_module("symbol", torch::nn::Embedding(symbols, width))), place(register_module("place", torch::nn::Embedding(places, width))) {
    for (std::int64_t i = 0; i < layers; ++i) blocks.push_back(register_module(strCat("block", i), std::make_shared<GptBlock>(width, headCount)));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})));
    head = register_module("head", torch::nn::Linear(torch::nn::LinearOptions(width, symbols).bias(false)));
  }
  torch::Tensor forward(torch::Tensor inputs) override {
    const torch::Tensor places = torch::arange(inputs.size(1), torch::TensorOptions(torch::kLong).device(inputs.device()));
    const torch::Tensor later = torch::ones({inputs.size(1), inputs.size(1)}, torch::TensorOptions(torch::kBool).device(inputs.device())).triu(1);
    torch::Tensor x = symbol(inputs) + place(places);
    for (const auto& block : blocks) x = block->forward(x, later);
    return head(norm(x));
  }

  torch::nn::Embedding symbol, place;
  std::vector<std::shared_ptr<GptBlock>> blocks;
  torch::nn::LayerNorm norm{nullptr};
  torch::nn::Linear head{nullptr};
};

ModelDef overText(const char* id, const char* title, const char* summary, const char* reference) {
  return {.id = id, .title = title, .summary = summary, .reference = reference, .init = "torch", .tokens = true, .make = {}};
}

}  // namespace

std::vector<ModelDef> characters() {
  ModelDef lstm = overText("char_lstm", "Character LSTM", "Long short-term memory over the characters of a text.", "S. Hochreiter and J. Schmidhuber, Long Short-Term Memory, 1997");
  lstm.params = {integerParam("width", 128, 4, 4096, "Numbers of a state."), integerParam("layers", 1, 1, 16, "Layers, one on the other.")};
  lstm.make = [](const Params& params, const Shape&, int symbols) { return std::make_shared<CharLstm>(symbols, params.integer("width"), params.integer("layers")); };

  ModelDef gpt = overText("char_gpt", "Character GPT", "A small decoder-only transformer over the characters of a text.", "A. Radford et al., Language Models are Unsupervised Multitask Learners, 2019");
  gpt.params = {integerParam("width", 64, 4, 4096, "Numbers of a place; a multiple of the heads."), integerParam("layers", 2, 1, 64, "Blocks of attention and a dense layer."),
                integerParam("heads", 4, 1, 64, "Heads of an attention.")};
  gpt.make = [](const Params& params, const Shape& shape, int symbols) -> std::shared_ptr<Net> {
    const std::int64_t width = params.integer("width"), heads = params.integer("heads");
    if (width % heads != 0) throw Error(Errc::kSpec, strCat("/model/params/width: must be a multiple of the ", heads, " heads, it is ", width));
    return std::make_shared<CharGpt>(symbols, shape.width, width, heads, params.integer("layers"));
  };
  return {lstm, gpt};
}

}  // namespace paceline
