#include "formats/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/utf8.h"
#include "formats/bytes.h"
#include "formats/crc32.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

std::string python_tuple(const NpyShape& shape) {
  std::string text = "(";
  for (const std::int64_t size : shape) text += fmt::format("{}, ", size);
  return text + ")";
}

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
        fmt::format("{} bytes are too many for a .npz file, which holds {}: choose another format", size, most));
}

}  // namespace

std::string npy(const std::string& type, const NpyShape& shape, const std::string& bytes) {
  constexpr std::size_t alignment = 64, before_text = 10;
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': True, 'shape': {}, }}", type, python_tuple(shape));
  text.append(alignment - (before_text + text.size() + 1) % alignment, ' ');
  text += '\n';
  const auto size = static_cast<std::uint16_t>(text.size());
  return std::string("\x93NUMPY\x01\x00", 8) + bytes_of(&size, 1) + text + bytes;
}

std::string npy_reals(const NpyShape& shape, const double* values, std::int64_t count) {
  return npy("<f8", shape, bytes_of(values, count));
}

std::string npy_texts(const std::vector<std::string>& texts, const NpyShape& shape) {
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

std::string npz(const std::vector<NpzMember>& members) {
  constexpr std::size_t most_members = std::numeric_limits<std::uint16_t>::max();
  if (members.size() > most_members)
    throw Error(fmt::format("{} arrays are too many for a .npz file, which holds {}", members.size(), most_members));
  std::string archive, directory;
  for (const NpzMember& member : members) {
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

}  // namespace stillpoint
