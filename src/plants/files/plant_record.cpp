#include "plants/files/plant_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr std::int64_t most_in_full = 50'000'000;  // numbers of a full matrix, 400 MB

Texts mended_all(const Texts& texts) {
  Texts mended_ones;
  for (const std::string& text : texts) mended_ones.push_back(mended(text));
  return mended_ones;
}

void add_matrices(const Plant& plant, PlantRecord& record) {
  if (plant.form == PlantForm::second_order) {
    const Plant::SecondOrder& m = plant.second;
    for (const auto& [name, matrix] :
         {std::pair{"M", &m.M}, std::pair{"C", &m.C}, std::pair{"K", &m.K}, std::pair{"B", &m.B}, std::pair{"F", &m.F},
          std::pair{"G", &m.G}, std::pair{"D", &m.D}})
      record.push_back({name, PlantMatrix{matrix, false}});
    return;
  }
  const bool full = plant.form != PlantForm::descriptor;
  const Plant::FirstOrder& m = plant.first;
  for (const auto& [name, matrix] :
       {std::pair{"A", &m.A}, std::pair{"B", &m.B}, std::pair{"C", &m.C}, std::pair{"D", &m.D}, std::pair{"E", &m.E}})
    record.push_back({name, PlantMatrix{matrix, full}});
}

/// Returns for each channel how many times its input is differentiated.
Eigen::VectorXd input_orders(const Plant& plant) {
  Eigen::VectorXd orders(std::ssize(plant.channels));
  std::transform(plant.channels.begin(), plant.channels.end(), orders.begin(),
                 [](const Plant::Channel& channel) { return channel.order; });
  return orders;
}

// The entries have the names of the properties of MATLAB's state-space models.
void add_names(const Plant& plant, PlantRecord& record) {
  record.push_back({"StateName", mended_all(plant.state_names)});
  record.push_back({"StateUnit", mended_all(plant.state_units)});
  record.push_back({"InputName", mended_all(plant.input_names)});
  record.push_back({"InputUnit", mended_all(plant.input_units)});
  record.push_back({"InputOrder", input_orders(plant)});
  record.push_back({"OutputName", mended_all(plant.output_names)});
  record.push_back({"OutputUnit", mended_all(plant.output_units)});
}

PlantRecord offsets(const Plant& plant) {
  const Plant::OperatingPoint& at = plant.at;
  Eigen::VectorXd rates;  // unknown if the mechanism is not in equilibrium; there are none in discrete time
  if (at.is_rest && !plant.sampling) rates = Eigen::VectorXd::Zero(at.x.size());
  return {{"dx", rates}, {"x", at.x}, {"u", at.u}, {"y", at.y}};
}

PlantRecord modes(const Plant& plant) {
  const auto count = static_cast<Eigen::Index>(plant.poles.size());
  Eigen::VectorXcd s(count);
  Eigen::VectorXd error(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Plant::Pole& pole = plant.poles[static_cast<std::size_t>(k)];
    s[k] = pole.s;
    error[k] = pole.error;
  }
  return {{"s", s}, {"error", error}};
}

PlantRecord hidden(const Plant& plant) {
  const Plant::HiddenCount& count = plant.hidden;
  return {{"modes", static_cast<double>(count.modes)},
          {"unmoved", static_cast<double>(count.unmoved)},
          {"unshown", static_cast<double>(count.unshown)},
          {"undecided", static_cast<double>(count.undecided)}};
}

PlantRecord origin(const Plant& plant) {
  const Plant::Origin& from = plant.origin;
  return {{"version", mended(from.tool_version)},
          {"command", mended(from.command)},
          {"model_hash", mended(from.model_hash)},
          {"date", mended(from.date)},
          {"overrides", mended_all(from.overrides)}};
}

}  // namespace

const char* to_word(PlantForm form) {
  switch (form) {
    case PlantForm::state_space:
      return "state-space";
    case PlantForm::modal:
      return "modal";
    case PlantForm::descriptor:
      return "descriptor";
    case PlantForm::second_order:
      break;
  }
  return "second-order";
}

PlantRecord plant_record(const Plant& plant) {
  PlantRecord record{{"schema", "stillpoint.plant/1"},
                     {"name", mended(plant.name)},
                     {"form", to_word(plant.form)},
                     {"method", mended(plant.method)}};
  add_matrices(plant, record);
  if (plant.sampling) {
    record.push_back({"Ts", plant.sampling->time});
    record.push_back({"discretisation", plant.sampling->method});
  }
  add_names(plant, record);
  record.push_back({"Offsets", offsets(plant)});
  record.push_back({"T", PlantMatrix{&plant.T, false}});
  record.push_back({"S", PlantMatrix{&plant.S, false}});
  record.push_back({"CoordinateName", mended_all(plant.coordinate_names)});
  record.push_back({"q", plant.at.q});
  record.push_back({"lambda", plant.at.lambda});
  record.push_back({"modes", modes(plant)});
  record.push_back({"hidden", hidden(plant)});
  record.push_back({"check", PlantRecord{{"omega", plant.check.omega}, {"response", plant.check.response}}});
  if (plant.reduced)
    record.push_back({"reduction", PlantRecord{{"error", plant.reduced->error}, {"omega", plant.reduced->omega}}});
  record.push_back({"origin", origin(plant)});
  record.push_back({"notes", mended_all(plant.notes)});
  return record;
}

ResponseSize size_of(const PlantResponse& response) {
  if (response.empty()) return {};
  return {response.front().rows(), response.front().cols()};
}

Eigen::MatrixXd full_matrix(const PlantMatrix& matrix) {
  const SparseMatrix& A = *matrix.matrix;
  if (std::int64_t{A.rows()} * A.cols() > most_in_full)
    throw Error(
        fmt::format("a matrix of the plant is {} x {}: too large to be written with all its zeros; reduce the "
                    "plant, or choose form 'descriptor' or form 'second-order', which are written sparse",
                    A.rows(), A.cols()));
  return Eigen::MatrixXd(A);
}

}  // namespace stillpoint
