#include <curl/curl.h>

#include <memory>

#include "app/cluster/notices/notice.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"

namespace paceline::notices {
namespace {

std::string bodyOf(const Notice& notice) {
  return dumped(OrderedJson{{"text", "Paceline: " + sentence(notice)}, {"event", notice.event}, {"run", notice.run}, {"name", notice.name}, {"suite", notice.suite}, {"state", notice.state}, {"reason", notice.reason}});
}

std::string hostOf(const std::string& address) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> url(curl_url(), &curl_url_cleanup);
  char* text = nullptr;
  if (curl_url_set(url.get(), CURLUPART_URL, address.c_str(), 0) == CURLUE_OK) curl_url_get(url.get(), CURLUPART_HOST, &text, 0);
  const std::string host = text != nullptr ? text : "the web address";
  curl_free(text);
  return host;
}

std::size_t dropped(char*, std::size_t size, std::size_t count, void*) { return size * count; }

int isStopped(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) { return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0; }

}  // namespace

std::string callWebhook(const std::string& address, const Notice& notice, const std::stop_token& stop) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);  // once, whichever thread comes first
  PACELINE_CHECK(started == CURLE_OK, "curl_global_init");
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), &curl_easy_cleanup);
  const std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers(curl_slist_append(nullptr, "Content-Type: application/json"), &curl_slist_free_all);
  const std::string body = bodyOf(notice), host = hostOf(address);
  char message[CURL_ERROR_SIZE] = {};
  const auto set = [&curl](CURLoption option, auto value) { PACELINE_CHECK(curl_easy_setopt(curl.get(), option, value) == CURLE_OK, strCat("curl option ", static_cast<int>(option))); };
  set(CURLOPT_URL, address.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_USERAGENT, "paceline/" PACELINE_VERSION);
  set(CURLOPT_HTTPHEADER, headers.get());
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  set(CURLOPT_POSTFIELDS, body.c_str());
  set(CURLOPT_TIMEOUT, static_cast<long>(kWebSeconds));
  set(CURLOPT_ERRORBUFFER, message);
  set(CURLOPT_WRITEFUNCTION, &dropped);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &isStopped);
  set(CURLOPT_XFERINFODATA, const_cast<std::stop_token*>(&stop));
  const CURLcode code = curl_easy_perform(curl.get());
  if (stop.stop_requested()) return host + " was not told: its recorder ended";
  if (code != CURLE_OK) return strCat(host, " was not told: ", *message != '\0' ? message : curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  return status >= 200 && status < 300 ? "" : strCat(host, " was not told: it answers ", status, status == 404 ? " (not found)" : "");
}

}  // namespace paceline::notices
