// A plant as a folder with a Matrix Market file for each matrix, and with model.json for all other entries.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/unfinished.h"
#include "base/whole_file.h"
#include "formats/matrix_market.h"
#include "plants/files/plant_files.h"
#include "plants/files/plant_json.h"
#include "plants/files/plant_record.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

namespace fs = std::filesystem;

constexpr const char* json_file = "model.json";
constexpr std::array all_matrices{"A", "B", "C", "D", "E", "M", "K", "F", "G", "T", "S"};

std::string file_of(const std::string& matrix) { return matrix + ".mtx"; }

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

bool holds_plant(const fs::path& folder) {
  std::ifstream file(folder / json_file, std::ios::binary);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  return json.is_object() && json.contains("schema") && json["schema"] == "stillpoint.plant/1";
}

// A plant must not be mixed with the matrices of another program or verb, which may have the same names, as M.mtx.
void require_free_or_ours(const fs::path& folder) {
  if (is_there(folder / "model.yaml"))
    throw Error({folder.string(), 0, 0}, "holds a model.yaml: choose another folder for the plant");
  const bool has_matrices = std::any_of(all_matrices.begin(), all_matrices.end(),
                                        [&folder](const char* name) { return is_there(folder / file_of(name)); });
  if ((has_matrices || is_there(folder / json_file)) && !holds_plant(folder))
    throw Error({folder.string(), 0, 0}, "holds other matrices, and no plant: choose another folder");
}

/// A temporary folder in which all files are written before the first one replaces an older file.
class Stage {
 public:
  explicit Stage(const fs::path& folder)
      : folder_(folder), made_folder_(make(folder)), path_(folder / fmt::format(".{}.part", getpid())) {
    if (made_folder_) unfinished_.emplace_back(folder_.string());
    unfinished_.emplace_back(path_.string());
    make(path_);
  }
  ~Stage() {
    std::error_code none;
    fs::remove_all(path_, none);
    if (made_folder_) fs::remove(folder_, none);  // only if it is still empty
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Returns the path at which a file is to be written.
  std::string add(const std::string& file) {
    unfinished_.emplace_back((path_ / file).string());
    return (path_ / file).string();
  }

  void move_all(const std::vector<std::string>& files) const {
    for (const std::string& file : files) {
      std::error_code failed;
      fs::rename(path_ / file, folder_ / file, failed);
      if (failed) throw Error({(folder_ / file).string(), 0, 0}, "cannot be written: " + failed.message());
    }
  }

 private:
  /// Creates the folder. Returns false if it exists already.
  static bool make(const fs::path& folder) {
    std::error_code failed;
    const bool made = fs::create_directories(folder, failed);
    if (failed) throw Error({folder.string(), 0, 0}, "cannot be created: " + failed.message());
    return made;
  }

  fs::path folder_;
  bool made_folder_;
  fs::path path_;
  std::deque<Unfinished> unfinished_;
};

void remove_others(const fs::path& folder, const std::vector<std::string>& written) {
  for (const char* const name : all_matrices) {
    if (std::find(written.begin(), written.end(), file_of(name)) != written.end()) continue;
    std::error_code failed;
    fs::remove(folder / file_of(name), failed);
    if (failed) throw Error({(folder / file_of(name)).string(), 0, 0}, "cannot be removed: " + failed.message());
  }
}

/// Calls f, whose errors are reported under the final name of the file.
template <class F>
void as_file_of(const fs::path& folder, const std::string& file, const F& f) {
  try {
    f();
  } catch (const Error& error) {
    throw Error({(folder / file).string(), 0, 0}, error.message());
  }
}

}  // namespace

void write_plant_folder(const Plant& plant, const std::string& path) {
  const fs::path folder = fs::path(path);
  require_free_or_ours(folder);
  Stage stage(folder);
  std::vector<std::string> files;
  PlantRecord others;
  for (const PlantEntry& entry : plant_record(plant)) {
    const auto* const matrix = std::get_if<PlantMatrix>(&entry.value);
    if (!matrix) {
      others.push_back(entry);
      continue;
    }
    const bool is_empty = matrix->matrix->rows() == 0 && matrix->matrix->cols() == 0;  // E of a state space
    if (is_empty) continue;
    const std::string& file = files.emplace_back(file_of(entry.name));
    as_file_of(folder, file, [&] {
      write_matrix_market(stage.add(file), *matrix->matrix, fmt::format("{} of {}", entry.name, plant.name));
    });
  }
  as_file_of(folder, json_file, [&] { write_whole_file(stage.add(json_file), json_text(others)); });
  const Uninterrupted moment;
  stage.move_all(files);
  remove_others(folder, files);
  stage.move_all({json_file});
}

}  // namespace stillpoint
