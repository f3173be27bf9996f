#include "python/mode_request.h"

#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "base/usual_requests.h"
#include "modes/request_words.h"
#include "python/words.h"

namespace py = pybind11;

namespace stillpoint::python {

namespace {

const WordTable<NullSpaceBasis> bases(basis_words.begin(), basis_words.end());
const WordTable<EngineChoice> engines(engine_words.begin(), engine_words.end());
const WordTable<Method> methods{{"mcs", Method::mcs}, {"rcs", Method::rcs}, {"ucs", Method::ucs}};

std::vector<Index> coordinates_called(const LinearSystem& system, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (Index i = 0; i < system.coordinates(); ++i) known.push_back(system.coordinate_name(i));
  std::vector<Index> found;
  for (const std::string& name : names) {
    const auto place = std::find(known.begin(), known.end(), name);
    if (place == known.end())
      throw Error(fmt::format("independent: there is no coordinate '{}'{}", name, did_you_mean(name, known)));
    found.push_back(static_cast<Index>(place - known.begin()));
  }
  return found;
}

void require_one_request(const py::dict& asked) {
  std::vector<std::string> requests;
  for (const char* const key : {"band", "near", "unstable", "all"}) {
    const bool is_flag = std::string_view(key) == "unstable" || std::string_view(key) == "all";
    if (is_flag ? given<bool>(asked, key).value_or(false) : asked.contains(key) && !py::object(asked[key]).is_none())
      requests.emplace_back(key);
  }
  if (requests.size() > 1) throw Error(fmt::format("{} and {} exclude each other", requests[0], requests[1]));
  if (given<Index>(asked, "count") && !requests.empty() && requests[0] != "near")
    throw Error(fmt::format("count and {} exclude each other", requests[0]));
}

Which requested(const LinearSystem& system, const py::dict& asked) {
  require_one_request(asked);
  if (const auto band = given<std::pair<double, double>>(asked, "band")) {
    if (!(band->first >= 0 && band->first < band->second && std::isfinite(band->second)))
      throw Error(fmt::format("band=({}, {}): two frequencies (Hz) are meant, the first below the second", band->first,
                              band->second));
    return Band{band->first, band->second};
  }
  const auto count = given<Index>(asked, "count"), least_damped = given<Index>(asked, "least_damped");
  for (const auto& [name, number] : {std::pair{"count", count}, std::pair{"least_damped", least_damped}}) {
    if (number && *number < 1) throw Error(fmt::format("{}={}: this must be 1 or more", name, *number));
  }
  const Index usual = least_damped ? lowest_for_damping : Lowest{}.count;
  const auto near = given<std::complex<double>>(asked, "near");
  if (near && !(std::isfinite(near->real()) && std::isfinite(near->imag())))
    throw Error("near: this must be a finite point of the complex plane (rad/s)");
  if (near) return Nearest{*near, count.value_or(usual)};
  if (given<bool>(asked, "unstable").value_or(false)) return Unstable{};
  const bool needs_all = given<bool>(asked, "all").value_or(false);
  const bool is_small = 2 * std::int64_t{system.coordinates()} + system.constraints() <= lists_all_up_to;
  if (needs_all || (!count && is_small)) return All{.is_required = needs_all};
  return Lowest{count.value_or(usual)};
}

}  // namespace

Method method_called(const std::string& word) { return meaning("method", word, methods); }

void require_known(const py::dict& asked, const std::vector<std::string>& known) {
  for (const auto& [key, value] : asked) {
    const auto word = key.cast<std::string>();
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw Error(fmt::format("there is no option '{}'{}; there are {}", word, did_you_mean(word, known),
                              fmt::join(known, ", ")));
  }
}

AnalysisOptions analysis_options(const LinearSystem& system, const py::dict& asked) {
  AnalysisOptions how;
  how.minimal.basis = meaning("basis", given<std::string>(asked, "basis").value_or(usual::basis), bases);
  if (const auto names = given<std::vector<std::string>>(asked, "independent")) {
    if (how.minimal.basis != NullSpaceBasis::partition)
      throw Error("independent names the coordinates of a partition; another basis finds its own");
    how.minimal.independent = coordinates_called(system, *names);
  }
  how.engine = meaning("engine", given<std::string>(asked, "engine").value_or(usual::engine), engines);
  const bool is_sparse_engine = how.engine == EngineChoice::sparse || how.engine == EngineChoice::spectra;
  if (is_sparse_engine && (how.minimal.basis != NullSpaceBasis::partition || !how.minimal.independent.empty()))
    throw Error("basis and independent choose a basis for the dense engines; a sparse engine needs none");
  if (const auto alpha = given<double>(asked, "alpha")) how.penalty.alpha = Eigen::VectorXd::Constant(1, *alpha);
  how.penalty.xi = given<double>(asked, "xi").value_or(how.penalty.xi);
  how.penalty.omega = given<double>(asked, "omega");
  how.modes.which = requested(system, asked);
  how.modes.least_damped = given<Index>(asked, "least_damped").value_or(0);
  how.modes.certify = !given<bool>(asked, "uncounted").value_or(false);
  if (const auto seconds = given<double>(asked, "time_limit")) how.modes.deadline = Deadline::after(*seconds);
  return how;
}

}  // namespace stillpoint::python
