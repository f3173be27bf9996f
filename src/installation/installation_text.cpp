// The report of `stillpoint doctor`, as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "formats/json_number.h"
#include "installation/installation.h"

namespace stillpoint {

namespace {

using InstallationJson = nlohmann::ordered_json;

constexpr double bytes_of_gigabyte = 1e9;

std::string memory_in_words(double bytes) {
  return std::isnan(bytes) ? std::string() : fmt::format(", {:.1f} GB", bytes / bytes_of_gigabyte);
}

std::string known(const std::string& text) { return text.empty() ? "unknown" : text; }

/// Two columns as wide as their longest entries, and the rest.
std::string part_table(const std::string& title, const std::vector<SoftwarePart>& parts) {
  std::size_t name_width = title.size(), version_width = std::string("version").size();
  for (const SoftwarePart& part : parts) {
    name_width = std::max(name_width, part.name.size());
    version_width = std::max(version_width, part.version.size());
  }
  std::string text = fmt::format("  {:<{}}  version\n", title, name_width);
  for (const SoftwarePart& part : parts) {
    const std::string version = !part.is_there ? "none" : part.version.empty() ? "" : part.version;
    const std::string rest = part.place.empty() ? part.note : part.place;
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", part.name, name_width, version, version_width, rest);
  }
  return text;
}

InstallationJson text_or_null(const std::string& text) {
  return text.empty() ? InstallationJson(nullptr) : InstallationJson(text);
}

InstallationJson parts_json(const std::vector<SoftwarePart>& parts) {
  InstallationJson list = InstallationJson::array();
  for (const SoftwarePart& part : parts)
    list.push_back({{"name", part.name},
                    {"present", part.is_there},
                    {"version", text_or_null(part.version)},
                    {"file", text_or_null(part.place)},
                    {"note", part.note}});
  return list;
}

}  // namespace

std::string to_text(const Installation& found) {
  const Diagnosis diagnosis = diagnose(found);
  const std::size_t problems = diagnosis.problems.size();
  std::string text = fmt::format(
      "stillpoint {}: {}\n", found.version,
      problems == 0 ? "the known answers are reproduced"
                    : fmt::format("{} problem{}: results are not to be trusted", problems, problems == 1 ? "" : "s"));
  text += fmt::format("  compiler      {}\n", found.compiler);
  text += fmt::format("  system        {}\n", known(found.system));
  text += fmt::format("  processor     {}{}\n", known(found.processor), memory_in_words(found.memory));
  text += fmt::format("  threads       {} on {} processor{}; BLAS is held at one\n\n", found.threads, found.processors,
                      found.processors == 1 ? "" : "s");
  text += part_table("library", found.libraries) + "\n" + part_table("optional part", found.optional);
  if (!diagnosis.problems.empty() || !diagnosis.advice.empty()) text += "\n";
  for (const std::string& problem : diagnosis.problems) text += "problem: " + problem + "\n";
  for (const std::string& advice : diagnosis.advice) text += "advice: " + advice + "\n";
  return text;
}

std::string to_json(const Installation& found) {
  const Diagnosis diagnosis = diagnose(found);
  InstallationJson json;
  json["schema"] = "stillpoint.doctor/1";
  json["version"] = found.version;
  json["compiler"] = found.compiler;
  json["system"] = text_or_null(found.system);
  json["processor"] = text_or_null(found.processor);
  json["memory"] = json_number(found.memory);
  json["processors"] = found.processors;
  json["threads"] = found.threads;
  json["utf8"] = found.is_utf8;
  json["libraries"] = parts_json(found.libraries);
  json["optional"] = parts_json(found.optional);
  json["differences"] = {{"product", json_number(found.check.product)},
                         {"eigenvalues", json_number(found.check.eigenvalues)},
                         {"pendulum", json_number(found.check.pendulum)}};
  json["problems"] = diagnosis.problems;
  json["advice"] = diagnosis.advice;
  return json.dump(2, ' ', false, InstallationJson::error_handler_t::replace) + "\n";
}

}  // namespace stillpoint
