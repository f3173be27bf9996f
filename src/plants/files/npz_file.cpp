// NPZ of NumPy: a zip archive of arrays in NumPy's own format, stored without compression. The name of an entry of a
// struct contains a dot, "Offsets.x". A sparse matrix is stored as four arrays with the names of SciPy, "T.data",
// "T.indices", "T.indptr" and "T.shape" (compressed columns).
//
// Source: numpy.lib.format (NEP 1), version 1.0; PKWARE, APPNOTE.TXT 6.3, sections 4.3 and 4.4.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/utf8.h"
#include "formats/bytes.h"
#include "formats/crc32.h"
#include "plants/files/plant_files.h"
#include "plants/files/plant_record.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// One array

using Shape = std::vector<std::int64_t>;

std::string python_tuple(const Shape& shape) {
  std::string text = "(";
  for (const std::int64_t size : shape) text += fmt::format("{}, ", size);
  return text + ")";
}

/// Returns an array in column-major order, as in Eigen.
std::string npy(const std::string& type, const Shape& shape, const std::string& bytes) {
  constexpr std::size_t alignment = 64, before_text = 10;
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': True, 'shape': {}, }}", type, python_tuple(shape));
  text.append(alignment - (before_text + text.size() + 1) % alignment, ' ');
  text += '\n';
  const auto size = static_cast<std::uint16_t>(text.size());
  return std::string("\x93NUMPY\x01\x00", 8) + bytes_of(&size, 1) + text + bytes;
}

std::string reals(const Shape& shape, const double* values, std::int64_t count) {
  return npy("<f8", shape, bytes_of(values, count));
}

std::string whole_numbers(const Index* values, std::int64_t count) {
  return npy("<i4", {count}, bytes_of(values, count));
}

/// Returns an array of texts in UTF-32, padded to the length of the longest.
std::string texts_array(const Texts& texts, const Shape& shape) {
  std::vector<std::u32string> wide;
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, wide.emplace_back(characters(text)).size());
  std::string bytes;
  for (std::u32string& text : wide) {
    text.resize(longest, U'\0');
    bytes += bytes_of(text);
  }
  return npy(fmt::format("<U{}", longest), shape, bytes);
}

std::string response_array(const PlantResponse& response) {
  const auto [outputs, inputs] = size_of(response);
  std::string bytes;
  for (const Eigen::MatrixXcd& H : response) bytes += bytes_of(H.data(), H.size());
  return npy("<c16", {outputs, inputs, std::ssize(response)}, bytes);
}

// ---------------------------------------------------------------------------------------------------------------------
// All arrays of a record

struct Member {
  std::string name, content;
};
using Members = std::vector<Member>;

void add_sparse(const std::string& name, SparseMatrix A, Members& to) {
  A.makeCompressed();
  const std::array<std::int64_t, 2> shape{A.rows(), A.cols()};
  to.push_back({name + ".data", reals({A.nonZeros()}, A.valuePtr(), A.nonZeros())});
  to.push_back({name + ".indices", whole_numbers(A.innerIndexPtr(), A.nonZeros())});
  to.push_back({name + ".indptr", whole_numbers(A.outerIndexPtr(), A.cols() + 1)});
  to.push_back({name + ".shape", npy("<i8", {2}, bytes_of(shape))});
}

void add_matrix(const std::string& name, const PlantMatrix& matrix, Members& to) {
  if (!matrix.full) return add_sparse(name, *matrix.matrix, to);
  const Eigen::MatrixXd A = full_matrix(matrix);
  to.push_back({name, reals({A.rows(), A.cols()}, A.data(), A.size())});
}

void add_record(const std::string& prefix, const PlantRecord& record, Members& to) {
  for (const PlantEntry& entry : record) {
    const std::string name = prefix + entry.name;
    std::visit(Overloaded{[&](double x) {
                            to.push_back({name, reals({}, &x, 1)});
                          },
                          [&](const std::string& text) {
                            to.push_back({name, texts_array({text}, {})});
                          },
                          [&](const Texts& texts) {
                            to.push_back({name, texts_array(texts, {std::ssize(texts)})});
                          },
                          [&](const Eigen::VectorXd& x) {
                            to.push_back({name, reals({x.size()}, x.data(), x.size())});
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

// ---------------------------------------------------------------------------------------------------------------------
// The archive

constexpr std::uint32_t local_header = 0x04034b50, central_header = 0x02014b50, end_of_archive = 0x06054b50;

/// Returns the part that the local header of a file and its entry in the directory share.
std::string description(const std::string& name, const std::string& content) {
  std::string text;
  put<std::uint16_t>(text, 20);      // the version that can read it: 2.0
  put<std::uint16_t>(text, 0);       // flags
  put<std::uint16_t>(text, 0);       // stored
  put<std::uint16_t>(text, 0);       // time: midnight
  put<std::uint16_t>(text, 0x0021);  // date: 1980-01-01, as in NumPy
  put(text, crc32(content));
  put(text, static_cast<std::uint32_t>(content.size()));
  put(text, static_cast<std::uint32_t>(content.size()));
  put(text, static_cast<std::uint16_t>(name.size()));
  put<std::uint16_t>(text, 0);  // no extra field
  return text;
}

std::string directory_entry(const std::string& described, const std::string& name, std::size_t place) {
  constexpr std::uint32_t readable_file = 0100644u << 16;
  std::string text;
  put(text, central_header);
  put<std::uint16_t>(text, 3 << 8 | 20);  // made on Unix
  text += described;
  put<std::uint16_t>(text, 0);  // no comment
  put<std::uint16_t>(text, 0);  // disk
  put<std::uint16_t>(text, 0);  // internal attributes
  put(text, readable_file);
  put(text, static_cast<std::uint32_t>(place));
  return text + name;
}

void require_room(std::size_t size) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - (1u << 20);  // the directory follows
  if (size > most)
    throw Error(
        fmt::format("{} bytes are too many for a .npz file, which holds {}: write a FOLDER/ instead", size, most));
}

std::string zip(const Members& members) {
  std::string archive, directory;
  for (const Member& member : members) {
    const std::string name = member.name + ".npy", described = description(name, member.content);
    directory += directory_entry(described, name, archive.size());
    put(archive, local_header);
    archive += described + name + member.content;
    require_room(archive.size());
  }
  const std::size_t begin = archive.size();
  const auto count = static_cast<std::uint16_t>(members.size());
  archive += directory;
  put(archive, end_of_archive);
  put<std::uint16_t>(archive, 0);  // disk
  put<std::uint16_t>(archive, 0);
  put(archive, count);
  put(archive, count);
  put(archive, static_cast<std::uint32_t>(directory.size()));
  put(archive, static_cast<std::uint32_t>(begin));
  put<std::uint16_t>(archive, 0);  // no comment
  return archive;
}

}  // namespace

std::string to_npz(const Plant& plant) {
  Members members;
  add_record("", plant_record(plant), members);
  return zip(members);
}

}  // namespace stillpoint
