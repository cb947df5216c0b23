#include "engine/data/datasets/idx_dataset.h"

namespace paceline::datasets {
namespace {

// Names, sizes and checksums as its publisher's repository and torchvision have them.
PublishedFile publishedFashion(const char* name, std::int64_t bytes, const char* sha256, const char* plainSha256) {
  return {.name = name,
          .url = std::string("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/").append(name),
          .bytes = bytes,
          .sha256 = sha256,
          .plainSha256 = plainSha256};
}

}  // namespace

DatasetDef fashion_mnist() {
  DatasetDef def = idxDataset(
      {.id = "fashion_mnist",
       .folder = "fashion-mnist",
       .systemFolders = {"/usr/share/datasets/fashion-mnist"},
       .hint = "install the package dataset-fashion-mnist or set /dataset/params/path",
       .recipe = {.statistics = {{.name = "fashion_mnist", .mean = {0.2860F}, .deviation = {0.3530F}}}},
       .files = {publishedFashion("train-images-idx3-ubyte.gz", 26421880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
                                  "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"),
                 publishedFashion("train-labels-idx1-ubyte.gz", 29515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
                                  "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"),
                 publishedFashion("t10k-images-idx3-ubyte.gz", 4422102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
                                  "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"),
                 publishedFashion("t10k-labels-idx1-ubyte.gz", 5148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
                                  "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34")}});
  def.title = "Fashion-MNIST";
  def.summary = "Grey 28x28 pictures of ten kinds of clothing, 60 000 to train and 10 000 to test; pixels scaled to [0, 1].";
  def.reference = "Xiao, Rasul, Vollgraf 2017, arXiv:1708.07747";
  return def;
}

}  // namespace paceline::datasets
