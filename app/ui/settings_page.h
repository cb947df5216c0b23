// Theme, text size, language, the store and what takes room. Remembered at once. GUI thread.
#pragma once

#include <functional>

#include "app/models/storage_model.h"
#include "app/ui/widgets/page.h"

namespace paceline {

class SettingsPage : public widgets::Page {
 public:
  SettingsPage(RecorderLink& recorder, const std::function<void(int mode)>& setMode, std::function<void(const QString& path)> openStore, std::function<void()> startAgain);
  void entered() override { storage_.load(); }

 private:
  QWidget* look(const std::function<void(int mode)>& setMode, std::function<void()> startAgain);
  QWidget* languages(std::function<void()> startAgain);
  QWidget* store(const QString& path, std::function<void(const QString& path)> openStore);

  StorageModel storage_;
};

}  // namespace paceline
