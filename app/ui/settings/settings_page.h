// Theme, text size, language, who hears of ends, the store, its copies and what takes room. Remembered at once. GUI thread.
#pragma once

#include <functional>

#include "app/models/settings/backup_model.h"
#include "app/models/settings/notices_model.h"
#include "app/models/settings/storage_model.h"
#include "app/ui/widgets/page.h"

namespace paceline {

class SettingsPage : public widgets::Page {
 public:
  SettingsPage(RecorderLink& recorder, const std::function<void(int mode)>& setMode, std::function<void(const QString& path)> openStore, std::function<void()> startAgain);
  void entered() override { storage_.load(), notices_.load(), backup_.load(); }

 private:
  QWidget* look(const std::function<void(int mode)>& setMode, std::function<void()> startAgain);
  QWidget* languages(std::function<void()> startAgain);
  QWidget* store(const QString& path, std::function<void(const QString& path)> openStore);

  StorageModel storage_;
  NoticesModel notices_;
  BackupModel backup_;
};

}  // namespace paceline
