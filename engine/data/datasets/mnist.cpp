#include "engine/data/idx_dataset.h"

namespace paceline {

DatasetDef mnist() {
  DatasetDef def =
      idxDataset("mnist", "mnist", {"/usr/share/datasets/mnist"}, "put the four files there or set /dataset/params/path");
  def.title = "MNIST";
  def.summary =
      "Grey 28x28 pictures of handwritten digits, 60 000 to train and 10 000 to test; pixels scaled to [0, 1], nothing else.";
  def.reference = "LeCun, Bottou, Bengio, Haffner 1998, Proceedings of the IEEE 86(11)";
  return def;
}

}  // namespace paceline
