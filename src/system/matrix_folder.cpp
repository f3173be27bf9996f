// A linear system in a folder: one Matrix Market file for each matrix, and model.json for everything else.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/at.h"
#include "base/whole_file.h"
#include "base/whole_folder.h"
#include "formats/matrix_market.h"
#include "stillpoint/error.h"
#include "system/checking.h"
#include "system/matrix_table.h"
#include "system/system_json.h"

namespace stillpoint {

namespace {

namespace fs = std::filesystem;

constexpr const char* null_vectors_file = "null_vectors.mtx";
constexpr const char* free_stiffness_prefix = "free_stiffness_";
constexpr const char* json_file = "model.json";

std::string file_of(const MatrixInfo& info) { return fmt::format("{}.mtx", info.name); }
std::string free_stiffness_file(std::size_t k) { return fmt::format("{}{}.mtx", free_stiffness_prefix, k + 1); }

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

/// Returns the names of the matrix files in a folder.
std::vector<std::string> matrix_files(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (entry->path().extension() == ".mtx") names.push_back(entry->path().filename().string());
  }
  if (failed) throw Error({folder, 0, 0}, "cannot be read: " + failed.message());
  std::sort(names.begin(), names.end());
  return names;
}

bool is_free_stiffness(const std::string& file) { return file.starts_with(free_stiffness_prefix); }

bool is_ours(const std::string& file) {
  return file == null_vectors_file || is_free_stiffness(file) ||
         std::any_of(matrix_table.begin(), matrix_table.end(),
                     [&](const MatrixInfo& info) { return file == file_of(info); });
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading

// A matrix with an unknown name would be ignored silently.
void require_known_names(const std::string& folder, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (is_ours(file)) continue;
    std::vector<std::string> known;
    for (const MatrixInfo& info : matrix_table) known.push_back(file_of(info));
    throw Error({folder, 0, 0}, fmt::format("'{}' is not a matrix of a linear system; the known ones are {}", file,
                                            fmt::join(known, ", ")));
  }
}

void read_dependence(const std::string& folder, const std::vector<std::string>& files, LinearSystem& system) {
  RowDependence& rows = system.rows;
  const fs::path path = fs::path(folder) / null_vectors_file;
  const Index m = system.constraints(), count = m - rows.rank.value;
  if (is_there(path)) {
    if (rows.rank.method.empty())
      throw Error({folder, 0, 0},
                  fmt::format("{} requires a rank, which {} does not state", null_vectors_file, json_file));
    rows.null_vectors = read_matrix_market(path.string());
    if (rows.null_vectors.rows() != m || rows.null_vectors.cols() != count)
      throw Error({path.string(), 0, 0},
                  fmt::format("is {} x {}; with {} constraints and a rank of {} it must be {} x {}",
                              rows.null_vectors.rows(), rows.null_vectors.cols(), m, rows.rank.value, m, count));
  }
  const auto forms = std::count_if(files.begin(), files.end(), is_free_stiffness);
  if (forms == 0) return;
  if (forms != count || !is_there(path))
    throw Error({folder, 0, 0}, fmt::format("there are {} files free_stiffness_*.mtx; there must be one for each "
                                            "column of {}, of which there are {}",
                                            forms, null_vectors_file, is_there(path) ? count : 0));
  const Index n = system.coordinates();
  for (std::size_t k = 0; k < at(count); ++k) {
    const std::string file = (fs::path(folder) / free_stiffness_file(k)).string();
    const SparseMatrix& form = system.free_stiffness.emplace_back(read_matrix_market(file));
    if (form.rows() != n || form.cols() != n)
      throw Error({file, 0, 0},
                  fmt::format("is {} x {}; with {} coordinates it must be {} x {}", form.rows(), form.cols(), n, n, n));
  }
}

// A given rank invalidates the results that belong to another rank.
void apply_given_rank(LinearSystem& system, const RankOptions& options) {
  if (!options.rank) return;
  if (system.rows.rank.value == *options.rank && !system.rows.rank.method.empty()) {
    system.rows.rank.outcome = RankOutcome::given;
    return;
  }
  system.rows = RowDependence();
  system.singular = false;
  system.branches.clear();
  system.free_stiffness.clear();
}

/// Attributes an error without a file to the folder.
template <class F>
void in_folder(const std::string& folder, const F& f) {
  try {
    f();
  } catch (const Error& error) {
    if (!error.place().file.empty()) throw;
    throw Error({folder, 0, 0}, error.message());
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

void require_no_model(const std::string& folder) {
  if (is_there(fs::path(folder) / "model.yaml"))
    throw Error({folder, 0, 0},
                "holds a model.yaml, and a folder must be either a model or its matrices: choose another folder");
}

// These matrices are always written: M and K, and those that determine the numbers of constraints, inputs and outputs.
bool must_be_there(const MatrixInfo& info) {
  const std::string_view name = info.name;
  return name == "M" || name == "K" || name == "J" || name == "F" || name == "Hq";
}

void write_matrix(const LinearSystem& system, const MatrixInfo& info, WholeFolder& folder) {
  const SparseMatrix& A = system.*info.matrix;
  const bool says_nothing = A.nonZeros() == 0 && !(must_be_there(info) && A.rows() > 0 && A.cols() > 0);
  const bool square = std::string_view(info.name) == "M" || std::string_view(info.name) == "K";
  if (says_nothing && !square) return;
  folder.write(file_of(info), [&](const std::string& path) {
    write_matrix_market(path, A,
                        fmt::format("{} ({} x {}) of {}", info.name, to_word(info.rows), to_word(info.columns),
                                    system.name.empty() ? "a linear system" : system.name));
  });
}

// Returns the name of the folder, also for paths such as "here/" and ".".
std::string name_of(const std::string& folder) {
  std::error_code failed;
  const fs::path path = fs::absolute(folder, failed).lexically_normal();
  if (failed) return fs::path(folder).filename().string();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

}  // namespace

bool is_matrix_folder(const std::string& path) {
  const fs::path folder(path);
  return !is_there(folder / "model.yaml") && (is_there(folder / "M.mtx") || is_there(folder / "K.mtx"));
}

LinearSystem read_linear_system(const std::string& folder, const RankOptions& options) {
  const std::vector<std::string> files = matrix_files(folder);
  require_known_names(folder, files);
  LinearSystem system;
  system.name = name_of(folder);
  for (const MatrixInfo& info : matrix_table) {
    const std::string path = (fs::path(folder) / file_of(info)).string();
    if (is_there(path)) system.*info.matrix = read_matrix_market(path);
  }
  for (const char* const needed : {"M.mtx", "K.mtx"}) {
    if (!is_there(fs::path(folder) / needed))
      throw Error({folder, 0, 0}, fmt::format("there is no {}: a folder of matrices needs M.mtx and K.mtx", needed));
  }
  in_folder(folder, [&] {
    agree_on_sizes(system);
    if (const fs::path json = fs::path(folder) / json_file; is_there(json)) read_system_json(json.string(), system);
    read_dependence(folder, files, system);
    apply_given_rank(system, options);
    check(system, options);
  });
  return system;
}

void write_linear_system(const LinearSystem& system, const std::string& folder) {
  require_no_model(folder);
  WholeFolder made(folder, [](const std::string& file) { return file == json_file || is_ours(file); });
  made.write(json_file, [&](const std::string& path) {
    write_whole_file(path, [&](std::FILE* file) { return write_system_json(file, system); });
  });
  if (system.rows.null_vectors.cols() > 0) {
    made.write(null_vectors_file, [&](const std::string& path) {
      write_matrix_market(path, system.rows.null_vectors, "left null vectors of J");
    });
  }
  for (std::size_t k = 0; k < system.free_stiffness.size(); ++k) {
    made.write(free_stiffness_file(k), [&](const std::string& path) {
      write_matrix_market(path, system.free_stiffness[k],
                          fmt::format("free stiffness of column {} of the left null vectors", k + 1));
    });
  }
  for (const MatrixInfo& info : matrix_table) write_matrix(system, info, made);
  made.finish();
}

}  // namespace stillpoint
