#include "expressions/program.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace stillpoint {

namespace {

// The top of the stack is kept apart, in a register.
class NumberStack {
 public:
  NumberStack(double* bottom, const double* const* variables) : below_(bottom), variables_(variables) {}

  void push_number(double number) {
    *below_++ = top_;
    top_ = number;
  }
  void push_variable(int variable) { push_number(*variables_[variable]); }
  bool pop_condition() {
    const double condition = top_;
    top_ = *--below_;
    return condition != 0;
  }
  void apply(Operation operation) { top_ = value_of(operation, top_); }
  void combine(Operation operation) { top_ = value_of(operation, *--below_, top_); }
  double result() const { return top_; }

 private:
  double top_ = 0;
  double* below_;  // the free place above what is below the top
  const double* const* variables_;
};

// A rate is computed only for what depends on the parameter: of a constant, infinite derivatives do not matter.
class RateStack {
 public:
  RateStack(std::size_t depth, std::span<const RatedNumber* const> variables, std::size_t parameters)
      : variables_(variables), parameters_(parameters), values_(depth), rates_(depth * parameters) {}

  void push_number(double number) {
    values_[size_] = number;
    std::fill_n(rates_at(size_), parameters_, ParameterRate{});
    ++size_;
  }

  void push_variable(int variable) {
    const RatedNumber& pushed = *variables_[static_cast<std::size_t>(variable)];
    assert(pushed.rates.empty() || pushed.rates.size() == parameters_);
    push_number(pushed.value);
    std::copy(pushed.rates.begin(), pushed.rates.end(), rates_at(size_ - 1));
  }

  bool pop_condition() { return values_[--size_] != 0; }

  void apply(Operation operation) {
    double& x = values_[size_ - 1];
    ParameterRate* const rates = rates_at(size_ - 1);
    const double f = value_of(operation, x), slope = derivatives_of(operation, x, f).first;
    for (std::size_t k = 0; k < parameters_; ++k) {
      if (is_step(operation)) rates[k] = {};
      if (rates[k].depends) rates[k].value *= slope;
    }
    x = f;
  }

  void combine(Operation operation) {
    --size_;
    double& x = values_[size_ - 1];
    const double y = values_[size_], f = value_of(operation, x, y);
    ParameterRate* const rates = rates_at(size_ - 1);
    const ParameterRate* const others = rates_at(size_);
    if (is_step(operation)) {
      std::fill_n(rates, parameters_, ParameterRate{});
    } else if (selects(operation)) {
      if (takes_second(operation, x, y)) std::copy_n(others, parameters_, rates);
    } else {
      const BinaryDerivatives by = derivatives_of(operation, x, y, f);
      for (std::size_t k = 0; k < parameters_; ++k) {
        const double by_x = rates[k].depends ? by.x * rates[k].value : 0;
        const double by_y = others[k].depends ? by.y * others[k].value : 0;
        rates[k] = {by_x + by_y, rates[k].depends || others[k].depends};
      }
    }
    x = f;
  }

  RatedNumber result() {
    rates_.resize(parameters_);
    return {values_[0], std::move(rates_)};
  }

 private:
  ParameterRate* rates_at(std::size_t place) { return rates_.data() + place * parameters_; }

  std::span<const RatedNumber* const> variables_;
  std::size_t parameters_, size_ = 0;
  std::vector<double> values_;
  std::vector<ParameterRate> rates_;
};

// Series of second order, by the chain rule: z2 is half of the second derivative.
class SeriesStack {
 public:
  SeriesStack(std::size_t depth, std::span<const SecondOrderSeries> variables) : variables_(variables), items_(depth) {}

  void push_number(double number) { items_[size_++] = {number, false}; }
  void push_variable(int variable) { items_[size_++] = {variables_[static_cast<std::size_t>(variable)], true}; }
  bool pop_condition() { return items_[--size_].series.c[0] != 0; }

  void apply(Operation operation) {
    Item& item = items_[size_ - 1];
    const SecondOrderSeries x = item.series;
    const double f = value_of(operation, x.c[0]);
    item.series = f;
    item.varies = item.varies && !is_step(operation);
    if (!item.varies) return;
    const UnaryDerivatives by = derivatives_of(operation, x.c[0], f);
    item.series.c[1] = by.first * x.c[1];
    item.series.c[2] = by.first * x.c[2] + by.second * x.c[1] * x.c[1] / 2;
  }

  void combine(Operation operation) {
    Item& item = items_[--size_ - 1];
    const Item other = items_[size_];
    const SecondOrderSeries x = item.series, y = other.series;
    if (selects(operation)) {
      if (takes_second(operation, x.c[0], y.c[0])) item = other;
      return;
    }
    const double f = value_of(operation, x.c[0], y.c[0]);
    SecondOrderSeries& z = item.series = f;
    if (!is_step(operation)) {
      const BinaryDerivatives by = derivatives_of(operation, x.c[0], y.c[0], f);
      if (item.varies) {
        z.c[1] += by.x * x.c[1];
        z.c[2] += by.x * x.c[2] + by.xx * x.c[1] * x.c[1] / 2;
      }
      if (other.varies) {
        z.c[1] += by.y * y.c[1];
        z.c[2] += by.y * y.c[2] + by.yy * y.c[1] * y.c[1] / 2;
      }
      if (item.varies && other.varies) z.c[2] += by.xy * x.c[1] * y.c[1];
    }
    item.varies = (item.varies || other.varies) && !is_step(operation);
  }

  SecondOrderSeries result() const { return items_[0].series; }

 private:
  struct Item {
    SecondOrderSeries series;
    bool varies = false;  // a constant has no derivatives, also where those of a function of it are infinite
  };

  std::span<const SecondOrderSeries> variables_;
  std::size_t size_ = 0;
  std::vector<Item> items_;
};

}  // namespace

bool RatedNumber::is_finite() const {
  return std::isfinite(value) &&
         std::all_of(rates.begin(), rates.end(), [](const ParameterRate& rate) { return std::isfinite(rate.value); });
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

void ExpressionProgram::push_number(double number) {
  instructions_.push_back({.operation = Operation::number, .number = number});
  deepest_ = std::max(deepest_, ++depth_);
}

void ExpressionProgram::push_variable(int variable) {
  instructions_.push_back({.operation = Operation::variable, .index = variable});
  deepest_ = std::max(deepest_, ++depth_);
  has_variables_ = true;
}

bool ExpressionProgram::ends_in_numbers(std::size_t count) const {
  return instructions_.size() >= joint_ + count &&
         std::all_of(instructions_.end() - static_cast<std::ptrdiff_t>(count), instructions_.end(),
                     [](const Instruction& last) { return last.operation == Operation::number; });
}

void ExpressionProgram::apply(Operation operation) {
  const std::size_t arguments = takes_two(operation) ? 2 : 1;
  depth_ -= arguments - 1;
  if (!ends_in_numbers(arguments)) return instructions_.push_back({.operation = operation});
  const double last = instructions_.back().number;
  if (arguments == 2) instructions_.pop_back();
  double& first = instructions_.back().number;
  first = arguments == 2 ? value_of(operation, first, last) : value_of(operation, last);
}

std::size_t ExpressionProgram::add_skip(Operation operation) {
  instructions_.push_back({.operation = operation});
  return instructions_.size() - 1;
}

void ExpressionProgram::skip_to_here(std::size_t skip) {
  joint_ = instructions_.size();
  instructions_[skip].index = static_cast<int>(joint_ - skip - 1);
}

std::size_t ExpressionProgram::begin_choice() {
  --depth_;
  return add_skip(Operation::skip_unless);
}

std::size_t ExpressionProgram::begin_other(std::size_t choice) {
  --depth_;  // one of the two results will be there
  const std::size_t skip = add_skip(Operation::skip);
  skip_to_here(choice);
  return skip;
}

void ExpressionProgram::end_choice(std::size_t other) { skip_to_here(other); }

ExpressionProgram ExpressionProgram::with_numbers(const double* const* variables,
                                                  const std::vector<bool>& is_replaced) const {
  struct OpenSkip {
    std::size_t target, written;  // where it ends in this program, where it begins in the new one
  };
  std::vector<OpenSkip> open;
  ExpressionProgram made;
  for (std::size_t k = 0; k <= instructions_.size(); ++k) {
    for (const OpenSkip& skip : open) {
      if (skip.target == k) made.skip_to_here(skip.written);
    }
    if (k == instructions_.size()) break;
    const Instruction& next = instructions_[k];
    if (next.operation == Operation::number) {
      made.push_number(next.number);
    } else if (next.operation == Operation::variable) {
      const auto variable = static_cast<std::size_t>(next.index);
      if (is_replaced[variable]) made.push_number(*variables[variable]);
      else made.push_variable(next.index);
    } else if (next.operation == Operation::skip || next.operation == Operation::skip_unless) {
      --made.depth_;  // of the condition, or of the result in whose place the other one will be
      open.push_back({k + 1 + static_cast<std::size_t>(next.index), made.add_skip(next.operation)});
    } else {
      made.apply(next.operation);
    }
  }
  return made;
}

// ---------------------------------------------------------------------------------------------------------------------
// Running

template <class Stack>
void ExpressionProgram::carry_out(Stack& stack) const {
  const Instruction* const end = instructions_.data() + instructions_.size();
  for (const Instruction* next = instructions_.data(); next != end; ++next) {
    switch (next->operation) {
      case Operation::number:
        stack.push_number(next->number);
        break;
      case Operation::variable:
        stack.push_variable(next->index);
        break;
      case Operation::skip:
        next += next->index;
        break;
      case Operation::skip_unless:
        if (!stack.pop_condition()) next += next->index;
        break;
      default:
        if (takes_two(next->operation)) stack.combine(next->operation);
        else stack.apply(next->operation);
    }
  }
}

double ExpressionProgram::value_on(double* stack, const double* const* variables) const {
  NumberStack numbers(stack, variables);
  carry_out(numbers);
  return numbers.result();
}

double ExpressionProgram::value(const double* const* variables) const {
  constexpr std::size_t usual_depth = 8;
  if (deepest_ > usual_depth) return value_on(std::vector<double>(deepest_).data(), variables);
  std::array<double, usual_depth> stack{};
  return value_on(stack.data(), variables);
}

RatedNumber ExpressionProgram::value_with_rates(std::span<const RatedNumber* const> variables,
                                                std::size_t parameters) const {
  RateStack stack(deepest_, variables, parameters);
  carry_out(stack);
  return stack.result();
}

SecondOrderSeries ExpressionProgram::series(std::span<const SecondOrderSeries> variables) const {
  SeriesStack stack(deepest_, variables);
  carry_out(stack);
  return stack.result();
}

}  // namespace stillpoint
