// Matrix Market files: what comes from elsewhere is read, what is wrong is refused at its line, what is written comes
// back bit for bit.

#include "formats/matrix_market.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/linearize/claims.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

Eigen::MatrixXd read(const std::string& text) {
  const ScratchFolder folder;
  return read_matrix_market(folder.write("A.mtx", text)).toDense();
}

/// The message without the folder.
std::string refusal(const std::string& text) {
  const ScratchFolder folder;
  const std::string path = folder.write("A.mtx", text), message = error_of([&] { read_matrix_market(path); });
  return message.starts_with(path) ? "A.mtx" + message.substr(path.size()) : message;
}

const std::string head = "%%MatrixMarket matrix coordinate real general\n";

SparseMatrix written_and_read(const SparseMatrix& A, std::string* text = nullptr) {
  const ScratchFolder folder;
  write_matrix_market(folder / "A.mtx", A, "A");
  if (text) *text = content_of(folder / "A.mtx");
  return read_matrix_market(folder / "A.mtx");
}

SparseMatrix random_matrix(Index rows, Index columns, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Eigen::Triplet<double, Index>> triplets;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      if (random() % 3 != 0) continue;
      const double magnitude = std::ldexp(1.0, static_cast<int>(random() % 2000) - 1000);
      triplets.emplace_back(i, j,
                            (random() % 2 ? 1 : -1) * magnitude * (1 + std::ldexp(static_cast<double>(random()), -32)));
    }
  }
  SparseMatrix A(rows, columns);
  A.setFromTriplets(triplets.begin(), triplets.end());
  return A;
}

}  // namespace

TEST_CASE("matrix market: entries in any order, comments, blank lines, upper case, tabs and ends of line of Windows") {
  CHECK(read("%%matrixmarket MATRIX Coordinate Real GENERAL\r\n% a comment\r\n\r\n2 3 3\r\n2\t3 -1.5e2\r\n1 1 +4\r\n"
             "% between\n  1  2   .5  \n\n") == Eigen::MatrixXd{{4, 0.5, 0}, {0, 0, -150}});
  CHECK(read("%%MatrixMarket matrix coordinate integer general\n1 2 1\n1 2 7\n") == Eigen::MatrixXd{{0, 7}});
}

TEST_CASE("matrix market: of symmetric matrices either triangle may be there") {
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n";
  const Eigen::MatrixXd expected{{1, 5}, {5, 0}};
  CHECK(read(symmetric + "1 1 1\n2 1 5\n") == expected);
  CHECK(read(symmetric + "1 1 1\n1 2 5\n") == expected);
  CHECK(read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 3\n1 1 0\n2 1 5\n2 2 0.0\n") ==
        Eigen::MatrixXd{{0, -5}, {5, 0}});  // as SciPy writes it
  CHECK(read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n") ==
        Eigen::MatrixXd{{0, -5}, {5, 0}});
}

TEST_CASE("matrix market: dense arrays go column after column, and their zeros are no entries") {
  CHECK(read("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n0\n") ==
        Eigen::MatrixXd{{1, 3, 5}, {2, 4, 0}});
  CHECK(read("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n") == Eigen::MatrixXd{{1, 2}, {2, 3}});
  CHECK(read("%%MatrixMarket matrix array real skew-symmetric\n2 2\n2\n") == Eigen::MatrixXd{{0, -2}, {2, 0}});
  const ScratchFolder folder;
  CHECK(read_matrix_market(folder.write("A", "%%MatrixMarket matrix array real general\n1 2\n0\n8\n")).nonZeros() == 1);
}

TEST_CASE("matrix market: numbers smaller than any double are zero") {
  CHECK(read(head + "1 2 2\n1 1 1e-400\n1 2 -4e-324\n") == Eigen::MatrixXd{{0, -4e-324}});
}

TEST_CASE("matrix market: what is wrong is refused at its line and column") {
  const auto check = [](const std::string& text, const std::string& expected) {
    CHECK_MESSAGE(refusal(text) == "A.mtx" + expected, refusal(text));
  };
  const std::string expected = "a Matrix Market file starts with '%%MatrixMarket matrix coordinate real general'";
  check("", ": is empty: " + expected);
  check("1 2 3\n", ":1:1: " + expected + ", not with '1'");
  check("%%MatrixMarket vector coordinate real general\n", ":1:16: the object is a 'vector': it must be a matrix");
  check("%%MatrixMarket matrix sparse real general\n", ":1:23: the format 'sparse' is neither coordinate nor array");
  check("%%MatrixMarket matrix coordinate complex general\n",
        ":1:34: the numbers are complex: they must be real (a complex stiffness, hysteretic damping, is not supported; "
        "give "
        "a viscous damping in its place)");
  check("%%MatrixMarket matrix coordinate pattern general\n",
        ":1:34: the field 'pattern' has no values: it must be real or integer");
  check("%%MatrixMarket matrix coordinate real hermitian\n",
        ":1:39: the symmetry 'hermitian' is none of general, symmetric and skew-symmetric");
  check("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
        ":2:3: a matrix of 2 x 3 cannot be symmetric: it must be square");
  check(head, ": ends before the line with the sizes");
  check(head + "2 -2 1\n", ":2:3: the number of columns is '-2': it must be a whole number from 0 to 2147483647");
  check(head + "2 2\n", ":2:4: the number of entries is '': it must be a whole number from 0 to 2147483647");
  check(head + "2 2 0 1\n", ":2:7: '1' is unexpected: the line must end here");
  check(head + "% c\n2 2 2\n1 1 1\n", ": ends after 1 of the 2 entries stated in line 3");
  check(head + "2 2 1\n1 1 1\n2 2 1\n", ":4:1: the file contains more than line 2 states");
  check(head + "2 2 1\n0 1 1\n", ":3:1: the row is '0': it must be a whole number from 1 to 2");
  check(head + "2 2 1\n1 3 1\n", ":3:3: the column is '3': it must be a whole number from 1 to 2");
  check(head + "2 2 1\n1.5 1 1\n", ":3:1: the row is '1.5': it must be a whole number from 1 to 2");
  check(head + "2 2 1\n1 1\n", ":3:4: the number of this entry is missing");
  check(head + "2 2 1\n1 1 1,5\n", ":3:5: '1,5' must be a finite number");
  check(head + "2 2 1\n1 1 nan\n", ":3:5: 'nan' must be a finite number");
  check(head + "2 2 1\n1 1 1e400\n", ":3:5: '1e400' must be a finite number");
  check(head + "2 2 1\n1 1 1 2\n", ":3:7: '2' is unexpected: the line must end here");
  check("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 0.5\n",
        ":3:5: '0.5' must be an integer, as stated in the first line");
  check(head + "2 2 3\n1 2 1\n1 1 1\n1 2 4\n", ":5:1: the entry (1, 2) was given already in line 3");
  check("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n1 2 1\n",
        ":4:1: the entry (2, 1) was given already in line 3 (only one triangle of a symmetric matrix may be given)");
  check("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n",
        ":3:5: a skew-symmetric matrix has no entries on its diagonal");
  check("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n",
        ": ends before the number at (2, 2) of a matrix of 2 x 2");
}

TEST_CASE("matrix market: a file that is not there or promises more than memory holds is refused or found short") {
  const ScratchFolder folder;
  CHECK(contains(error_of([&] { read_matrix_market(folder / "none.mtx"); }), "none.mtx: cannot be read: No such file"));
  CHECK(contains(refusal(head + "9 9 2000000000\n1 1 1\n"), "ends after 1 of the 2000000000 entries"));
}

TEST_CASE("matrix market: what is written comes back bit for bit, with stored zeros") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    const SparseMatrix A = random_matrix(1 + seed % 7, 1 + seed % 5, seed);
    CHECK(are_identical(A, written_and_read(A)));
    const SparseMatrix square = random_matrix(6, 6, seed), symmetric = square + SparseMatrix(square.transpose());
    CHECK(are_identical(symmetric, written_and_read(symmetric)));
  }
  SparseMatrix special(2, 2);
  special.insert(0, 0) = -0.0;
  special.insert(1, 0) = std::numeric_limits<double>::denorm_min();
  special.insert(0, 1) = 0;
  special.insert(1, 1) = std::numeric_limits<double>::max();
  special.makeCompressed();
  CHECK(are_identical(special, written_and_read(special)));
  CHECK(are_identical(SparseMatrix(3, 0), written_and_read(SparseMatrix(3, 0))));
}

TEST_CASE("matrix market: a matrix is written as symmetric if it is exactly so") {
  std::string text;
  SparseMatrix A = Eigen::MatrixXd{{1, 0.1}, {0.1, 0}}.sparseView();
  written_and_read(A, &text);
  CHECK(text == "%%MatrixMarket matrix coordinate real symmetric\n% A\n2 2 2\n1 1 1\n2 1 0.1\n");
  A.coeffRef(0, 1) = std::nextafter(0.1, 1);
  written_and_read(A, &text);
  CHECK(text == "%%MatrixMarket matrix coordinate real general\n% A\n2 2 3\n1 1 1\n2 1 0.1\n1 2 0.10000000000000002\n");
}
