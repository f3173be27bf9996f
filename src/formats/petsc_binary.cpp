#include "formats/petsc_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "base/at.h"
#include "base/read_text.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr std::int32_t matrix_class = 1211216, vector_class = 1211214, index_set_class = 1211218;

static_assert(std::endian::native == std::endian::little);

template <class Number>
Number other_end_first(Number number) {
  unsigned char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof number);
  std::reverse(std::begin(bytes), std::end(bytes));
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

template <class Number>
void put_big_endian(std::string& to, Number number) {
  const Number turned = other_end_first(number);
  to.append(reinterpret_cast<const char*>(&turned), sizeof turned);
}

void put_integer(std::string& to, std::int64_t number) { put_big_endian(to, static_cast<std::int32_t>(number)); }

std::size_t bytes_of_number(PetscScalarType type) { return type == PetscScalarType::complex ? 16 : 8; }

/// Reads a file from its beginning to its end.
class PetscReader {
 public:
  explicit PetscReader(const std::string& path) : path_(path), file_(nullptr, &std::fclose) {
    require_file(path);
    file_.reset(std::fopen(path.c_str(), "rb"));
    if (!file_) fail("cannot be read: {}", std::strerror(errno));
  }

  template <class... Arguments>
  [[noreturn]] void fail(fmt::format_string<Arguments...> text, Arguments&&... arguments) const {
    throw Error({path_, 0, 0}, fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  template <class Number>
  Number next(const char* what) {
    Number number;
    if (std::fread(&number, sizeof number, 1, file_.get()) != 1)
      fail("ends at byte {}, where {} should be", place_, what);
    place_ += sizeof number;
    return other_end_first(number);
  }

  bool is_at_end() { return std::fgetc(file_.get()) == EOF; }
  std::size_t place() const { return place_; }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::size_t place_ = 0;
};

double next_real(PetscReader& reader, Index row, Index column) {
  const auto number = reader.next<double>("a number of a vector");
  if (!std::isfinite(number))
    reader.fail("number {} of vector {}, before byte {}, is not finite", row + 1, column + 1, reader.place());
  return number;
}

void read_vector_head(PetscReader& reader, Index size, Index column) {
  const auto kind = reader.next<std::int32_t>("the beginning of a vector");
  if (kind != vector_class)
    reader.fail("byte {}: vector {} should begin with {}, the mark of PETSc's vectors, not with {}", reader.place() - 4,
                column + 1, vector_class, kind);
  const auto length = reader.next<std::int32_t>("the size of a vector");
  if (length != size)
    reader.fail("byte {}: vector {} has {} numbers, and {} are needed", reader.place() - 4, column + 1, length, size);
}

}  // namespace

std::string petsc_matrix(const Eigen::SparseMatrix<double, Eigen::RowMajor, Index>& A, PetscScalarType type) {
  const auto entries = static_cast<std::size_t>(A.nonZeros());
  std::string bytes;
  bytes.reserve(16 + 4 * at(A.rows()) + entries * (4 + bytes_of_number(type)));
  for (const std::int64_t number : {std::int64_t{matrix_class}, A.rows(), A.cols(), A.nonZeros()})
    put_integer(bytes, number);
  for (Eigen::Index i = 0; i < A.rows(); ++i) put_integer(bytes, A.outerIndexPtr()[i + 1] - A.outerIndexPtr()[i]);
  for (Eigen::Index k = 0; k < A.nonZeros(); ++k) put_integer(bytes, A.innerIndexPtr()[k]);
  for (Eigen::Index k = 0; k < A.nonZeros(); ++k) {
    put_big_endian(bytes, A.valuePtr()[k]);
    if (type == PetscScalarType::complex) put_big_endian(bytes, 0.0);
  }
  return bytes;
}

std::string petsc_index_set(const std::vector<Index>& indices) {
  std::string bytes;
  put_integer(bytes, index_set_class);
  put_integer(bytes, static_cast<std::int64_t>(indices.size()));
  for (const Index index : indices) put_integer(bytes, index);
  return bytes;
}

std::string petsc_vectors(const Eigen::MatrixXcd& columns, PetscScalarType type) {
  std::string bytes;
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    put_integer(bytes, vector_class);
    put_integer(bytes, columns.rows());
    for (Eigen::Index i = 0; i < columns.rows(); ++i) {
      put_big_endian(bytes, columns(i, j).real());
      if (type == PetscScalarType::complex) put_big_endian(bytes, columns(i, j).imag());
    }
  }
  return bytes;
}

Eigen::MatrixXcd read_petsc_vectors(const std::string& path, Index size, Index count, PetscScalarType type) {
  PetscReader reader(path);
  Eigen::MatrixXcd columns(size, count);
  for (Index j = 0; j < count; ++j) {
    read_vector_head(reader, size, j);
    for (Index i = 0; i < size; ++i) {
      const double real = next_real(reader, i, j);
      columns(i, j) = {real, type == PetscScalarType::complex ? next_real(reader, i, j) : 0.0};
    }
  }
  if (!reader.is_at_end())
    reader.fail("goes on after byte {}, the end of the {} vectors that the answer names", reader.place(), count);
  return columns;
}

}  // namespace stillpoint
