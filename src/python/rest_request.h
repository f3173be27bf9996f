// The search for an equilibrium, as the options of the command line ask for it.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "python/handles.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/operating_point.h"

namespace stillpoint::python {

struct RestRequest {
  EquilibriumRequest rest = EquilibriumRequest::stable;
  Settings at{};
  Settings guess{};                                ///< for what `at` does not name; these coordinates are not held
  std::optional<std::vector<std::string>> trim{};  ///< inputs; empty: all forces
  std::vector<std::string> preload{};
  std::optional<Index> rank{};
  double precision = EquilibriumOptions().precision;
};

/// Options: rest, at, guess, trim, preload, rank, precision. Throws Error for others.
RestRequest rest_request(const pybind11::dict& asked);

/// Where the search begins and how it is done.
struct RestSearch {
  Model model;
  OperatingPoint point;
  EquilibriumOptions how;
  RestRequest request;
  std::vector<Controller> controllers{};
};

/// Throws Error if the request does not fit the model.
RestSearch search_for(const Model& model, const RestRequest& request, const std::vector<Controller>& controllers = {});

/// What was found so that the guess is at rest.
struct Holding {
  std::vector<std::pair<std::string, double>> trim, preload;
  std::optional<Equilibrium> failed;  ///< with the reason, if nothing holds it
};
/// Holds the guess by inputs or springs, if the request or the model asks for it: it is then the equilibrium to be
/// found. Throws Error if options contradict each other.
Holding hold(RestSearch& search);

/// The equilibrium, or how far the search came. Throws Error as hold().
RestHandle find_rest(RestSearch search);

}  // namespace stillpoint::python
