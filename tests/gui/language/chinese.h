// For tests of the window in Chinese.
#pragma once

#include <QRegularExpression>
#include <QStringList>

#include "app/models/language.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {

struct InChinese {
  InChinese() { application(), language::use("zh_CN"); }
  ~InChinese() { language::use("en"); }
};

// Words of a text that are English: of one without a Chinese character those that are no names of algorithms, models, data sets, tools, keys, units, files and hosts, or said by the
// tests' documents; of a Chinese one those that follow each other (a document's id, or one of those names, may stand in it).
inline QStringList englishIn(QString text) {
  static const QStringList kNames = {
      "ESync", "Paceline", "paceline", "LibTorch", "Slurm", "sbatch", "ssh", "config", "Perfetto", "chrome", "tracing", "Qt", "QCustomPlot", "GPL", "later", "SQLite", "LaTeX", "Markdown", "Hedges", "Gloo", "NCCL", "Nesterov", "Bayesian", "TPE",
      "Ctrl", "Shift", "Alt", "Esc", "Enter", "Return", "Del", "Home", "End", "Page", "Down", "Up", "Left", "Right", "number", "libc", "Xavier", "alexnet", "mlp", "davidnet", "sample", "Sample", "Debian", "GNU", "AMD", "EPYC", "Intel", "standalone", "ssgd", "asgd", "pdmm", "isvr", "logistic", "synthetic", "PgUp", "PgDown", "Space", "Jensen", "Shannon", "Calinski", "Harabasz", "Metropolis", "drawer", "README", "int", "std", "worker", "describe", "queue", "run",
      "Mbit", "GFLOP", "samples", "step", "log", "search", "eta", "MiB", "NAME", "VALUE", "user", "host", "port", "local", "cpu", "cuda", "hosts", "json", "hostfile", "MXNet", "pytorch", "python", "Python", "PyTorch", "NumPy", "ps", "ssh_config", "keygen", "node", "list", "node_list",
      "CIFAR", "MNIST", "Fashion", "SVHN", "ImageNet", "LeNet", "AlexNet", "ResNet", "VGG", "DenseNet", "DavidNet", "MobileNet", "Inception", "BN", "small", "Dirichlet", "Grouping", "SGD", "Local", "DGC", "DGS", "PDMM", "ADMM", "ISVR", "ECL", "SSP", "accuracy", "iid", "non",
      "demo", "esync", "drift", "linear", "lenet", "fashion", "mnist", "Synthetic", "db", "Linux", "far", "i", "d", "x", "y", "w", "png", "svg", "pdf", "csv", "PNG", "English", "Segoe", "seed", "MB", "kB", "GB", "TB", "ms", "min", "mm", "pt", "epsilon", "alpha", "mean",
      "Beta", "Epsilon", "sgd", "adam", "adamw", "adagrad", "ssp", "dgc", "dgs", "DiLoCo", "diloco", "SlowMo", "slowmo", "FedProx", "fedprox", "FedNova", "fednova", "SCAFFOLD", "scaffold", "FedBuff", "fedbuff", "Ringmaster", "ASGD", "Delayed", "PowerSGD", "Krum", "sgp", "DeMo"};
  static const QRegularExpression kNoWords(R"(<[^>]*>|[\w.+-]*[/\\~_@:=*][\w./\\~_@:=*+-]*|\b\w*\d\w*\b|\([A-Z]\)|&\w\b)"), kWord("[A-Za-z]{3,}");
  text.replace(kNoWords, " ");
  QStringList found;
  if (static const QRegularExpression kChinese("[\\x{4e00}-\\x{9fff}]"); kChinese.match(text).hasMatch()) {
    static const QRegularExpression kQuoted("“[^”]*”|\\[[^\\]]*\\]"), kSentence("[a-z]{2,} [a-z]{2,}");
    text.remove(kQuoted);
    for (const QRegularExpressionMatch& each : kSentence.globalMatch(text))
      if (const QStringList two = each.captured().split(' '); !kNames.contains(two[0]) || !kNames.contains(two[1])) found << each.captured();
    return found;
  }
  for (const QRegularExpressionMatch& each : kWord.globalMatch(text))
    if (const QString word = each.captured(); word != word.toUpper() && !kNames.contains(word)) found << word;
  return found;
}

}  // namespace paceline::tests
