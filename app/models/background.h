// Work on a task queue whose answer arrives on the GUI thread.
#pragma once

#include <type_traits>
#include <utility>

#include <QObject>
#include <QString>

#include "app/models/task_queue.h"

namespace paceline {

template <class Then>
void onGuiThread(QObject* object, Then then) {
  QMetaObject::invokeMethod(object, std::move(then), Qt::QueuedConnection);
}

// Runs work(stop) on the queue, then then(result, error) on the thread of `object`, or then(error) when there is no result. The error is ""
// or what `work` threw; its result is then one made by default. Nothing follows once `object` is gone.
template <class Work, class Then>
void inBackground(TaskQueue& queue, QObject* object, Work work, Then then) {
  queue.post([object, work = std::move(work), then = std::move(then)](const std::stop_token& stop) mutable {
    using Result = std::invoke_result_t<Work&, const std::stop_token&>;
    std::conditional_t<std::is_void_v<Result>, std::nullptr_t, Result> result{};
    QString error;
    try {
      if constexpr (std::is_void_v<Result>)
        work(stop);
      else
        result = work(stop);
    } catch (const std::exception& e) {
      error = QString::fromUtf8(e.what());
    }
    onGuiThread(object, [then = std::move(then), result = std::move(result), error]() mutable {
      if constexpr (std::is_void_v<Result>)
        then(error);
      else
        then(std::move(result), error);
    });
  });
}

}  // namespace paceline
