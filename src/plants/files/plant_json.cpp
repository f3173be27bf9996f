// A plant as one JSON object, schema stillpoint.plant/1. A full matrix is a list of rows, a sparse one an object of
// triplets with indices from 0, a complex number a pair [Re, Im], and a frequency response a list of matrices.

#include "plants/files/plant_json.h"

#include <fmt/format.h>

#include "formats/json_number.h"
#include "plants/files/plant_files.h"
#include "plants/files/plant_record.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;

std::string number(double value) { return json_number(value).dump(); }
std::string number(std::complex<double> z) { return fmt::format("[{}, {}]", number(z.real()), number(z.imag())); }
std::string number(Index value) { return std::to_string(value); }

/// Returns [text(0), text(1), …] with the separator `between`.
template <class Text>
std::string list(Eigen::Index count, const Text& text, const std::string& between = ", ") {
  std::string all = "[";
  for (Eigen::Index i = 0; i < count; ++i) all += (i > 0 ? between : "") + text(i);
  return all + "]";
}

template <class Numbers>
std::string row(const Numbers& x) {
  return list(x.size(), [&x](Eigen::Index i) { return number(x[i]); });
}

template <class Matrix>
std::string rows(const Matrix& A, const std::string& indent) {
  return list(
      A.rows(), [&A](Eigen::Index i) { return row(A.row(i)); }, ",\n" + indent);
}

std::string triplets(const SparseMatrix& A, const std::string& indent) {
  std::string i, j, values;
  for (Index column = 0; column < A.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(A, column); entry; ++entry) {
      const char* const comma = values.empty() ? "" : ", ";
      i += comma + number(static_cast<Index>(entry.row()));
      j += comma + number(column);
      values += comma + number(entry.value());
    }
  }
  return fmt::format("{{\"shape\": [{0}, {1}],\n{5}\"rows\": [{2}],\n{5}\"columns\": [{3}],\n{5}\"values\": [{4}]}}",
                     A.rows(), A.cols(), i, j, values, indent);
}

std::string text_of(const PlantValue& value, const std::string& indent);

std::string object(const PlantRecord& record, const std::string& indent) {
  std::string text = "{";
  for (const PlantEntry& entry : record) {
    const std::string before = fmt::format("{}\"{}\": ", indent, entry.name);
    if (text.size() > 1) text += ",\n" + indent;
    text += fmt::format("\"{}\": ", entry.name) + text_of(entry.value, std::string(before.size() + 1, ' '));
  }
  return text + "}";
}

std::string text_of(const PlantValue& value, const std::string& indent) {
  return std::visit(
      Overloaded{[](double x) { return number(x); }, [](const std::string& text) { return Json(text).dump(); },
                 [](const Texts& texts) {
                   return list(std::ssize(texts),
                               [&texts](Eigen::Index i) { return Json(texts[static_cast<std::size_t>(i)]).dump(); });
                 },
                 [](const Eigen::VectorXd& x) { return row(x); }, [](const Eigen::VectorXcd& x) { return row(x); },
                 [&indent](const PlantMatrix& matrix) {
                   return matrix.full ? rows(full_matrix(matrix), indent) : triplets(*matrix.matrix, indent);
                 },
                 [&indent](const PlantResponse& response) {
                   return list(
                       std::ssize(response),
                       [&](Eigen::Index k) { return rows(response[static_cast<std::size_t>(k)], indent + " "); },
                       ",\n" + indent);
                 },
                 [&indent](const PlantRecord& record) { return object(record, indent); }},
      value);
}

}  // namespace

std::string json_text(const PlantRecord& record) { return object(record, " ") + "\n"; }

std::string to_plant_json(const Plant& plant) { return json_text(plant_record(plant)); }

}  // namespace stillpoint
