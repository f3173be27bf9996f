#include "read/expand_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stillpoint {

namespace {

// --- Parameters

double finite_value(const SourceFile& file, const NumbersTemplate& number) {
  const double value = number.numbers.front().value();
  if (std::isfinite(value)) return value;
  file.fail(*number.source, fmt::format("{} is {}; it must be a finite number", number.title, show(value)));
}

void check_range(const SourceFile& file, const ParameterTemplate& parameter, const ModelParameter& now) {
  const std::string& title = parameter.title;
  const auto refuse = [&](const std::string& problem) {
    file.fail(*parameter.details, fmt::format("{} is {}; it must be {}", title, now.value, problem));
  };
  if (now.least > now.most) {
    file.fail(*parameter.least->source,
              fmt::format("min of {} is {} and max is {}; no value fits", title, now.least, now.most));
  }
  if (now.value < now.least) refuse(fmt::format("at least {}", now.least));
  if (now.value > now.most) refuse(fmt::format("at most {}", now.most));
}

// The parameter with the value that is given, or else the one of the file.
ModelParameter parameter_now(const SourceFile& file, const ParameterTemplate& parameter, const Parameters& given) {
  ModelParameter now{.name = parameter.name, .value = finite_value(file, parameter.value)};
  for (const auto& [name, value] : given) {
    if (name == parameter.name) now.value = value;
  }
  if (!std::isfinite(now.value)) {
    file.fail(*parameter.source, fmt::format("{} is {}; it must be a finite number", parameter.title, show(now.value)));
  }
  now.is_integer = parameter.is_integer;
  if (now.is_integer && now.value != std::floor(now.value)) {
    file.fail(*parameter.details, fmt::format("{} is {}; it must be a whole number", parameter.title, now.value));
  }
  if (parameter.least) now.least = finite_value(file, *parameter.least);
  if (parameter.most) now.most = finite_value(file, *parameter.most);
  check_range(file, parameter, now);
  return now;
}

// ---------------------------------------------------------------------------------------------------------------------

class ModelExpansion {
 public:
  ModelExpansion(ModelTemplate& compiled, std::int64_t most_things)
      : compiled_(compiled), most_things_(most_things), builder_(compiled.name) {}

  Model model(const Parameters& given) {
    set_parameters(given);
    if (compiled_.gravity) set_gravity(*compiled_.gravity);
    if (compiled_.angular_velocity) set_angular_velocity(*compiled_.angular_velocity);
    for (const EntryType::Stage stage : stages) carry_out(compiled_.mechanism, stage);
    return builder_.model();
  }

 private:
  [[noreturn]] void fail(const Tree& where, const std::string& message) const { compiled_.file.fail(where, message); }

  void set_parameters(const Parameters& given) {
    for (const ModelParameter& parameter : parameters_of(compiled_, given))
      builder_.parameter(parameter.name, parameter.value);
  }

  void set_gravity(const NumbersTemplate& gravity) {
    const auto& g = gravity.numbers;
    compiled_.file.at(*gravity.source, [&] {
      builder_.gravity({g[0].value(), g[1].value(), g.size() > 2 ? g[2].value() : 0});
    });
  }

  void set_angular_velocity(const NumbersTemplate& velocity) {
    const auto& w = velocity.numbers;
    const bool in_space = w.size() == 3;
    compiled_.file.at(*velocity.source, [&] {
      builder_.angular_velocity(in_space ? Vec3<double>{w[0].value(), w[1].value(), w[2].value()}
                                         : Vec3<double>{0, 0, w[0].value()});
    });
  }

  void carry_out(const Templates& templates, EntryType::Stage stage) {
    for (const Template& item : templates) {
      if (const auto* const entry = std::get_if<EntryTemplate>(&item)) {
        if (entry->type->stage == stage) carry_out(*entry);
      } else {
        const LoopTemplate& loop = *std::get<std::unique_ptr<LoopTemplate>>(item);
        if (loop.has[static_cast<std::size_t>(stage)]) carry_out(loop, stage);
      }
    }
  }

  void carry_out(const LoopTemplate& loop, EntryType::Stage stage) {
    const double first = bound(loop, loop.first), last = bound(loop, loop.last);
    if (last - first + 1 > static_cast<double>(most_things_)) {
      fail(*loop.source, fmt::format("'{}' repeats {:.4g} times; a model may have at most {} parts", loop.source->text,
                                     last - first + 1, most_things_));
    }
    const std::size_t depth = loops_.size();
    loops_.push_back(&loop);
    for (double i = first; i <= last; ++i) {
      loop.variable->value = i;
      const std::int64_t before = builder_.size();
      carry_out(loop.body, stage);
      if (builder_.size() == before && ++idle_rounds_ > most_things_) {
        fail(*loop.source, fmt::format("repetitions made no entry more than {} times", most_things_));
      }
    }
    loops_.resize(depth);
  }

  double bound(const LoopTemplate& loop, const Expression& expression) const {
    const double value = expression.value();
    if (!(std::abs(value) <= 1e15) || value != std::floor(value)) {
      fail(*loop.source, fmt::format("'{}' in the range '{}' is {}; it must be a whole number{}", expression.text(),
                                     loop.source->text, show(value), loop_state()));
    }
    return value;
  }

  void carry_out(const EntryTemplate& entry) {
    if (builder_.size() >= most_things_) {
      fail(*entry.source, fmt::format("the mechanism has more than {} parts", most_things_));
    }
    const Tree* where = entry.source;
    try {
      for (const FieldTemplate& field : entry.fields) {
        where = field.source;
        field.field->store(entry.entry.get(), evaluate(entry, field));
      }
      where = entry.source;
      entry.type->add(builder_, entry.name.name(), entry.entry.get());
    } catch (const FieldError& error) {
      for (const FieldTemplate& field : entry.fields) {
        if (field.field->key == error.field()) where = field.source;
      }
      fail(*where, named(entry, error.message()) + loop_state());
    } catch (const Error& error) {
      fail(*where, named(entry, error.message()) + hint_at_order(entry, *where) + loop_state());
    }
  }

  // Adds the entry to an error message that does not name it. Elements that an entry adds without a name belong to the
  // entry.
  static std::string named(const EntryTemplate& entry, const std::string& message) {
    const std::string nameless = describe(entry.type->info->keyword, {});
    std::string title;
    try {
      title = describe(entry.type->info->keyword, entry.name.name());
    } catch (const Error&) {  // an index of the name itself is wrong
      title = fmt::format("{} '{}'", entry.type->info->keyword, entry.source->text);
    }
    if (message.starts_with(title)) return message;
    if (message.starts_with(nameless + ": ")) return title + message.substr(nameless.size());
    return title + ": " + message;
  }

  // A marker on a marker, or a node on a body, needs its carrier above it in the file.
  std::string hint_at_order(const EntryTemplate& entry, const Tree& where) const {
    const bool is_carrier = std::any_of(entry.fields.begin(), entry.fields.end(), [&](const FieldTemplate& field) {
      return field.source == &where && field.field->key == "on";
    });
    if (is_carrier && entry.type->info->keyword == "node") return "; a node stands below its body";
    const bool sits_on_marker = entry.type->stage == EntryType::Stage::markers && &where != entry.source &&
                                compiled_.markers.contains(word_before_bracket(where.text));
    return sits_on_marker ? "; a marker stands below the marker that it sits on" : "";
  }

  [[noreturn]] static void refuse_number(const EntryTemplate& entry, const FieldTemplate& field,
                                         const Expression& number) {
    throw Error(fmt::format("{}: {} '{}' is {}; it must be a finite number",
                            describe(entry.type->info->keyword, entry.name.name()), field.field->key, number.text(),
                            show(number.value())));
  }

  FieldValue evaluate(const EntryTemplate& entry, const FieldTemplate& field) {
    FieldValue value;
    for (const Expression& number : field.numbers) {
      value.numbers[value.count] = number.value();
      if (!std::isfinite(value.numbers[value.count++])) refuse_number(entry, field, number);
    }
    if (field.field->kind == FieldKind::folder || field.field->kind == FieldKind::text) {
      value.text = field.text;
      value.count = 1;
    }
    if (field.field->kind == FieldKind::flag) value.numbers[value.count++] = field.text == "true" ? 1 : 0;
    for (const Reference& reference : field.references) value.references[value.count++] = reference.resolve(builder_);
    if (field.references.size() > 1) refuse_same(field, value);
    return value;
  }

  // Two different places or coordinates are required: an element between a place and itself has no meaning.
  void refuse_same(const FieldTemplate& field, const FieldValue& value) const {
    const auto begin = value.references.begin();
    for (std::size_t i = 1; i < value.count; ++i) {
      if (std::find(begin, begin + static_cast<std::ptrdiff_t>(i), value.references[i]) == begin + i) continue;
      const std::string& key = std::string(field.field->key);
      throw Error(fmt::format("{} names '{}' twice", key, compiled_.file.parts_of(*field.source, key)[i]));
    }
  }

  std::string loop_state() const {
    std::string text;
    for (const LoopTemplate* const loop : loops_) {
      const std::string name = trimmed(loop->source->text.substr(0, loop->source->text.find(" in ")));
      text += fmt::format("{}{} = {}", text.empty() ? " (with " : ", ", name, loop->variable->value);
    }
    return text.empty() ? "" : text + ")";
  }

  ModelTemplate& compiled_;
  std::int64_t most_things_;
  std::vector<const LoopTemplate*> loops_;
  std::int64_t idle_rounds_ = 0;  // rounds of repetitions without an entry, because the inner repetitions are empty
  ModelBuilder builder_;
};

}  // namespace

void refuse_unknown(const ModelTemplate& compiled, const Parameters& given) {
  for (const auto& [name, value] : given) {
    const auto has_name = [&name = name](const ParameterTemplate& parameter) { return parameter.name == name; };
    if (std::any_of(compiled.parameters.begin(), compiled.parameters.end(), has_name)) continue;
    std::vector<std::string> all;
    for (const ParameterTemplate& parameter : compiled.parameters) all.push_back(parameter.name);
    const std::string known = all.empty() ? "the model has none" : fmt::format("there are {}", fmt::join(all, ", "));
    throw Error({compiled.file.name(), 0, 0},
                fmt::format("there is no parameter '{}'{}; {}", name, did_you_mean(name, all), known));
  }
}

Model expand(ModelTemplate& compiled, const Parameters& given, std::int64_t most_things) {
  return ModelExpansion(compiled, most_things).model(given);
}

std::vector<ModelParameter> parameters_of(ModelTemplate& compiled, const Parameters& given) {
  std::vector<ModelParameter> parameters;
  for (const ParameterTemplate& parameter : compiled.parameters) {
    parameters.push_back(parameter_now(compiled.file, parameter, given));
    parameters.back().unit = parameter.unit;
    parameters.back().help = parameter.help;
    compiled.scope.set(parameter.name, {parameters.back().value, {}});
  }
  refuse_unknown(compiled, given);
  return parameters;
}

}  // namespace stillpoint
