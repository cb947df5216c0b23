#include "engine/data/datasets/file_set.h"

namespace paceline::datasets {

DatasetDef cifar100() {
  DatasetDef def;
  def.id = "cifar100";
  def.title = "CIFAR-100";
  def.summary = "Colour 32x32 pictures of a hundred kinds of things (the fine labels), 50 000 to train and 10 000 to test; by default cropped, flipped and normalised.";
  def.reference = "Krizhevsky 2009, Learning multiple layers of features from tiny images";
  def.folder = "cifar100";
  // fine_label_names of its publisher, in their order.
  def.classNames = {"apple", "aquarium fish", "baby", "bear", "beaver", "bed", "bee", "beetle", "bicycle", "bottle", "bowl", "boy", "bridge", "bus", "butterfly",
                    "camel", "can", "castle", "caterpillar", "cattle", "chair", "chimpanzee", "clock", "cloud", "cockroach", "couch", "crab", "crocodile", "cup",
                    "dinosaur", "dolphin", "elephant", "flatfish", "forest", "fox", "girl", "hamster", "house", "kangaroo", "keyboard", "lamp", "lawn mower", "leopard",
                    "lion", "lizard", "lobster", "man", "maple tree", "motorcycle", "mountain", "mouse", "mushroom", "oak tree", "orange", "orchid", "otter",
                    "palm tree", "pear", "pickup truck", "pine tree", "plain", "plate", "poppy", "porcupine", "possum", "rabbit", "raccoon", "ray", "road", "rocket",
                    "rose", "sea", "seal", "shark", "shrew", "skunk", "skyscraper", "snail", "snake", "spider", "squirrel", "streetcar", "sunflower", "sweet pepper",
                    "table", "tank", "telephone", "television", "tiger", "tractor", "train", "trout", "tulip", "turtle", "wardrobe", "whale", "willow tree", "wolf",
                    "woman", "worm"};
  // The archive's checksum as in TensorFlow Datasets; its MD5 is on the publisher's page. Those of the files inside as in torch-vision for Ruby.
  def.files = {{.name = "cifar-100-binary.tar.gz",
                .url = "https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz",
                .bytes = 168513733,
                .sha256 = "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec"},
               {.name = "train.bin", .bytes = 153700000, .sha256 = "f31298fc616915fa142368359df1c4ca2ae984d6915ca468b998a5ec6aeebf29"},
               {.name = "test.bin", .bytes = 30740000, .sha256 = "d8b1e6b7b3bee4020055f0699b111f60b1af1e262aeb93a0b659061746f8224a"}};
  return cifarDataset(std::move(def), {.folder = "cifar-100-binary", .labelBytes = 2, .label = 1, .classes = 100});
}

}  // namespace paceline::datasets
