// The models of one model file for any values of its parameters: the file is read and compiled once, and then each
// model takes a fraction of the time of read_model.
//
//   const ModelFamily family("cases/four_bar", {{"N", 5}});
//   for (const double k : {10.0, 25.0, 100.0}) analyse(family.at({{"k", k}}));
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "stillpoint/read_model.h"

namespace stillpoint {

/// A parameter of a model file with its value; the bounds of some parameters depend on the values of others.
struct ModelParameter {
  std::string name;
  double value = 0;
  double least = -std::numeric_limits<double>::infinity();  ///< the least value allowed
  double most = std::numeric_limits<double>::infinity();    ///< the greatest value allowed
  bool is_integer = false;                                  ///< only whole numbers are allowed
  std::string unit{}, help{};                               ///< as the file states them; empty if it does not
};

/// It is cheap to copy: the copies share what has been read. Several threads may use one family at a time.
class ModelFamily {
 public:
  /// Reads a model file, or model.yaml in a folder; a change of the file on the disk has no effect afterwards. (The
  /// matrices of flexible bodies lie in files of their own, which each model reads.) The settings are values of
  /// parameters for all models, unless one is given another value. Throws Error with file, line and column if the file
  /// is wrong for all values of its parameters, or if there is no parameter of this name.
  explicit ModelFamily(const std::string& path, const Parameters& settings = {}, const ReadOptions& options = {});

  /// Reads from text; `file` only appears in error messages.
  static ModelFamily from_text(const std::string& text, const std::string& file, const Parameters& settings = {},
                               const ReadOptions& options = {});

  /// The model that read_model makes with these values of parameters, identical in all names and to the last bit in all
  /// numbers. Throws Error with file, line and column if a value is not allowed, or the mechanism is wrong with it.
  Model at(const Parameters& parameters = {}) const;

  /// All parameters, in the order of the file, with the values that `at` would take. Throws Error as `at` does if one
  /// of these is not allowed.
  std::vector<ModelParameter> parameters(const Parameters& parameters = {}) const;

 private:
  struct Parts;

  explicit ModelFamily(std::shared_ptr<Parts> parts);

  std::shared_ptr<Parts> parts_;
};

}  // namespace stillpoint
