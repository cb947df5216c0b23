#include "engine/data/datasets/file_set.h"

namespace paceline::datasets {

DatasetDef fashion_mnist() {
  DatasetDef def;
  def.id = "fashion_mnist";
  def.title = "Fashion-MNIST";
  def.summary = "Grey 28x28 pictures of ten kinds of clothing, 60 000 to train and 10 000 to test; pixels scaled to [0, 1].";
  def.reference = "Xiao, Rasul, Vollgraf 2017, arXiv:1708.07747";
  def.folder = "fashion-mnist";
  def.classNames = {"T-shirt/top", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"};
  // Names, sizes and checksums as its publisher's repository and torchvision have them.
  return idxDataset(std::move(def), {.systemFolder = "/usr/share/datasets/fashion-mnist",
                                     .hint = "get it with paceline data download fashion_mnist or the package dataset-fashion-mnist, or name its folder as the data set's path",
                                     .mean = 0.2860F,
                                     .deviation = 0.3530F,
                                     .url = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
                                     .files = {{.bytes = 26421880,
                                                .sha256 = "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
                                                .plainSha256 = "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"},
                                               {.bytes = 29515,
                                                .sha256 = "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
                                                .plainSha256 = "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
                                               {.bytes = 4422102,
                                                .sha256 = "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
                                                .plainSha256 = "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"},
                                               {.bytes = 5148,
                                                .sha256 = "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
                                                .plainSha256 = "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"}}});
}

}  // namespace paceline::datasets
