// A plant as a folder with a Matrix Market file for each matrix, and with model.json for all other entries.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/read_text.h"
#include "base/whole_file.h"
#include "base/whole_folder.h"
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
  constexpr std::size_t largest = std::size_t{1} << 30;
  if (!is_there(folder / json_file)) return false;
  const auto json = nlohmann::json::parse(read_text((folder / json_file).string(), largest), nullptr, false);
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

bool is_ours(const std::string& file) {
  return file == json_file || std::any_of(all_matrices.begin(), all_matrices.end(),
                                          [&file](const char* name) { return file == file_of(name); });
}

}  // namespace

void write_plant_folder(const Plant& plant, const std::string& path) {
  require_free_or_ours(path);
  WholeFolder folder(path, is_ours);
  PlantRecord others;
  for (const PlantEntry& entry : plant_record(plant)) {
    const auto* const matrix = std::get_if<PlantMatrix>(&entry.value);
    if (!matrix) {
      others.push_back(entry);
      continue;
    }
    const bool is_empty = matrix->matrix->rows() == 0 && matrix->matrix->cols() == 0;  // E of a state space
    if (is_empty) continue;
    folder.write(file_of(entry.name), [&](const std::string& file) {
      write_matrix_market(file, *matrix->matrix, fmt::format("{} of {}", entry.name, plant.name));
    });
  }
  folder.write(json_file, [&](const std::string& file) { write_whole_file(file, json_text(others)); });
  folder.finish();
}

}  // namespace stillpoint
