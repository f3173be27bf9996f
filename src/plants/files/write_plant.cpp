#include "stillpoint/write_plant.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/at.h"
#include "base/whole_file.h"
#include "plants/files/plant_files.h"
#include "plants/files/plant_record.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

struct Ending {
  const char* text;
  PlantFormat format;
};
constexpr Ending endings[] = {{".mat", PlantFormat::mat},
                              {".npz", PlantFormat::npz},
                              {".json", PlantFormat::json},
                              {".mo", PlantFormat::modelica}};

// ---------------------------------------------------------------------------------------------------------------------
// Consistency of the parts

void require_size(const SparseMatrix& A, const char* name, std::size_t rows, std::size_t columns) {
  if (at(A.rows()) == rows && at(A.cols()) == columns) return;
  throw Error(fmt::format("{} of the plant is {} x {}; to match its names it must be {} x {}", name, A.rows(), A.cols(),
                          rows, columns));
}

void require_length(Eigen::Index length, const char* name, std::size_t wanted) {
  if (length == 0 || at(length) == wanted) return;
  throw Error(fmt::format("the plant has {} numbers or texts in {}; there must be {} or none", length, name, wanted));
}

void require_finite(const SparseMatrix& A, const std::string& name) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (std::isfinite(entry.value())) continue;
      throw Error(fmt::format("{}({}, {}) of the plant is {}: every entry must be a finite number", name,
                              entry.row() + 1, j + 1, entry.value()));
    }
  }
}

void require_sizes(const Plant& plant) {
  const std::size_t n = plant.state_names.size(), inputs = plant.input_names.size(),
                    outputs = plant.output_names.size();
  if (plant.form == PlantForm::second_order) {
    const Plant::SecondOrder& m = plant.second;
    require_size(m.M, "M", n, n);
    require_size(m.C, "C", n, n);
    require_size(m.K, "K", n, n);
    require_size(m.B, "B", n, inputs);
    require_size(m.F, "F", outputs, n);
    require_size(m.G, "G", outputs, n);
    return require_size(m.D, "D", outputs, inputs);
  }
  const Plant::FirstOrder& m = plant.first;
  require_size(m.A, "A", n, n);
  require_size(m.B, "B", n, inputs);
  require_size(m.C, "C", outputs, n);
  require_size(m.D, "D", outputs, inputs);
  if (plant.form == PlantForm::descriptor || m.E.size() > 0) require_size(m.E, "E", n, n);
}

void require_lengths(const Plant& plant) {
  const std::size_t n = plant.state_names.size(), inputs = plant.input_names.size(),
                    outputs = plant.output_names.size();
  require_length(std::ssize(plant.state_units), "the units of the states", n);
  require_length(std::ssize(plant.channels), "the channels", inputs);
  require_length(std::ssize(plant.input_units), "the units of the inputs", inputs);
  require_length(std::ssize(plant.output_units), "the units of the outputs", outputs);
  require_length(plant.at.x.size(), "the operating point of the states", n);
  require_length(plant.at.u.size(), "the operating point of the inputs", inputs);
  require_length(plant.at.y.size(), "the operating point of the outputs", outputs);
  if (plant.T.size() > 0) require_size(plant.T, "T", plant.coordinate_names.size(), n);
  if (plant.S.size() > 0) require_size(plant.S, "S", plant.coordinate_names.size(), inputs);
}

void require_response(const Plant& plant) {
  const Plant::Check& check = plant.check;
  if (check.response.size() != at(check.omega.size()))
    throw Error(fmt::format("the check of the plant has {} frequencies and {} responses; these numbers must be equal",
                            check.omega.size(), check.response.size()));
  for (const Eigen::MatrixXcd& H : check.response) {
    if (H.rows() == std::ssize(plant.output_names) && H.cols() == std::ssize(plant.input_names)) continue;
    throw Error(fmt::format("a response of the plant is {} x {}; for {} outputs and {} inputs it must be {} x {}",
                            H.rows(), H.cols(), plant.output_names.size(), plant.input_names.size(),
                            plant.output_names.size(), plant.input_names.size()));
  }
}

void require_consistent(const Plant& plant) {
  require_sizes(plant);
  require_lengths(plant);
  require_response(plant);
  for (const PlantEntry& entry : plant_record(plant)) {
    if (const auto* const matrix = std::get_if<PlantMatrix>(&entry.value)) require_finite(*matrix->matrix, entry.name);
  }
}

std::string content_of(const Plant& plant, PlantFormat format) {
  switch (format) {
    case PlantFormat::mat:
      return to_mat(plant);
    case PlantFormat::npz:
      return to_npz(plant);
    case PlantFormat::json:
      return to_plant_json(plant);
    default:
      return to_modelica(plant);
  }
}

}  // namespace

PlantFormat plant_format(const std::string& path) {
  std::error_code none;
  if (path.ends_with('/') || std::filesystem::is_directory(path, none)) return PlantFormat::folder;
  std::vector<std::string> known;
  const std::string found = std::filesystem::path(path).extension().string();
  for (const Ending& ending : endings) {
    if (found == ending.text) return ending.format;
    known.push_back(ending.text);
  }
  const std::string what =
      found.empty() ? "has no ending" : fmt::format("ends with '{}'{}", found, did_you_mean(found, known));
  throw Error({path, 0, 0},
              fmt::format("{}; a plant is written as {}, or FOLDER/ with a slash", what, fmt::join(known, ", ")));
}

void write_plant(const Plant& plant, const std::string& path) {
  const PlantFormat format = plant_format(path);
  require_consistent(plant);
  if (format == PlantFormat::folder) return write_plant_folder(plant, path);
  write_whole_file(path, content_of(plant, format));
}

}  // namespace stillpoint
