// MAT-file of MATLAB, level 5, uncompressed. A header of 128 bytes is followed by data elements, each with a tag (type,
// number of bytes) and the bytes, padded to a multiple of eight. An array is an element that consists of elements.
//
// Source: MathWorks, MAT-File Format (R2019b), chapter 1.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/at.h"
#include "base/utf8.h"
#include "formats/bytes.h"
#include "plants/files/plant_files.h"
#include "plants/files/plant_record.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

enum class DataType : std::uint32_t { int8 = 1, uint8 = 2, int32 = 5, uint32 = 6, float64 = 9, matrix = 14, utf8 = 16 };

enum class ArrayClass : std::uint32_t { cell = 1, structure = 2, character = 4, sparse = 5, float64 = 6, uint8 = 9 };

constexpr std::uint32_t is_complex = 0x0800;

using Dimensions = std::vector<std::int32_t>;

std::int32_t dimension(std::int64_t size) {
  if (size > std::numeric_limits<std::int32_t>::max())
    throw Error(fmt::format("an array of {} numbers is too long for a .mat file: write a FOLDER/ instead", size));
  return static_cast<std::int32_t>(size);
}

void pad(std::string& to) { to.append((8 - to.size() % 8) % 8, '\0'); }

void put_element(std::string& to, DataType type, const std::string& bytes) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (bytes.size() > most)
    throw Error(
        fmt::format("{} bytes are too many for one array of a .mat file, which holds {}: write a FOLDER/ "
                    "instead",
                    bytes.size(), most));
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const bool is_small = size >= 1 && size <= 4;  // small elements share eight bytes with their tag
  if (is_small) {
    put(to, size << 16 | static_cast<std::uint32_t>(type));
  } else {
    put(to, static_cast<std::uint32_t>(type));
    put(to, size);
  }
  to += bytes;
  pad(to);
}

/// Returns the elements with which every array begins.
std::string array_head(ArrayClass kind, const Dimensions& dimensions, const std::string& name, std::uint32_t flags = 0,
                       std::uint32_t entries = 0) {
  std::string head;
  const std::array<std::uint32_t, 2> words{static_cast<std::uint32_t>(kind) | flags, entries};
  put_element(head, DataType::uint32, bytes_of(words));
  put_element(head, DataType::int32, bytes_of(dimensions));
  put_element(head, DataType::int8, name);
  return head;
}

std::string array(const std::string& content) {
  std::string element;
  put_element(element, DataType::matrix, content);
  return element;
}

std::string real_array(const Dimensions& dimensions, const double* values, std::int64_t count) {
  std::string content = array_head(ArrayClass::float64, dimensions, "");
  put_element(content, DataType::float64, bytes_of(values, count));
  return array(content);
}

std::string complex_array(const Dimensions& dimensions, const std::vector<std::complex<double>>& values) {
  std::vector<double> real, imaginary;
  for (const std::complex<double> value : values) {
    real.push_back(value.real());
    imaginary.push_back(value.imag());
  }
  std::string content = array_head(ArrayClass::float64, dimensions, "", is_complex);
  put_element(content, DataType::float64, bytes_of(real));
  put_element(content, DataType::float64, bytes_of(imaginary));
  return array(content);
}

// MATLAB stores no zeros in a sparse array, and allocates at least one entry.
std::string sparse_array(const SparseMatrix& A) {
  std::vector<std::int32_t> rows, starts{0};
  std::vector<double> values;
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (entry.value() == 0) continue;
      rows.push_back(static_cast<std::int32_t>(entry.row()));
      values.push_back(entry.value());
    }
    starts.push_back(static_cast<std::int32_t>(rows.size()));
  }
  const auto room = static_cast<std::uint32_t>(std::max<std::size_t>(rows.size(), 1));
  std::string content = array_head(ArrayClass::sparse, {dimension(A.rows()), dimension(A.cols())}, "", 0, room);
  put_element(content, DataType::int32, bytes_of(rows));
  put_element(content, DataType::int32, bytes_of(starts));
  put_element(content, DataType::float64, bytes_of(values));
  return array(content);
}

// Texts are stored as UTF-8, which SciPy and MATLAB read. The dimensions count characters.
std::string text_array(const std::string& text) {
  const std::int32_t length = dimension(std::ssize(characters(text)));
  std::string content = array_head(ArrayClass::character, {length > 0 ? 1 : 0, length}, "");
  put_element(content, DataType::utf8, text);
  return array(content);
}

std::string byte_array(const std::string& bytes) {
  std::string content = array_head(ArrayClass::uint8, {bytes.empty() ? 0 : 1, dimension(std::ssize(bytes))}, "");
  put_element(content, DataType::uint8, bytes);
  return array(content);
}

std::string cell_array(const Texts& texts) {
  std::string content = array_head(ArrayClass::cell, {dimension(std::ssize(texts)), 1}, "");
  for (const std::string& text : texts) content += text_array(text);
  return array(content);
}

using Field = std::pair<std::string, std::string>;  // name and array

std::string struct_array(const std::vector<Field>& fields, const std::string& name = "") {
  constexpr std::int32_t room = 32;  // bytes of a name with its final zero
  std::string content = array_head(ArrayClass::structure, {1, 1}, name), names;
  put_element(content, DataType::int32, bytes_of(&room, 1));
  for (const Field& field : fields) names += field.first + std::string(at(room) - field.first.size(), '\0');
  put_element(content, DataType::int8, names);
  for (const Field& field : fields) content += field.second;
  return array(content);
}

std::string response_array(const PlantResponse& response) {
  std::vector<std::complex<double>> values;
  for (const Eigen::MatrixXcd& H : response) values.insert(values.end(), H.data(), H.data() + H.size());
  const auto [outputs, inputs] = size_of(response);
  return complex_array({dimension(outputs), dimension(inputs), dimension(std::ssize(response))}, values);
}

std::string array_of(const PlantValue& value);

std::vector<Field> fields_of(const PlantRecord& record) {
  std::vector<Field> fields;
  for (const PlantEntry& entry : record) fields.emplace_back(entry.name, array_of(entry.value));
  return fields;
}

std::string array_of(const PlantValue& value) {
  return std::visit(Overloaded{[](double x) {
                                 return real_array({1, 1}, &x, 1);
                               },
                               [](const std::string& text) { return text_array(text); },
                               [](const Texts& texts) { return cell_array(texts); },
                               [](const Eigen::VectorXd& x) {
                                 return real_array({dimension(x.size()), 1}, x.data(), x.size());
                               },
                               [](const Eigen::VectorXcd& x) {
                                 return complex_array({dimension(x.size()), 1}, {x.data(), x.data() + x.size()});
                               },
                               [](const PlantMatrix& matrix) {
                                 if (!matrix.full) return sparse_array(*matrix.matrix);
                                 const Eigen::MatrixXd A = full_matrix(matrix);
                                 return real_array({dimension(A.rows()), dimension(A.cols())}, A.data(), A.size());
                               },
                               [](const PlantResponse& response) { return response_array(response); },
                               [](const PlantRecord& record) { return struct_array(fields_of(record)); }},
                    value);
}

// Octave cannot read characters beyond ASCII from a MAT-file (it truncates such a text). The loader therefore reads a
// second copy of all texts, stored as bytes with one line for each.
std::string lines(const Texts& texts) { return fmt::format("{}", fmt::join(texts, "\n")); }

std::string texts_as_bytes(const PlantRecord& record) {
  std::vector<Field> fields;
  for (const PlantEntry& entry : record) {
    const auto add = [&](const std::string& array) { fields.emplace_back(entry.name, array); };
    if (const auto* text = std::get_if<std::string>(&entry.value)) add(byte_array(*text));
    if (const auto* texts = std::get_if<Texts>(&entry.value)) add(byte_array(lines(*texts)));
    if (const auto* inner = std::get_if<PlantRecord>(&entry.value)) add(texts_as_bytes(*inner));
  }
  return struct_array(fields);
}

std::string file_header(const Plant& plant) {
  constexpr std::size_t text_size = 116, no_subsystem = 8;
  std::string header = fmt::format("MATLAB 5.0 MAT-file, a plant by stillpoint {}", plant.origin.tool_version);
  header.resize(text_size, ' ');
  header.append(no_subsystem, '\0');
  put(header, std::uint16_t{0x0100});
  return header + "IM";
}

}  // namespace

std::string to_mat(const Plant& plant) {
  const PlantRecord record = plant_record(plant);
  std::vector<Field> fields = fields_of(record);
  fields.emplace_back("utf8", texts_as_bytes(record));
  return file_header(plant) + struct_array(fields, "stillpoint");
}

}  // namespace stillpoint
