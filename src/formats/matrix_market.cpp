#include "formats/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include "base/at.h"
#include "base/read_text.h"
#include "base/whole_file.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Reading

enum class Symmetry { general, symmetric, skew };

struct Header {
  bool is_coordinate = true, is_integer = false;
  Symmetry symmetry = Symmetry::general;
};

/// Reads a file line by line and splits each line into words.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path) {
    require_file(path);
    file_.open(path, std::ios::binary);
    if (!file_) throw Error({path, 0, 0}, "cannot be read: " + std::string(std::strerror(errno)));
  }

  /// Reads the next line; false at the end of the file.
  bool next() {
    text_.clear();
    while (true) {  // a line is read in parts, so that one without an end does not fill the memory
      file_.getline(part_.data(), part_.size());
      if (file_.bad()) throw Error({path_, 0, 0}, "cannot be read to its end");
      const bool is_at_end = file_.eof(), is_longer = file_.fail() && !is_at_end;
      const auto count = static_cast<std::size_t>(file_.gcount());
      if (is_at_end && count == 0 && text_.empty()) return false;
      text_.append(part_.data(), is_at_end || is_longer ? count : count - 1);
      if (text_.size() > longest) refuse_line(number_ + 1, fmt::format("this line is longer than {} bytes", longest));
      if (!is_longer) break;
      file_.clear();
    }
    ++number_;
    place_ = 0;
    return true;
  }

  /// Reads the next line that is neither blank nor a comment; false at the end of the file.
  bool next_content() {
    while (next()) {
      skip_blanks();
      if (place_ < text_.size() && text_[place_] != '%') return true;
    }
    return false;
  }

  /// Returns the next word of the line; empty after the last one.
  std::string_view word() {
    skip_blanks();
    begin_ = place_;
    while (place_ < text_.size() && !is_blank(text_[place_])) ++place_;
    return std::string_view(text_).substr(begin_, place_ - begin_);
  }

  int number() const { return number_; }

  /// Throws an error that refers to the word read last.
  [[noreturn]] void refuse(const std::string& message) const {
    throw Error({path_, number_, static_cast<int>(begin_) + 1}, message);
  }
  [[noreturn]] void refuse_file(const std::string& message) const { throw Error({path_, 0, 0}, message); }
  [[noreturn]] void refuse_line(int line, const std::string& message) const { throw Error({path_, line, 1}, message); }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (place_ < text_.size() && is_blank(text_[place_])) ++place_;
  }

  static constexpr std::size_t longest = 1 << 20;

  std::string path_;
  std::ifstream file_;
  std::array<char, 4096> part_{};
  std::string text_;
  std::size_t place_ = 0, begin_ = 0;
  int number_ = 0;
};

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Header read_header(Lines& lines) {
  constexpr const char* expected = "a Matrix Market file starts with '%%MatrixMarket matrix coordinate real general'";
  if (!lines.next()) lines.refuse_file(fmt::format("is empty: {}", expected));
  const std::string first(lines.word());
  if (lower(first) != "%%matrixmarket") lines.refuse(fmt::format("{}, not with '{:.30}'", expected, first));
  if (const std::string what = lower(lines.word()); what != "matrix")
    lines.refuse(fmt::format("the object is a '{}': it must be a matrix", what));

  Header header;
  const std::string format = lower(lines.word());
  if (format != "coordinate" && format != "array")
    lines.refuse(fmt::format("the format '{}' is neither coordinate nor array", format));
  header.is_coordinate = format == "coordinate";

  const std::string field = lower(lines.word());
  if (field == "pattern") lines.refuse("the field 'pattern' has no values: it must be real or integer");
  if (field == "complex")
    lines.refuse(
        "the numbers are complex: they must be real (a complex stiffness, hysteretic damping, is not supported; give a "
        "viscous damping in its place)");
  if (field != "real" && field != "integer" && field != "double")
    lines.refuse(fmt::format("the numbers are '{}': they must be real or integer", field));
  header.is_integer = field == "integer";

  const std::string symmetry = lower(lines.word());
  if (symmetry == "symmetric") header.symmetry = Symmetry::symmetric;
  else if (symmetry == "skew-symmetric") header.symmetry = Symmetry::skew;
  else if (symmetry != "general")
    lines.refuse(fmt::format("the symmetry '{}' is none of general, symmetric and skew-symmetric", symmetry));
  return header;
}

/// Reads a whole number from `least` to `most`.
std::int64_t read_count(Lines& lines, const char* what, std::int64_t least, std::int64_t most) {
  const std::string_view word = lines.word();
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || failure != std::errc() || end != word.data() + word.size() || value < least || value > most)
    lines.refuse(fmt::format("the {} is '{}': it must be a whole number from {} to {}", what, word, least, most));
  return value;
}

double read_number(Lines& lines, const Header& header) {
  std::string_view word = lines.word();
  if (word.empty()) lines.refuse("the number of this entry is missing");
  const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
  double value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // A number too small for a double is rounded to zero.
  const bool is_tiny = failure == std::errc::result_out_of_range && std::abs(std::strtod(word.data(), nullptr)) < 1;
  if (is_tiny) return std::strtod(word.data(), nullptr);
  if (failure != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    lines.refuse(fmt::format("'{}' must be a finite number", word));
  if (header.is_integer && value != std::trunc(value))
    lines.refuse(fmt::format("'{}' must be an integer, as stated in the first line", word));
  return value;
}

void require_end_of_line(Lines& lines) {
  if (const std::string_view word = lines.word(); !word.empty())
    lines.refuse(fmt::format("'{}' is unexpected: the line must end here", word));
}

struct Size {
  Index rows = 0, columns = 0;
  std::int64_t entries = 0;
  int line = 0;
};

Size read_size(Lines& lines, const Header& header) {
  constexpr std::int64_t most = std::numeric_limits<Index>::max();
  if (!lines.next_content()) lines.refuse_file("ends before the line with the sizes");
  Size size;
  size.line = lines.number();
  size.rows = static_cast<Index>(read_count(lines, "number of rows", 0, most));
  size.columns = static_cast<Index>(read_count(lines, "number of columns", 0, most));
  if (header.symmetry != Symmetry::general && size.rows != size.columns)
    lines.refuse(fmt::format("a matrix of {} x {} cannot be symmetric: it must be square", size.rows, size.columns));
  if (header.is_coordinate) size.entries = read_count(lines, "number of entries", 0, most);
  require_end_of_line(lines);
  return size;
}

/// The entries read so far, with the line of each for error messages.
class Entries {
 public:
  Entries(const Header& header, const Size& size) : header_(header), size_(size) {
    const bool has_one_triangle = header.symmetry != Symmetry::general;
    const std::int64_t believed = std::min<std::int64_t>(size.entries, 1 << 24);  // the stated number may be wrong
    triplets_.reserve(at(has_one_triangle ? 2 * believed : believed));
  }

  // The format does not allow zeros on the diagonal of a skew-symmetric matrix, but SciPy writes them.
  void add(Index row, Index column, double value, const Lines& lines) {
    const bool is_skew = header_.symmetry == Symmetry::skew;
    if (is_skew && row == column) {
      if (value != 0) lines.refuse("a skew-symmetric matrix has no entries on its diagonal");
      return;
    }
    put(row, column, value, lines.number());
    if (header_.symmetry != Symmetry::general && row != column)
      put(column, row, is_skew ? -value : value, lines.number());
  }

  SparseMatrix matrix(const Lines& lines) const {
    SparseMatrix A(size_.rows, size_.columns);
    bool is_twice = false;
    A.setFromTriplets(triplets_.begin(), triplets_.end(), [&](double, double value) {
      is_twice = true;
      return value;
    });
    if (is_twice) refuse_duplicate(lines);
    return A;
  }

 private:
  struct Entry {
    Index row_, column_;
    int line;
    double value_;

    Index row() const { return row_; }
    Index col() const { return column_; }
    double value() const { return value_; }
  };

  void put(Index row, Index column, double value, int line) { triplets_.push_back({row, column, line, value}); }

  [[noreturn]] void refuse_duplicate(const Lines& lines) const {
    std::vector<Entry> sorted = triplets_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.column_, a.row_) < std::pair(b.column_, b.row_);
    });
    const auto first = std::adjacent_find(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
      return a.column_ == b.column_ && a.row_ == b.row_;
    });
    const char* const both =
        header_.symmetry == Symmetry::general ? "" : " (only one triangle of a symmetric matrix may be given)";
    lines.refuse_line((first + 1)->line, fmt::format("the entry ({}, {}) was given already in line {}{}",
                                                     first->row_ + 1, first->column_ + 1, first->line, both));
  }

  Header header_;
  Size size_;
  std::vector<Entry> triplets_;
};

Entries read_coordinates(Lines& lines, const Header& header, const Size& size) {
  Entries entries(header, size);
  for (std::int64_t k = 0; k < size.entries; ++k) {
    if (!lines.next_content())
      lines.refuse_file(fmt::format("ends after {} of the {} entries stated in line {}", k, size.entries, size.line));
    const auto row = static_cast<Index>(read_count(lines, "row", 1, size.rows));
    const auto column = static_cast<Index>(read_count(lines, "column", 1, size.columns));
    entries.add(row - 1, column - 1, read_number(lines, header), lines);
    require_end_of_line(lines);
  }
  return entries;
}

// The values are stored column by column; of symmetric matrices only the lower triangle is given.
Entries read_array(Lines& lines, const Header& header, const Size& size) {
  Entries entries(header, size);
  for (Index column = 0; column < size.columns; ++column) {
    const Index first = header.symmetry == Symmetry::general ? 0
                        : header.symmetry == Symmetry::skew  ? column + 1
                                                             : column;
    for (Index row = first; row < size.rows; ++row) {
      if (!lines.next_content())
        lines.refuse_file(fmt::format("ends before the number at ({}, {}) of a matrix of {} x {}", row + 1, column + 1,
                                      size.rows, size.columns));
      const double value = read_number(lines, header);
      if (value != 0) entries.add(row, column, value, lines);
      require_end_of_line(lines);
    }
  }
  return entries;
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

template <class T>
bool are_same(const T* a, const T* b, Eigen::Index count) {
  return count == 0 || std::memcmp(a, b, at(count) * sizeof(T)) == 0;
}

/// Whether pattern and bits agree with those of the transpose. The matrix read back from one triangle is then
/// identical.
bool is_symmetric(const SparseMatrix& A) {
  if (A.rows() != A.cols()) return false;
  const SparseMatrix transposed = A.transpose();
  return are_same(A.outerIndexPtr(), transposed.outerIndexPtr(), A.outerSize() + 1) &&
         are_same(A.innerIndexPtr(), transposed.innerIndexPtr(), A.nonZeros()) &&
         are_same(A.valuePtr(), transposed.valuePtr(), A.nonZeros());
}

std::int64_t count_lower(const SparseMatrix& A) {
  std::int64_t count = 0;
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) count += entry.row() >= j ? 1 : 0;
  }
  return count;
}

bool write(std::FILE* file, const SparseMatrix& A, const std::string& title) {
  constexpr std::size_t enough = 1 << 16;
  const bool symmetric = is_symmetric(A);
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "%%MatrixMarket matrix coordinate real {}\n% {}\n{} {} {}\n",
                 symmetric ? "symmetric" : "general", title, A.rows(), A.cols(),
                 symmetric ? count_lower(A) : static_cast<std::int64_t>(A.nonZeros()));
  const auto flush = [&] {
    const bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    text.clear();
    return good;
  };
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (symmetric && entry.row() < j) continue;
      fmt::format_to(std::back_inserter(text), "{} {} {}\n", entry.row() + 1, j + 1, entry.value());
    }
    if (text.size() > enough && !flush()) return false;
  }
  return flush();
}

}  // namespace

SparseMatrix read_matrix_market(const std::string& path) {
  Lines lines(path);
  const Header header = read_header(lines);
  const Size size = read_size(lines, header);
  const Entries entries =
      header.is_coordinate ? read_coordinates(lines, header, size) : read_array(lines, header, size);
  if (lines.next_content())
    lines.refuse_line(lines.number(), fmt::format("the file contains more than line {} states", size.line));
  return entries.matrix(lines);
}

void write_matrix_market(const std::string& path, const SparseMatrix& A, const std::string& title) {
  SparseMatrix compressed;
  const SparseMatrix* written = &A;
  if (!A.isCompressed()) {
    compressed = A;
    compressed.makeCompressed();
    written = &compressed;
  }
  write_whole_file(path, [&](std::FILE* file) { return write(file, *written, title); });
}

}  // namespace stillpoint
