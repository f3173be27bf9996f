#include "cli/origin.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "base/utc_now.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/version.h"

namespace stillpoint::cli {

namespace {

namespace fs = std::filesystem;

bool is_harmless(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 || std::string_view("_-./=,:+@%^").find(c) != std::string_view::npos;
}

std::string quoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_harmless)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::vector<fs::path> files_of(const fs::path& model) {
  if (!is_matrix_folder(model.string())) return {fs::is_directory(model) ? model / "model.yaml" : model};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(model)) {
    if (entry.path().extension() == ".mtx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (fs::exists(model / "model.json")) files.push_back(model / "model.json");
  return files;
}

std::string hash_of(const fs::path& model) {
  std::ostringstream content;
  for (const fs::path& path : files_of(model)) {
    std::ifstream file(path, std::ios::binary);
    if (file.peek() != std::ifstream::traits_type::eof()) content << file.rdbuf();
  }
  return sha256(content.str());
}

}  // namespace

std::string command_line(int argc, const char* const* argv) {
  std::string text = "stillpoint";
  for (int i = 1; i < argc; ++i) text += " " + quoted(argv[i]);
  return text;
}

Plant::Origin origin_of(const std::string& model, const std::string& command) {
  return {
      .tool_version = version(), .command = command, .model_hash = hash_of(model), .date = utc_now(), .overrides = {}};
}

}  // namespace stillpoint::cli
