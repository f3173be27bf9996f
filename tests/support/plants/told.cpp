#include "support/plants/told.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace stillpoint {

namespace {

using Lines = std::vector<std::string>;

std::string told(double x) { return fmt::format("{:016x}", std::bit_cast<std::uint64_t>(x)); }
std::string told(std::complex<double> z) { return told(z.real()) + " " + told(z.imag()); }

std::string told(const std::string& text) {
  std::string bytes = "\"";
  for (const char c : text) bytes += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return bytes;
}

void add(Lines& to, const std::string& name, const std::vector<std::string>& texts) {
  std::string line = fmt::format("{} texts {}", name, texts.size());
  for (const std::string& text : texts) line += " " + told(text);
  to.push_back(line);
}

void add(Lines& to, const std::string& name, const std::string& text) { add(to, name, std::vector{text}); }

void add(Lines& to, const std::string& name, const Eigen::VectorXd& x) {
  std::string line = fmt::format("{} vector {}", name, x.size());
  for (const double value : x) line += " " + told(value);
  to.push_back(line);
}

void add_full(Lines& to, const std::string& name, const Eigen::MatrixXd& A) {
  std::string line = fmt::format("{} full {} {}", name, A.rows(), A.cols());
  for (const double value : A.reshaped()) line += " " + told(value);
  to.push_back(line);
}

void add_sparse(Lines& to, const std::string& name, const SparseMatrix& A) {
  std::string line = fmt::format("{} sparse {} {}", name, A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (entry.value() != 0) line += fmt::format(" {},{},{}", entry.row(), j, told(entry.value()));
    }
  }
  to.push_back(line);
}

void add_matrices(Lines& to, const Plant& plant) {
  const Plant::SecondOrder& second = plant.second;
  const Plant::FirstOrder& first = plant.first;
  switch (plant.form) {
    case PlantForm::second_order:
      add_sparse(to, "M", second.M);
      add_sparse(to, "C", second.C);
      add_sparse(to, "K", second.K);
      add_sparse(to, "B", second.B);
      add_sparse(to, "F", second.F);
      add_sparse(to, "G", second.G);
      return add_sparse(to, "D", second.D);
    case PlantForm::descriptor:
      add_sparse(to, "A", first.A);
      add_sparse(to, "B", first.B);
      add_sparse(to, "C", first.C);
      add_sparse(to, "D", first.D);
      return add_sparse(to, "E", first.E);
    default:
      add_full(to, "A", Eigen::MatrixXd(first.A));
      add_full(to, "B", Eigen::MatrixXd(first.B));
      add_full(to, "C", Eigen::MatrixXd(first.C));
      add_full(to, "D", Eigen::MatrixXd(first.D));
      add_full(to, "E", Eigen::MatrixXd(first.E));
  }
}

void add_complex(Lines& to, const Plant& plant) {
  std::string poles = fmt::format("modes.s complex {}", plant.poles.size());
  Eigen::VectorXd errors(std::ssize(plant.poles));
  for (std::size_t k = 0; k < plant.poles.size(); ++k) {
    poles += " " + told(plant.poles[k].s);
    errors[static_cast<Eigen::Index>(k)] = plant.poles[k].error;
  }
  to.push_back(poles);
  add(to, "modes.error", errors);
  std::string response = fmt::format("check.response response {} {} {}", plant.output_names.size(),
                                     plant.input_names.size(), plant.check.response.size());
  for (const Eigen::MatrixXcd& H : plant.check.response) {
    for (const std::complex<double> z : H.reshaped()) response += " " + told(z);
  }
  to.push_back(response);
  add(to, "check.omega", plant.check.omega);
}

Eigen::VectorXd orders_of(const Plant& plant) {
  Eigen::VectorXd orders(std::ssize(plant.channels));
  for (std::size_t i = 0; i < plant.channels.size(); ++i)
    orders[static_cast<Eigen::Index>(i)] = plant.channels[i].order;
  return orders;
}

const char* word(PlantForm form) {
  return form == PlantForm::state_space    ? "state-space"
         : form == PlantForm::modal        ? "modal"
         : form == PlantForm::second_order ? "second-order"
                                           : "descriptor";
}

}  // namespace

std::string told(const Plant& plant) {
  Lines lines;
  add(lines, "schema", "stillpoint.plant/1");
  add(lines, "name", plant.name);
  add(lines, "form", word(plant.form));
  add(lines, "method", plant.method);
  add_matrices(lines, plant);
  add(lines, "StateName", plant.state_names);
  add(lines, "StateUnit", plant.state_units);
  add(lines, "InputName", plant.input_names);
  add(lines, "InputUnit", plant.input_units);
  add(lines, "InputOrder", orders_of(plant));
  add(lines, "OutputName", plant.output_names);
  add(lines, "OutputUnit", plant.output_units);
  add(lines, "Offsets.dx", plant.at.is_rest ? Eigen::VectorXd::Zero(plant.at.x.size()).eval() : Eigen::VectorXd());
  add(lines, "Offsets.x", plant.at.x);
  add(lines, "Offsets.u", plant.at.u);
  add(lines, "Offsets.y", plant.at.y);
  add_sparse(lines, "T", plant.T);
  add_sparse(lines, "S", plant.S);
  add(lines, "CoordinateName", plant.coordinate_names);
  add(lines, "q", plant.at.q);
  add(lines, "lambda", plant.at.lambda);
  const auto count = [&](const char* what, Index number) {
    add(lines, what, Eigen::VectorXd::Constant(1, static_cast<double>(number)).eval());
  };
  count("hidden.modes", plant.hidden.modes);
  count("hidden.unmoved", plant.hidden.unmoved);
  count("hidden.unshown", plant.hidden.unshown);
  count("hidden.undecided", plant.hidden.undecided);
  add_complex(lines, plant);
  add(lines, "origin.version", plant.origin.tool_version);
  add(lines, "origin.command", plant.origin.command);
  add(lines, "origin.model_hash", plant.origin.model_hash);
  add(lines, "origin.date", plant.origin.date);
  add(lines, "origin.overrides", plant.origin.overrides);
  add(lines, "notes", plant.notes);
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace stillpoint
