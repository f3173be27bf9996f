#include "read/find_model_file.h"

#include <filesystem>

#include "base/read_text.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr std::size_t largest_file = std::size_t{256} << 20;

// The nearest name in the same folder, for a path that does not exist.
std::string nearest_path(const std::filesystem::path& path) {
  const auto parent = path.parent_path().empty() ? std::filesystem::path(".") : path.parent_path();
  std::vector<std::string> known;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(parent, none))
    known.push_back(entry.path().filename().string());
  return did_you_mean(path.filename().string(), known);
}

}  // namespace

std::string find_model_file(const std::string& path) {
  std::filesystem::path file = std::filesystem::path(path).lexically_normal();
  if (!file.has_filename()) file = file.parent_path();
  std::error_code failed;
  if (std::filesystem::is_directory(file, failed)) {
    file /= "model.yaml";
    if (!std::filesystem::exists(file, failed)) throw Error({path, 0, 0}, "this folder holds no model.yaml");
  } else if (!std::filesystem::exists(file, failed) && !failed) {
    throw Error({path, 0, 0}, "no such file or folder" + nearest_path(file));
  }
  return file.string();
}

bool is_stream(const std::string& file) {
  std::error_code failed;
  return std::filesystem::exists(file, failed) && !std::filesystem::is_regular_file(file, failed);
}

std::string text_of_model_file(const std::string& file) { return read_text(file, largest_file); }

}  // namespace stillpoint
