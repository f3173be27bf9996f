#include "explain/topic_words.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr std::array topics_to_choose{
    ExplanationTopic::verdict,  ExplanationTopic::redundancy, ExplanationTopic::singular, ExplanationTopic::undecided,
    ExplanationTopic::spurious, ExplanationTopic::method,     ExplanationTopic::mode,     ExplanationTopic::warnings};

ExplanationTopic topic_called(const std::string& word) {
  std::vector<std::string> known;
  for (const ExplanationTopic topic : topics_to_choose) {
    if (word == key_of(topic)) return topic;
    known.emplace_back(key_of(topic));
  }
  throw Error(
      fmt::format("there is no topic '{}'{}; there are {}", word, did_you_mean(word, known), fmt::join(known, ", ")));
}

Index positive_number(const std::string& word, const std::string& of_what) {
  Index number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number < 1)
    throw Error(fmt::format("'{}' is not the number of {}: 1, 2, ...", word, of_what));
  return number;
}

}  // namespace

ExplanationRequest explanation_request(const std::vector<std::string>& words) {
  ExplanationRequest request;
  if (words.empty()) return request;
  const ExplanationTopic topic = topic_called(words.front());
  request.topics = {topic};
  std::size_t next = 1;
  if (topic == ExplanationTopic::mode && next < words.size()) request.mode = positive_number(words[next++], "a mode");
  if (topic == ExplanationTopic::spurious && next < words.size()) {
    const std::string& method = words[next++];
    if (method != "rcs" && method != "ucs")
      throw Error(fmt::format("'{}' is no method with spurious eigenvalues; there are rcs and ucs", method));
    request.spurious_of = method == "rcs" ? Method::rcs : Method::ucs;
    if (next < words.size()) request.eigenvalue = positive_number(words[next++], "an eigenvalue");
  }
  if (next < words.size()) throw Error(fmt::format("topic '{}': '{}' is too much", words.front(), words[next]));
  return request;
}

}  // namespace stillpoint
