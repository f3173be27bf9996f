#include "engines/engine_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/at.h"
#include "formats/read_json.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "stillpoint.engine.answer/1";

/// Takes values out of answer.json, each of which must be what the contract says.
class AnswerFile {
 public:
  AnswerFile(std::string path, Json json) : path_(std::move(path)), json_(std::move(json)) {
    if (!json_.is_object()) fail("must be a JSON object");
  }

  [[noreturn]] void fail(const std::string& what) const { throw Error({path_, 0, 0}, what); }

  const Json& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fail(fmt::format("has no '{}'", key));
    return *found;
  }
  std::string text(const char* key) const {
    if (!at(key).is_string()) fail(fmt::format("'{}' must be a text, not {}", key, at(key).dump()));
    return at(key).get<std::string>();
  }
  Index whole(const Json& value, const std::string& key, std::int64_t most) const {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() > most)
      fail(fmt::format("'{}' must be a whole number from 0 to {}, not {}", key, most, value.dump()));
    return value.get<Index>();
  }
  double number(const Json& value, const std::string& key) const {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      fail(fmt::format("'{}' must be a finite number, not {}", key, value.dump()));
    return value.get<double>();
  }
  const Json& list(const Json& value, const std::string& key, std::optional<std::size_t> length = {}) const {
    if (!value.is_array() || (length && value.size() != *length))
      fail(fmt::format("'{}' must be a list{}, not {}", key, length ? fmt::format(" of {} numbers", *length) : "",
                       value.dump().substr(0, 60)));
    return value;
  }

 private:
  std::string path_;
  Json json_;
};

std::complex<double> value_in(const AnswerFile& file, const Json& json, std::size_t k, bool is_quadratic) {
  const std::string key = fmt::format("values[{}]", k);
  if (!is_quadratic) return file.number(json, key);
  file.list(json, key, 2);
  const std::complex<double> value(file.number(json[0], key), file.number(json[1], key));
  if (value.imag() < 0) file.fail(fmt::format("'{}' must have an imaginary part that is not negative", key));
  return value;
}

EngineAnswer::Inertia inertia_in(const AnswerFile& file, const Json& json, std::size_t k, Index unknowns) {
  const std::string key = fmt::format("inertia[{}]", k);
  for (const char* part : {"of", "negative", "zero"}) {
    if (!json.is_object() || !json.contains(part)) file.fail(fmt::format("'{}' has no '{}'", key, part));
  }
  EngineAnswer::Inertia inertia;
  const Json& a = file.list(json["of"], key + ".of", 3);
  for (std::size_t i = 0; i < 3; ++i) inertia.a[i] = file.number(a[i], key + ".of");
  inertia.negative = file.whole(json["negative"], key + ".negative", unknowns);
  inertia.zero = file.whole(json["zero"], key + ".zero", unknowns - inertia.negative);
  return inertia;
}

// The real program writes the real and the imaginary part of a vector of the quadratic problem one after the other.
Eigen::MatrixXcd vectors_in(const std::string& path, const EngineRequest& request, std::size_t count) {
  const bool is_in_parts = request.is_quadratic && request.scalar == PetscScalarType::real;
  const auto columns = static_cast<Index>(count);
  if (columns == 0) return Eigen::MatrixXcd(request.unknowns(), 0);  // PETSc makes no file then
  if (!is_in_parts) return read_petsc_vectors(path, request.unknowns(), columns, request.scalar);
  const Eigen::MatrixXcd parts = read_petsc_vectors(path, request.unknowns(), 2 * columns, request.scalar);
  Eigen::MatrixXcd vectors(request.unknowns(), columns);
  for (Index k = 0; k < columns; ++k)
    vectors.col(k) = parts.col(2 * k) + std::complex<double>(0, 1) * parts.col(2 * k + 1);
  return vectors;
}

void require_same(const AnswerFile& file, const EngineRequest& request) {
  if (const std::string found = file.text("schema"); found != schema)
    file.fail(fmt::format("'schema' is '{}', and this version reads '{}'", found, schema));
  if (file.text("identity") != request.identity)
    file.fail(
        "'identity' is that of another request: the model, its parameters or what is asked for have changed since the "
        "folder was written");
  const char* const scalar = request.scalar == PetscScalarType::real ? "real" : "complex";
  if (const std::string found = file.text("scalar"); found != scalar)
    file.fail(fmt::format("'scalar' is '{}', and the request is for {} numbers: it was answered by the wrong program",
                          found, scalar));
}

}  // namespace

std::optional<Index> EngineAnswer::below(double mu, Index constraints) const {
  constexpr double same = 1e-9;  // relative: a place is written and computed again
  for (const Inertia& entry : inertia) {
    const bool is_of_undamped = entry.a[0] > 0 && entry.a[1] == 0;
    if (!is_of_undamped || !(std::abs(-entry.a[2] / entry.a[0] - mu) <= same * std::abs(mu))) continue;
    return entry.zero == 0 ? std::optional(entry.negative - constraints) : std::nullopt;
  }
  return {};
}

EngineAnswer read_engine_answer(const std::string& folder, const EngineProblem& problem) {
  const EngineRequest& request = problem.request();
  const std::string path = (std::filesystem::path(folder) / "answer.json").string();
  if (!std::filesystem::exists(path)) throw Error({path, 0, 0}, "does not exist: the engine has not answered");
  const AnswerFile file(path, read_json(path));
  require_same(file, request);

  EngineAnswer answer;
  answer.engine = file.text("engine");
  answer.ranks = file.whole(file.at("ranks"), "ranks", std::numeric_limits<Index>::max());
  const std::string status = file.text("status");
  if (status == "failed") throw Undecided(fmt::format("the engine {} failed: {}", answer.engine, file.text("message")));
  if (status != "converged" && status != "incomplete")
    file.fail(fmt::format("'status' is '{}'; it must be converged, incomplete or failed", status));
  answer.is_converged = status == "converged";
  if (!answer.is_converged) answer.message = file.text("message");
  const Json& values = file.list(file.at("values"), "values");
  for (std::size_t k = 0; k < values.size(); ++k)
    answer.values.push_back(value_in(file, values[k], k, request.is_quadratic));
  if (answer.values.size() > 2 * at(request.coordinates))
    file.fail(fmt::format("has {} values, more than the problem has eigenvalues", answer.values.size()));
  const Json& region = file.list(file.at("region"), "region", 2);
  answer.from = file.number(region[0], "region");
  answer.to = file.number(region[1], "region");
  if (!(answer.from < answer.to)) file.fail("'region' must ascend");
  const Json& inertia = file.list(file.at("inertia"), "inertia");
  for (std::size_t k = 0; k < inertia.size(); ++k)
    answer.inertia.push_back(inertia_in(file, inertia[k], k, request.unknowns()));

  const Eigen::MatrixXcd ordered =
      vectors_in((std::filesystem::path(folder) / "vectors.petsc").string(), request, answer.values.size());
  answer.vectors.resize(ordered.rows(), ordered.cols());
  for (Eigen::Index i = 0; i < ordered.rows(); ++i) answer.vectors.row(i) = ordered.row(problem.rows()[at(i)]);
  return answer;
}

}  // namespace stillpoint
