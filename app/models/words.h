// Numbers and states as the window and its tables say them. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QDate>
#include <QStringList>

#include "engine/core/spec/catalog.h"
#include "storage/store/records.h"

namespace paceline {

inline QString qtext(const std::string& s) { return QString::fromStdString(s); }
QString said(const std::string& english);      // what code without Qt says, in the interface's language (language.h)
QStringList qtexts(const std::vector<std::string>& texts);
QString stateWord(store::RunState state);             // "Running"
bool isActive(store::RunState state);                 // a process of ours is at work
QString durationText(double seconds);          // "4.2 s", "3 min 20 s", "1 h 05 min"
QString etaText(std::optional<double> low, std::optional<double> high);  // "2 to 4 min left", "about 40 s left", ""
QString bytesText(double bytes);               // "44.7 MB"
QString rateText(double perSecond);            // "1 234"
QString countText(std::int64_t count);          // "50", "60 000"
QString percentText(std::optional<double> fraction);  // "87.4 %", "—"
QString whenText(double unixSeconds, const QDate& today = QDate::currentDate());  // "14:05:32" of today, "yesterday 14:05:32", "12 Mar 14:05", "12 Mar 2025", "—"
QString reasonWord(const std::string& reason);  // "Stopped on request"
QString speedText(double gflops);               // "—" when not measured, "3.4", "128"
QString asSentence(QString words);             // "The port is taken" of "the port is taken"; what begins with a name, a path or a key stays: "w1 ended", "hosts.json: ..."
std::vector<std::string> tagsIn(const QString& typed);  // separated by commas
QString helpAt(std::string_view pointer);       // of a member of the document: help and limits as sentences; "": there is none
QString titleOf(const CatalogEntry& entry);    // its id where it has no title
QString factsOf(const ModelEntry& model);      // "431 080 parameters; takes 1x28x28."
QString factsOf(const DatasetEntry& dataset);  // "60 000 + 10 000 images of 1x28x28 in 10 classes."

}  // namespace paceline
