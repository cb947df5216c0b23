#include "engine/data/datasets/file_set.h"

namespace paceline::datasets {

DatasetDef mnist() {
  DatasetDef def;
  def.id = def.folder = "mnist";
  def.title = "MNIST";
  def.summary = "Grey 28x28 pictures of handwritten digits, 60 000 to train and 10 000 to test; pixels scaled to [0, 1].";
  def.reference = "LeCun, Bottou, Bengio, Haffner 1998, Proceedings of the IEEE 86(11)";
  // Names, sizes and checksums as torchvision and TensorFlow Datasets have them; the address is PyTorch's copy of the original.
  return idxDataset(std::move(def), {.systemFolder = "/usr/share/datasets/mnist",
                                     .mean = 0.1307F,
                                     .deviation = 0.3081F,
                                     .url = "https://ossci-datasets.s3.amazonaws.com/mnist/",
                                     .files = {{.bytes = 9912422,
                                                .sha256 = "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
                                                .plainSha256 = "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
                                               {.bytes = 28881,
                                                .sha256 = "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
                                                .plainSha256 = "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
                                               {.bytes = 1648877,
                                                .sha256 = "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
                                                .plainSha256 = "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
                                               {.bytes = 4542,
                                                .sha256 = "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
                                                .plainSha256 = "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}}});
}

}  // namespace paceline::datasets
