// What the desktop tells while another window is in front: a run of this window's has failed, has reached its target, or has a loss that is no number. GUI thread.
#pragma once

#include <optional>

#include <QString>

#include "app/cluster/recorder/client.h"

namespace paceline {

// By this id desktops know the program: its entry, its icon and its AppStream data are installed under it (resources/install).
inline constexpr const char* kDesktopId = "org.paceline.workbench";

struct DesktopNotice {
  QString title, words;
};

std::optional<DesktopNotice> noticeOf(const recorder::Entry& ended);  // of an entry of the queue that has ended; nullopt: nothing that somebody waits for
DesktopNotice divergedNotice(const recorder::Entry& entry);           // of one whose progress tells of a loss that is no number
void showOnDesktop(const DesktopNotice& notice);                      // by org.freedesktop.Notifications, without waiting; nothing where there is no session bus
bool noticesWanted();                                                 // kept in the settings
void setNoticesWanted(bool wanted);

}  // namespace paceline
