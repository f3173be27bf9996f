#include "stillpoint/triangle_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/at.h"
#include "base/read_text.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr std::size_t most_bytes = 256'000'000;

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

/// A text by lines, and each line by words.
class MeshText {
 public:
  MeshText(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  bool next_line() {
    if (place_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', place_), text_.size());
    line_ = text_.substr(place_, end - place_);
    place_ = end + 1;
    ++number_;
    column_ = 1;
    passed_ = 0;
    return true;
  }

  /// Empty after the last word of the line.
  std::string_view word() {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = std::min(line_.find_first_not_of(blanks), line_.size());
    const std::size_t end = std::min(line_.find_first_of(blanks, begin), line_.size());
    const std::string_view found = line_.substr(begin, end - begin);
    column_ = static_cast<int>(passed_ + begin) + 1;
    passed_ += end;
    line_ = line_.substr(end);
    return found;
  }

  double number(const char* what) {
    std::string_view found = word();
    if (found.starts_with('+')) found.remove_prefix(1);
    double value = 0;
    const auto [end, failure] = std::from_chars(found.data(), found.data() + found.size(), value);
    if (failure != std::errc() || end != found.data() + found.size() || !std::isfinite(value))
      fail(fmt::format("{} must be a finite number, not '{}'", what, found));
    return value;
  }

  Vec3<double> point(const char* what) {
    const double x = number(what), y = number(what), z = number(what);
    return {x, y, z};
  }

  [[noreturn]] void fail(const std::string& message) const { throw Error({path_, number_, column_}, message); }

 private:
  const std::string& path_;
  std::string_view text_, line_;
  std::size_t place_ = 0;        // of the next line in the text
  std::size_t passed_ = 0;       // characters of the line that have been read
  int number_ = 0, column_ = 1;  // of the last word
};

Index checked_count(const std::string& path, std::size_t count) {
  constexpr std::size_t most = 100'000'000;
  if (count > most) throw Error({path, 0, 0}, fmt::format("the mesh has more than {} vertices", most));
  return static_cast<Index>(count);
}

// ----- STL

/// Vertices that are equal in all bits are one.
class VertexBook {
 public:
  explicit VertexBook(TriangleMesh& mesh) : mesh_(mesh) {}

  Index vertex(const Vec3<double>& p) {
    const Key key{std::bit_cast<std::uint64_t>(p.x + 0.0), std::bit_cast<std::uint64_t>(p.y + 0.0),
                  std::bit_cast<std::uint64_t>(p.z + 0.0)};
    const auto [place, is_new] = known_.emplace(key, static_cast<Index>(mesh_.points.size()));
    if (is_new) mesh_.points.push_back(p);
    return place->second;
  }

 private:
  using Key = std::array<std::uint64_t, 3>;
  TriangleMesh& mesh_;
  std::map<Key, Index> known_;
};

constexpr std::size_t stl_head = 84, stl_triangle = 50;  // bytes: text and count; normal, three vertices, attribute

std::uint32_t stl_count(const std::string& content) {
  std::uint32_t count = 0;
  if (content.size() >= stl_head) std::memcpy(&count, content.data() + stl_head - sizeof count, sizeof count);
  return count;
}

bool is_binary_stl(const std::string& content) {
  return content.size() >= stl_head && content.size() == stl_head + stl_triangle * std::size_t{stl_count(content)};
}

TriangleMesh read_binary_stl(const std::string& path, const std::string& content) {
  TriangleMesh mesh;
  VertexBook book(mesh);
  for (std::uint32_t t = 0; t < stl_count(content); ++t) {
    std::array<Index, 3> face{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      float p[3];
      std::memcpy(p, content.data() + stl_head + stl_triangle * t + sizeof p * (1 + corner), sizeof p);
      for (const float x : p) {
        if (!std::isfinite(x)) throw Error({path, 0, 0}, fmt::format("triangle {} is not finite", t + 1));
      }
      face[corner] = book.vertex({static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])});
    }
    mesh.faces.push_back(face);
  }
  return mesh;
}

TriangleMesh read_stl_text(const std::string& path, const std::string& content) {
  TriangleMesh mesh;
  VertexBook book(mesh);
  MeshText text(path, content);
  if (!text.next_line() || text.word() != "solid")
    throw Error({path, 0, 0},
                "is no STL file: it neither begins with 'solid' nor has the length of a binary one with its count of "
                "triangles");
  std::vector<Index> corners;
  while (text.next_line()) {
    const std::string_view keyword = text.word();
    if (keyword == "vertex") corners.push_back(book.vertex(text.point("a vertex")));
    if (keyword != "endloop") continue;
    if (corners.size() != 3) text.fail(fmt::format("a triangle has {} vertices; it must have 3", corners.size()));
    mesh.faces.push_back({corners[0], corners[1], corners[2]});
    corners.clear();
  }
  if (!corners.empty()) text.fail("the file ends within a triangle");
  return mesh;
}

// ----- OBJ

/// The vertex of a corner "7", "7/1/2" or "-1": from 1, or back from the last one.
Index obj_corner(const MeshText& text, std::string_view corner, std::size_t vertices) {
  const std::string_view first = corner.substr(0, corner.find('/'));
  long long number = 0;
  const auto [end, failure] = std::from_chars(first.data(), first.data() + first.size(), number);
  const auto count = static_cast<long long>(vertices);
  const bool is_number = failure == std::errc() && end == first.data() + first.size();
  if (!is_number || number == 0 || number > count || number < -count)
    text.fail(fmt::format("a face names the vertex '{}'; there are {} above it", corner, vertices));
  return static_cast<Index>(number > 0 ? number - 1 : count + number);
}

TriangleMesh read_obj(const std::string& path, const std::string& content) {
  TriangleMesh mesh;
  MeshText text(path, content);
  while (text.next_line()) {
    const std::string_view keyword = text.word();
    if (keyword == "v") mesh.points.push_back(text.point("a vertex"));
    if (keyword != "f") continue;
    std::vector<Index> corners;
    for (std::string_view corner = text.word(); !corner.empty() && corner[0] != '#'; corner = text.word())
      corners.push_back(obj_corner(text, corner, mesh.points.size()));
    if (corners.size() < 3) text.fail(fmt::format("a face has {} corners; it needs 3 at least", corners.size()));
    for (std::size_t k = 2; k < corners.size(); ++k) mesh.faces.push_back({corners[0], corners[k - 1], corners[k]});
  }
  return mesh;
}

}  // namespace

bool has_mesh_ending(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".stl" || ending == ".obj";
}

TriangleMesh read_triangle_mesh(const std::string& path) {
  if (!has_mesh_ending(path)) throw Error({path, 0, 0}, "a mesh must end in .stl or .obj");
  require_file(path);
  const std::string content = read_text(path, most_bytes);
  TriangleMesh mesh = ending_of(path) == ".obj" ? read_obj(path, content)
                      : is_binary_stl(content)  ? read_binary_stl(path, content)
                                                : read_stl_text(path, content);
  if (mesh.faces.empty()) throw Error({path, 0, 0}, "has no triangles");
  checked_count(path, mesh.points.size());
  return mesh;
}

}  // namespace stillpoint
