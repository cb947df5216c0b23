#include "engine/data/idx_dataset.h"

namespace paceline {

DatasetDef fashion_mnist() {
  DatasetDef def = idxDataset("fashion_mnist", "fashion-mnist", {"/usr/share/datasets/fashion-mnist"},
                              "install the package dataset-fashion-mnist or set /dataset/params/path");
  def.title = "Fashion-MNIST";
  def.summary =
      "Grey 28x28 pictures of ten kinds of clothing, 60 000 to train and 10 000 to test; pixels scaled to [0, 1], nothing else.";
  def.reference = "Xiao, Rasul, Vollgraf 2017, arXiv:1708.07747";
  return def;
}

}  // namespace paceline
