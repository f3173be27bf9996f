// Inputs over time: natural cubic splines through tables [de Boor 1978], and expressions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/at.h"
#include "read/time_expression.h"
#include "stillpoint/error.h"
#include "stillpoint/motion.h"

namespace stillpoint {

namespace {

struct Sample {
  double value = 0, rate = 0, acceleration = 0;
};

class Spline {
 public:
  Spline(std::vector<double> times, std::vector<double> values) : t_(std::move(times)), y_(std::move(values)) {
    find_curvatures();
  }

  Sample at(double time) const {
    if (time <= t_.front()) return {y_.front()};
    if (time >= t_.back()) return {y_.back()};
    const auto next = static_cast<std::size_t>(std::upper_bound(t_.begin(), t_.end(), time) - t_.begin());
    const std::size_t k = next - 1;
    const double h = t_[next] - t_[k], a = (t_[next] - time) / h, b = (time - t_[k]) / h;
    return {a * y_[k] + b * y_[next] + ((a * a * a - a) * m_[k] + (b * b * b - b) * m_[next]) * h * h / 6,
            (y_[next] - y_[k]) / h + ((1 - 3 * a * a) * m_[k] + (3 * b * b - 1) * m_[next]) * h / 6,
            a * m_[k] + b * m_[next]};
  }

 private:
  // The second derivatives at the nodes solve a tridiagonal system; those at the ends are zero.
  void find_curvatures() {
    const std::size_t n = t_.size();
    m_.assign(n, 0);
    std::vector<double> diagonal(n, 1), right(n, 0);
    for (std::size_t k = 1; k + 1 < n; ++k) {
      const double before = t_[k] - t_[k - 1], after = t_[k + 1] - t_[k];
      const double factor = k > 1 ? before / diagonal[k - 1] : 0;
      diagonal[k] = 2 * (before + after) - factor * before * (k > 1 ? 1 : 0);
      right[k] = 6 * ((y_[k + 1] - y_[k]) / after - (y_[k] - y_[k - 1]) / before) - factor * right[k - 1];
    }
    for (std::size_t k = n - 1; k-- > 1;) m_[k] = (right[k] - (t_[k + 1] - t_[k]) * m_[k + 1]) / diagonal[k];
  }

  std::vector<double> t_, y_, m_;
};

}  // namespace

InputMotion follow_tables(const Eigen::VectorXd& u, std::vector<InputTable> tables) {
  auto splines = std::make_shared<std::vector<std::pair<Index, Spline>>>();
  for (InputTable& table : tables) {
    if (table.times.size() < 2 || table.times.size() != table.values.size())
      throw Error("the table of an input needs a time and a value in each of at least two lines");
    for (std::size_t k = 1; k < table.times.size(); ++k) {
      if (!(table.times[k - 1] < table.times[k]))
        throw Error(fmt::format("the times in the table of an input must ascend: {:g} follows {:g}", table.times[k],
                                table.times[k - 1]));
    }
    splines->emplace_back(table.input, Spline(std::move(table.times), std::move(table.values)));
  }
  return [u, splines](double time) {
    InputSample now{u, Eigen::VectorXd::Zero(u.size()), Eigen::VectorXd::Zero(u.size())};
    for (const auto& [input, spline] : *splines) {
      const Sample sample = spline.at(time);
      now.u[input] = sample.value;
      now.rate[input] = sample.rate;
      now.acceleration[input] = sample.acceleration;
    }
    return now;
  };
}

namespace {

struct FollowedExpression {
  Index input = 0;
  TimeExpression expression;
};

void put_value(const Model& model, const FollowedExpression& followed, double time, InputSample& now) {
  const SecondOrderSeries x = followed.expression.at(time);
  if (!std::isfinite(x.c[0]) || !std::isfinite(x.c[1]) || !std::isfinite(x.c[2]))
    throw Error(fmt::format("the input '{}' = '{}' has no finite {} at t = {:g} s", model.input_name(followed.input),
                            followed.expression.text(), std::isfinite(x.c[0]) ? "rate or acceleration" : "value",
                            time));
  now.u[followed.input] = x.c[0];
  now.rate[followed.input] = x.c[1];
  now.acceleration[followed.input] = 2 * x.c[2];
}

}  // namespace

InputMotion follow_expressions(const Model& model, const Eigen::VectorXd& u,
                               const std::vector<InputExpression>& expressions, InputMotion others) {
  auto followed = std::make_shared<std::vector<FollowedExpression>>();
  for (const InputExpression& one : expressions) {
    if (one.input < 0 || one.input >= model.inputs()) throw Error("there is no such input");
    followed->push_back({one.input, TimeExpression(one.text, model.parameters())});
  }
  return [model, u, followed, others = std::move(others)](double time) {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(u.size());
    InputSample now = others ? others(time) : InputSample{u, none, none};
    for (const FollowedExpression& one : *followed) put_value(model, one, time, now);
    return now;
  };
}

}  // namespace stillpoint
