// A plant as NPZ of NumPy. The name of an entry of a struct contains a dot, "Offsets.x". A sparse matrix is stored as
// four arrays with the names of SciPy, "T.data", "T.indices", "T.indptr" and "T.shape" (compressed columns).

#include <array>

#include "formats/bytes.h"
#include "formats/npz.h"
#include "plants/files/plant_files.h"
#include "plants/files/plant_record.h"

namespace stillpoint {

namespace {

std::string whole_numbers(const Index* values, std::int64_t count) {
  return npy("<i4", {count}, bytes_of(values, count));
}

std::string response_array(const PlantResponse& response) {
  const auto [outputs, inputs] = size_of(response);
  std::string bytes;
  for (const Eigen::MatrixXcd& H : response) bytes += bytes_of(H.data(), H.size());
  return npy("<c16", {outputs, inputs, std::ssize(response)}, bytes);
}

using Members = std::vector<NpzMember>;

void add_sparse(const std::string& name, SparseMatrix A, Members& to) {
  A.makeCompressed();
  const std::array<std::int64_t, 2> shape{A.rows(), A.cols()};
  to.push_back({name + ".data", npy_reals({A.nonZeros()}, A.valuePtr(), A.nonZeros())});
  to.push_back({name + ".indices", whole_numbers(A.innerIndexPtr(), A.nonZeros())});
  to.push_back({name + ".indptr", whole_numbers(A.outerIndexPtr(), A.cols() + 1)});
  to.push_back({name + ".shape", npy("<i8", {2}, bytes_of(shape))});
}

void add_matrix(const std::string& name, const PlantMatrix& matrix, Members& to) {
  if (!matrix.full) return add_sparse(name, *matrix.matrix, to);
  const Eigen::MatrixXd A = full_matrix(matrix);
  to.push_back({name, npy_reals({A.rows(), A.cols()}, A.data(), A.size())});
}

void add_record(const std::string& prefix, const PlantRecord& record, Members& to) {
  for (const PlantEntry& entry : record) {
    const std::string name = prefix + entry.name;
    std::visit(Overloaded{[&](double x) {
                            to.push_back({name, npy_reals({}, &x, 1)});
                          },
                          [&](const std::string& text) {
                            to.push_back({name, npy_texts({text}, {})});
                          },
                          [&](const Texts& texts) {
                            to.push_back({name, npy_texts(texts, {std::ssize(texts)})});
                          },
                          [&](const Eigen::VectorXd& x) {
                            to.push_back({name, npy_reals({x.size()}, x.data(), x.size())});
                          },
                          [&](const Eigen::VectorXcd& x) {
                            to.push_back({name, npy("<c16", {x.size()}, bytes_of(x.data(), x.size()))});
                          },
                          [&](const PlantMatrix& matrix) { add_matrix(name, matrix, to); },
                          [&](const PlantResponse& response) {
                            to.push_back({name, response_array(response)});
                          },
                          [&](const PlantRecord& inner) { add_record(name + ".", inner, to); }},
               entry.value);
  }
}

}  // namespace

std::string to_npz(const Plant& plant) {
  Members members;
  add_record("", plant_record(plant), members);
  return npz(members);
}

}  // namespace stillpoint
