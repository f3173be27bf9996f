#include "system/system_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <unordered_set>

#include "base/at.h"
#include "formats/json_number.h"
#include "formats/read_json.h"
#include "stillpoint/error.h"
#include "system/words.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "stillpoint.matrices/1";

constexpr std::array outcomes{RankOutcome::full, RankOutcome::deficient, RankOutcome::undecided, RankOutcome::given};

// ---------------------------------------------------------------------------------------------------------------------
// Writing. The names and numbers of a large system would take gigabytes as one JSON value; lists are written in pieces.

class Writer {
 public:
  explicit Writer(std::FILE* file) : file_(file) {}

  void put(std::string_view text) {
    text_.append(text);
    if (text_.size() > (1 << 16)) flush();
  }

  /// Writes the list [text(0), text(1), …].
  template <class Text>
  void list(Eigen::Index count, const Text& text) {
    put("[");
    for (Eigen::Index i = 0; i < count; ++i) {
      if (i > 0) put(", ");
      put(text(static_cast<Index>(i)));
    }
    put("]");
  }

  void names(const char* key, Index count, const NameOf& name) {
    put(fmt::format(",\n \"{}\": ", key));
    list(count, [&](Index i) { return Json(name(i)).dump(-1, ' ', false, Json::error_handler_t::replace); });
  }

  void numbers(const Eigen::Ref<const Eigen::VectorXd>& x) {
    list(x.size(), [&](Index i) { return json_number(x[i]).dump(); });
  }

  bool flush() {
    good_ = good_ && std::fwrite(text_.data(), 1, text_.size(), file_) == text_.size();
    text_.clear();
    return good_;
  }

 private:
  std::FILE* file_;
  fmt::memory_buffer text_;
  bool good_ = true;
};

void put_operating_point(Writer& to, const LinearSystem& system) {
  to.put(",\n \"operating_point\": {");
  const char* before = "\n  ";
  for (const auto& [key, x] : {std::pair{"q", &system.q}, std::pair{"lambda", &system.lambda},
                               std::pair{"u", &system.u}, std::pair{"y", &system.y}}) {
    if (x->size() == 0) continue;
    to.put(fmt::format("{}\"{}\": ", before, key));
    to.numbers(*x);
    before = ",\n  ";
  }
  to.put("}");
}

void put_rank(Writer& to, const RowDependence& rows) {
  const RankDecision& rank = rows.rank;
  const Json decision = {{"value", rank.value},
                         {"decision", word_of(rank.outcome)},
                         {"gap", json_number(rank.gap)},
                         {"smallest_kept", json_number(rank.smallest_kept)},
                         {"largest_dropped", json_number(rank.largest_dropped)},
                         {"noise_floor", json_number(rank.noise_floor)},
                         {"method", rank.method}};
  to.put(fmt::format(",\n \"rank\": {},\n \"dependent_rows\": ", decision.dump()));
  to.list(static_cast<Eigen::Index>(rows.dependent.size()),
          [&](Index i) { return std::to_string(rows.dependent[at(i)] + 1); });
}

void put_branches(Writer& to, const LinearSystem& system) {
  to.put(fmt::format(",\n \"singular\": {},\n \"branches\": ", system.singular));
  to.put("[");
  for (std::size_t k = 0; k < system.branches.size(); ++k) {
    const MotionBranch& branch = system.branches[k];
    to.put(fmt::format("{}\n  {{\"name\": {}, \"tangents\": [", k > 0 ? "," : "", Json(branch.name).dump()));
    for (Eigen::Index t = 0; t < branch.tangents.cols(); ++t) {
      if (t > 0) to.put(",\n   ");
      to.numbers(branch.tangents.col(t));
    }
    to.put("]}");
  }
  to.put("]");
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading

/// A JSON value together with its key, which error messages refer to.
class Reader {
 public:
  Reader(const std::string& path, const Json& value, std::string key = {})
      : path_(path), value_(value), key_(std::move(key)) {}

  [[noreturn]] void refuse(const std::string& message) const {
    throw Error({path_, 0, 0}, key_.empty() ? message : fmt::format("{} {}", key_, message));
  }

  void require_keys(const std::vector<std::string>& known) const {
    if (!value_.is_object()) refuse("must be an object, {...}");
    for (const auto& item : value_.items()) {
      if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
      refuse(fmt::format("must not contain the key '{}'{}; the known keys are {}", item.key(),
                         did_you_mean(item.key(), known), fmt::join(known, ", ")));
    }
  }

  /// Calls f with the value of a key, if it is present.
  template <class F>
  void with(const char* key, const F& f) const {
    const auto found = value_.find(key);
    if (found != value_.end()) f(Reader(path_, *found, key_.empty() ? key : key_ + "." + key));
  }

  std::string text() const {
    if (!value_.is_string()) refuse("must be a text");
    return value_.get<std::string>();
  }

  bool truth() const {
    if (!value_.is_boolean()) refuse("must be true or false");
    return value_.get<bool>();
  }

  /// Returns the number, or NaN for null.
  double number_or_nan() const {
    if (value_.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value_.is_number()) refuse("must be a number or null");
    return value_.get<double>();
  }

  Index count(Index least, Index most) const {
    const bool fits = value_.is_number_integer() && value_ >= least && value_ <= most;
    if (!fits)
      refuse(fmt::format("is {}; it must be a whole number from {} to {}",
                         value_.is_structured() ? value_.type_name() : value_.dump(), least, most));
    return value_.get<Index>();
  }

  /// Calls f with each entry of a list, which must have `size` entries (−1: any number).
  template <class F>
  void each(Index size, const char* of_what, const F& f) const {
    if (!value_.is_array()) refuse(fmt::format("must be a list of {}", of_what));
    if (size >= 0 && value_.size() != at(size))
      refuse(
          fmt::format("must be a list of {} {}, according to the matrices; it has {}", size, of_what, value_.size()));
    for (std::size_t i = 0; i < value_.size(); ++i) f(Reader(path_, value_[i], fmt::format("{}[{}]", key_, i + 1)));
  }

  Eigen::VectorXd numbers(Index size) const {
    Eigen::VectorXd x(size);
    Index i = 0;
    each(size, "numbers", [&](const Reader& entry) {
      if (!entry.value_.is_number()) entry.refuse("must be a number");
      x[i++] = entry.value_.get<double>();
    });
    return x;
  }

  NameOf names(Index size) const {
    auto list = std::make_shared<std::vector<std::string>>();
    list->reserve(at(size));
    std::unordered_set<std::string> known;
    each(size, "names", [&](const Reader& entry) {
      list->push_back(entry.text());
      if (!known.insert(list->back()).second)
        entry.refuse(fmt::format("repeats the name '{}': names must be unique", list->back()));
    });
    return [list](Index i) { return list->at(at(i)); };
  }

 private:
  const std::string& path_;
  const Json& value_;
  std::string key_;
};

void read_rank(const Reader& json, RowDependence& rows, Index most) {
  json.require_keys({"value", "decision", "gap", "smallest_kept", "largest_dropped", "noise_floor", "method"});
  RankDecision& rank = rows.rank;
  json.with("value", [&](const Reader& value) { rank.value = value.count(0, most); });
  json.with("decision", [&](const Reader& decision) {
    const std::string word = decision.text();
    const auto found =
        std::find_if(outcomes.begin(), outcomes.end(), [&](RankOutcome o) { return word == word_of(o); });
    if (found == outcomes.end()) decision.refuse("must be full, deficient, undecided or given");
    rank.outcome = *found;
  });
  json.with("gap", [&](const Reader& gap) { rank.gap = gap.number_or_nan(); });
  json.with("smallest_kept", [&](const Reader& kept) { rank.smallest_kept = kept.number_or_nan(); });
  json.with("largest_dropped", [&](const Reader& dropped) { rank.largest_dropped = dropped.number_or_nan(); });
  json.with("noise_floor", [&](const Reader& floor) { rank.noise_floor = floor.number_or_nan(); });
  json.with("method", [&](const Reader& method) { rank.method = method.text(); });
}

void read_rows(const Reader& json, LinearSystem& system) {
  const Index m = system.constraints();
  RowDependence rows;
  bool knows_rank = false, knows_rows = false;
  json.with("rank", [&](const Reader& rank) {
    read_rank(rank, rows, std::min(m, system.coordinates()));
    knows_rank = true;
  });
  json.with("dependent_rows", [&](const Reader& list) {
    list.each(-1, "rows", [&](const Reader& row) { rows.dependent.push_back(row.count(1, m) - 1); });
    std::sort(rows.dependent.begin(), rows.dependent.end());
    if (knows_rank && static_cast<Index>(rows.dependent.size()) != m - rows.rank.value)
      list.refuse(fmt::format("has {} rows; with {} constraints and a rank of {} there must be {}",
                              rows.dependent.size(), m, rows.rank.value, m - rows.rank.value));
    knows_rows = true;
  });
  if (knows_rank != knows_rows)
    json.refuse(fmt::format("contains {} but not {}: both or neither must be given",
                            knows_rank ? "rank" : "dependent_rows", knows_rank ? "dependent_rows" : "rank"));
  if (!knows_rows) return;
  std::vector<Index> all(at(m));
  std::iota(all.begin(), all.end(), 0);
  std::set_difference(all.begin(), all.end(), rows.dependent.begin(), rows.dependent.end(),
                      std::back_inserter(rows.independent));
  system.rows = std::move(rows);
}

MotionBranch read_branch(const Reader& json, Index n) {
  json.require_keys({"name", "tangents"});
  MotionBranch branch;
  std::vector<Eigen::VectorXd> tangents;
  json.with("name", [&](const Reader& name) { branch.name = name.text(); });
  json.with("tangents", [&](const Reader& list) {
    list.each(-1, "tangents", [&](const Reader& tangent) { tangents.push_back(tangent.numbers(n)); });
  });
  branch.tangents.resize(n, static_cast<Eigen::Index>(tangents.size()));
  for (std::size_t k = 0; k < tangents.size(); ++k) branch.tangents.col(static_cast<Eigen::Index>(k)) = tangents[k];
  return branch;
}

}  // namespace

bool write_system_json(std::FILE* file, const LinearSystem& system) {
  Writer to(file);
  to.put(fmt::format("{{\"schema\": \"{}\",\n \"name\": {}", schema,
                     Json(system.name).dump(-1, ' ', false, Json::error_handler_t::replace)));
  to.names("coordinates", system.coordinates(), system.coordinate_name);
  to.names("constraints", system.constraints(), system.constraint_name);
  to.names("inputs", system.inputs(), system.input_name);
  to.names("outputs", system.outputs(), system.output_name);
  put_operating_point(to, system);
  put_rank(to, system.rows);
  put_branches(to, system);
  to.put("}\n");
  return to.flush();
}

void read_system_json(const std::string& path, LinearSystem& system) {
  const Json content = read_json(path);
  const Reader json(path, content);
  json.require_keys({"schema", "name", "coordinates", "constraints", "inputs", "outputs", "operating_point", "rank",
                     "dependent_rows", "singular", "branches", "units", "comment"});
  json.with("schema", [&](const Reader& version) {
    if (version.text() != schema) version.refuse(fmt::format("must be '{}'", schema));
  });
  json.with("name", [&](const Reader& name) {
    if (!name.text().empty()) system.name = name.text();  // otherwise the name of the folder is kept
  });

  const Index n = system.coordinates(), m = system.constraints();
  const Index inputs = system.inputs(), outputs = system.outputs();
  json.with("coordinates", [&](const Reader& list) { system.coordinate_name = list.names(n); });
  json.with("constraints", [&](const Reader& list) { system.constraint_name = list.names(m); });
  json.with("inputs", [&](const Reader& list) { system.input_name = list.names(inputs); });
  json.with("outputs", [&](const Reader& list) { system.output_name = list.names(outputs); });
  json.with("operating_point", [&](const Reader& point) {
    point.require_keys({"q", "lambda", "u", "y"});
    point.with("q", [&](const Reader& q) { system.q = q.numbers(n); });
    point.with("lambda", [&](const Reader& lambda) { system.lambda = lambda.numbers(m); });
    point.with("u", [&](const Reader& u) { system.u = u.numbers(inputs); });
    point.with("y", [&](const Reader& y) { system.y = y.numbers(outputs); });
  });

  read_rows(json, system);
  json.with("singular", [&](const Reader& singular) { system.singular = singular.truth(); });
  json.with("branches", [&](const Reader& list) {
    list.each(-1, "branches", [&](const Reader& branch) { system.branches.push_back(read_branch(branch, n)); });
  });
}

}  // namespace stillpoint
