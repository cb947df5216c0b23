#include "engine/data/datasets/file_set.h"

namespace paceline::datasets {

DatasetDef cifar10() {
  DatasetDef def;
  def.id = "cifar10";
  def.title = "CIFAR-10";
  def.summary = "Colour 32x32 pictures of ten kinds of things, 50 000 to train and 10 000 to test; by default cropped, flipped and normalised as DGS does (ps_pytorch pads with reflect).";
  def.reference = "Krizhevsky 2009, Learning multiple layers of features from tiny images";
  def.folder = "cifar10";
  def.classNames = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
  // The archive's checksum as in TensorFlow Datasets; its MD5 is on the publisher's page. Those of the files inside as in torch-vision for Ruby.
  def.files = {{.name = "cifar-10-binary.tar.gz",
                .url = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
                .bytes = 170052171,
                .sha256 = "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"},
               {.name = "data_batch_1.bin", .bytes = 30730000, .sha256 = "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"},
               {.name = "data_batch_2.bin", .bytes = 30730000, .sha256 = "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"},
               {.name = "data_batch_3.bin", .bytes = 30730000, .sha256 = "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"},
               {.name = "data_batch_4.bin", .bytes = 30730000, .sha256 = "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"},
               {.name = "data_batch_5.bin", .bytes = 30730000, .sha256 = "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"},
               {.name = "test_batch.bin", .bytes = 30730000, .sha256 = "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"}};
  return cifarDataset(std::move(def), {.folder = "cifar-10-batches-bin"});
}

}  // namespace paceline::datasets
