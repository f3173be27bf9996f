// Campaign: does the plan choose well, and is what it answers right?
//
//   plan [SYSTEMS [FIRST_SEED [CSV [LARGEST]]]]     2000 random systems from seed 1, without a table, up to 600
//                                                   coordinates
//
// Systems of all structures with 2 to 600 coordinates, half of them as matrices from elsewhere: singular M, unsymmetric
// C and K, constraints. Each request is answered by `find_modes`, and by a dense and a sparse engine alone. Up to
// `compared` coordinates all eigenvalues are found as well, by MCS and by RCS, and those that are given as true must be
// among them within the error bounds; up to `referenced` coordinates they are compared with eigenvalues in long double.
// Times are those of the processor on one thread, so that other work on the machine hardly counts: medians of three
// runs, one engine after the other; of runs longer than a second there is one. An engine that takes longer than the
// certified answer is stopped, as it can no longer be the better one.
#include <fmt/format.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <optional>

#include "base/whole_program.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/threads.h"
#include "support/modes/reference_spectrum.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

using Matrix = Eigen::MatrixXd;

constexpr Index referenced = 24, compared = 150;  // coordinates, at most
constexpr double noticeable = 0.1;                // s: shorter times are not compared
constexpr double hopeless = 4;                    // an engine whose estimate is so many times longer is not tried

struct Drawn {
  std::string kind;
  LinearSystem system;
};

/// A random symmetric matrix with few entries a row, positive definite by its diagonal.
Matrix springs(Random& random, Index n, double density) {
  Matrix K = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) K(i, i) = random.scaled(0.1, 10);
  const auto pairs = static_cast<Index>(density * n) + 1;
  for (Index p = 0; p < pairs; ++p) {
    const Index i = random.below(n), j = random.below(n);
    if (i == j) continue;
    const double k = random.scaled(0.1, 10);
    K(i, i) += k;
    K(j, j) += k;
    K(i, j) -= k;
    K(j, i) -= k;
  }
  return K;
}

Matrix skew(Random& random, Index n, double size) {
  Matrix G = Matrix::Zero(n, n);
  for (Index p = 0; p < n / 2 + 1; ++p) {
    const Index i = random.below(n), j = random.below(n);
    if (i == j) continue;
    const double g = size * random.entry();
    G(i, j) += g;
    G(j, i) -= g;
  }
  return G;
}

Matrix constraints(Random& random, Index rows, Index n) {
  Matrix J = Matrix::Zero(rows, n);
  for (Index r = 0; r < rows; ++r) {
    for (int k = 0; k < 3; ++k) J(r, random.below(n)) += random.entry();
    J(r, r) += 2;
  }
  return J;
}

Drawn draw(std::uint64_t seed, Index largest) {
  Random random(seed);
  const auto n = static_cast<Index>(random.scaled(2, largest + 1));
  const bool from_elsewhere = random.maybe(0.5);
  Matrix M = Matrix::Zero(n, n), C = Matrix::Zero(n, n), K = springs(random, n, random.between(0.5, 3));
  for (Index i = 0; i < n; ++i) M(i, i) = random.scaled(0.2, 5);
  std::string kind;
  const auto add = [&](const char* word) { kind += kind.empty() ? word : std::string(", ") + word; };
  if (from_elsewhere && n > 3 && random.maybe(0.6)) {
    add("massless");
    const int massless = random.whole(1, 2);
    for (int k = 0; k < massless; ++k) M(random.below(n), random.below(n)) += 0;
    for (int k = 0; k < massless; ++k) {
      const Index i = random.below(n);
      M.row(i).setZero();
      M.col(i).setZero();
    }
  }
  switch (random.whole(0, 4)) {
    case 0:
      add("undamped");
      break;
    case 1:
      add("light damping");
      C = 1e-3 * K;
      break;
    case 2: {
      add("dampers");
      const int dampers = random.whole(1, 3);
      for (int k = 0; k < dampers; ++k) {
        const Index i = random.below(n);
        C(i, i) += random.scaled(0.01, 1);
      }
      break;
    }
    case 3:
      add("gyroscopic");
      C = skew(random, n, 0.3);
      break;
    default:
      add("general damping");
      C = 0.1 * K + (from_elsewhere ? skew(random, n, 0.5) : Matrix(Matrix::Zero(n, n)));
  }
  if (random.maybe(from_elsewhere ? 0.5 : 0.15)) {
    add("circulatory");
    K += skew(random, n, 0.3);
  }
  LinearSystem system;
  system.M = M.sparseView();
  system.C = C.sparseView();
  system.K = K.sparseView();
  if (n > 4 && random.maybe(0.5)) {
    add("constrained");
    system.J = constraints(random, static_cast<Index>(random.whole(1, static_cast<int>(std::min<Index>(3, n / 3)))), n)
                   .sparseView();
  }
  return {kind, checked(std::move(system))};
}

Which request_for(Random& random, const LinearSystem& system) {
  const Index few = std::min<Index>(system.dof(), random.whole(1, 12));
  switch (random.whole(0, 3)) {
    case 0:
      return All{};
    case 1:
      return Nearest{{0, random.scaled(0.3, 3)}, few};
    default:
      return Lowest{few};
  }
}

/// The answer, and the median of three runs; of long ones the only one.
template <class Run>
auto timed(const Run& run, double& seconds) {
  std::array<double, 3> times{};
  decltype(run()) answer;
  for (double& time : times) {
    const std::clock_t begin = std::clock();
    answer = run();
    time = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (time > 1) {
      seconds = time;
      return answer;
    }
  }
  std::sort(times.begin(), times.end());
  seconds = times[1];
  return answer;
}

struct Answer {
  bool is_certified = false, is_sparse = false;
  double seconds = 0;
  std::string engine, reason;
  std::vector<Mode> modes;
};

Answer answer_to(const LinearSystem& system, const AnalysisOptions& options) {
  double seconds = 0;
  const FoundModes found = timed([&] { return find_modes(system, Method::mcs, options); }, seconds);
  const Spectrum& spectrum = found.spectrum;
  return {spectrum.certified,
          is_sparse(found.planned.engine),
          seconds,
          to_words(found.planned.engine),
          spectrum.reasons.empty() ? "" : to_words(spectrum.reasons.front()),
          spectrum.modes};
}

using Bounded = std::pair<std::complex<double>, double>;  // a value, and how far it may be off

bool is_true(const Mode& mode) { return mode.kind == ModeClass::genuine && !mode.is_infinite(); }

/// The same eigenvalue by Newton's method in all coordinates, where it converges; of small systems only.
Bounded settled(const LinearSystem& system, const Bounded& value) {
  if (system.coordinates() > referenced) return value;
  const auto found = stillpoint::testing::settled(system, {value.first, value.second});
  return found ? Bounded(found->s, found->uncertainty) : value;
}

/// True values of one answer that a complete certified answer does not contain within the bounds of both. A reduction
/// to minimal coordinates costs digits in long double as well, so the nearest value is settled before it speaks
/// against the answer.
int contradictions(const LinearSystem& system, const Answer& some, const std::vector<Bounded>& all) {
  int wrong = 0;
  for (const Mode& mode : some.modes) {
    if (!is_true(mode)) continue;
    const auto is_mode = [&](const Bounded& one) { return std::abs(one.first - mode.s) <= mode.error + one.second; };
    if (std::any_of(all.begin(), all.end(), is_mode)) continue;
    const Bounded nearest =
        settled(system, *std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
                  return std::abs(a.first - mode.s) < std::abs(b.first - mode.s);
                }));
    if (is_mode(nearest)) continue;
    ++wrong;
    fmt::print(
        "  wrong: {:.17g} {:+.17g}i ± {:.2g}, multiplicity {}, condition {:.2g}; nearest {:.17g} {:+.17g}i ± {:.2g}\n",
        mode.s.real(), mode.s.imag(), mode.error, mode.multiplicity, mode.condition, nearest.first.real(),
        nearest.first.imag(), nearest.second);
  }
  return wrong;
}

struct Tally {
  int systems = 0, uncertified = 0, uncertified_beside_certified = 0, wrong = 0, refused = 0, slow = 0, timed = 0;
  std::vector<double> ratios;
  std::map<std::string, int> engines, reasons;
};

/// What is told of the answer of an engine alone.
struct Told {
  double seconds = 0;
  bool is_certified = false;
  char engine[80] = "";
};

/// The answer of an engine in a process of its own, without the modes; nothing if it refuses, or takes more time than
/// this.
std::optional<Answer> answer_within(double seconds, const LinearSystem& system, const AnalysisOptions& options) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) throw Error("no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const double limit = 4 * seconds + 0.5;  // three runs
    const itimerval timer{{}, {static_cast<time_t>(limit), static_cast<suseconds_t>(1e6 * std::fmod(limit, 1.0))}};
    setitimer(ITIMER_PROF, &timer, nullptr);  // its signal ends the process
    Told told;
    try {
      const Answer answer = answer_to(system, options);
      told.seconds = answer.seconds;
      told.is_certified = answer.is_certified;
      answer.engine.copy(told.engine, sizeof told.engine - 1);
    } catch (const Error&) {
      _exit(1);
    }
    _exit(write(pipe_ends[1], &told, sizeof told) == sizeof told ? 0 : 1);
  }
  close(pipe_ends[1]);
  Told told;
  const bool is_told = read(pipe_ends[0], &told, sizeof told) == sizeof told;
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!is_told) return {};
  Answer answer;
  answer.is_certified = told.is_certified;
  answer.seconds = told.seconds;
  answer.engine = told.engine;
  return answer;
}

/// The answers of the dense and of the sparse engine alone; nothing where one refuses, and where the dense one would
/// take many times as long as the certified answer. An answer of the plan that one of them gave at once is not computed
/// again.
struct Alone {
  std::optional<Answer> dense, sparse;

  bool certifies() const { return (dense && dense->is_certified) || (sparse && sparse->is_certified); }
  /// Of those that certify; infinite if there is none.
  double best_seconds() const {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& answer : {dense, sparse}) {
      if (answer && answer->is_certified) best = std::min(best, answer->seconds);
    }
    return best;
  }
};

Alone answers_alone(const LinearSystem& system, AnalysisOptions options, const Answer& given, bool is_first_choice,
                    double dense_estimate) {
  const bool is_dense_hopeless = given.is_certified && dense_estimate > hopeless * given.seconds;
  const auto alone = [&](EngineChoice choice) -> std::optional<Answer> {
    if (choice == EngineChoice::dense && is_dense_hopeless) return {};
    if (is_first_choice && given.is_sparse == (choice == EngineChoice::sparse)) return given;
    options.engine = choice;
    const double patience = given.is_certified ? given.seconds : 60;
    return answer_within(patience, system, options);
  };
  return {alone(EngineChoice::dense), alone(EngineChoice::sparse)};
}

/// All eigenvalues, if one method certifies them: with the bounds of that method, or in long double.
std::vector<Bounded> all_eigenvalues(const LinearSystem& system, bool& is_by_another_method) {
  std::vector<Bounded> all;
  if (system.coordinates() > compared) return all;
  for (const Method method : {Method::mcs, Method::rcs}) {
    try {
      const Spectrum spectrum = find_modes(system, method, {.engine = EngineChoice::dense}).spectrum;
      if (!spectrum.certified) continue;
      is_by_another_method |= method == Method::rcs;
      if (!all.empty()) continue;
      for (const Mode& mode : spectrum.modes) {
        if (is_true(mode)) all.emplace_back(mode.s, mode.error);
      }
    } catch (const Error&) {
    }
  }
  if (system.coordinates() > referenced || all.empty()) return all;
  const auto zeros = std::count_if(all.begin(), all.end(), [](const Bounded& one) { return one.first == 0.0; });
  const auto exact =
      stillpoint::testing::reference_spectrum(system, static_cast<Index>(all.size()), static_cast<Index>(zeros));
  if (exact.size() != all.size()) return all;
  all.clear();
  for (const auto& value : exact)
    all.emplace_back(std::complex<double>(static_cast<double>(value.s.real()), static_cast<double>(value.s.imag())),
                     value.uncertainty);
  return all;
}

std::string words_for(const Which& which) {
  if (const auto* const lowest = std::get_if<Lowest>(&which)) return fmt::format("lowest {}", lowest->count);
  if (const auto* const nearest = std::get_if<Nearest>(&which)) return fmt::format("nearest {}", nearest->count);
  return "all";
}

/// "dense,0.12,1": kind of engine, seconds and whether it certified; empty columns where it refused.
std::string columns(const std::optional<Answer>& answer) {
  return answer ? fmt::format("\"{}\",{:.6f},{}", answer->engine, answer->seconds, int(answer->is_certified)) : ",,";
}

void examine(std::uint64_t seed, Index largest, Tally& tally, std::ofstream& table) {
  const Drawn drawn = draw(seed, largest);
  Random random(seed + 1'000'003);
  const AnalysisOptions options{.modes = {.which = request_for(random, drawn.system)}};
  ++tally.systems;
  Answer given;
  std::vector<PlannedEngine> engines;
  try {
    engines = ModeFinder(drawn.system, options).plan_for(Method::mcs);
    given = answer_to(drawn.system, options);
  } catch (const Error&) {
    ++tally.refused;
    return;
  }
  ++tally.engines[given.engine];
  const auto estimate_of = [&engines](bool sparse) -> std::optional<double> {
    for (const PlannedEngine& engine : engines) {
      if (is_sparse(engine.engine) == sparse && !engine.is_fallback) return engine.seconds;
    }
    return {};
  };
  const bool is_first_choice = given.is_certified && given.engine == to_words(engines.front().engine);
  const Alone alone = answers_alone(drawn.system, options, given, is_first_choice, estimate_of(false).value_or(0));
  bool another_certifies = alone.certifies();
  const std::vector<Bounded> all = all_eigenvalues(drawn.system, another_certifies);
  const int wrong = all.empty() ? 0 : contradictions(drawn.system, given, all);
  tally.wrong += wrong > 0;
  tally.uncertified += !given.is_certified;
  tally.uncertified_beside_certified += !given.is_certified && another_certifies;
  if (!given.is_certified) ++tally.reasons[given.reason];
  const double best = alone.best_seconds();
  double ratio = 0;
  if (given.is_certified && std::isfinite(best) && std::max(given.seconds, best) > noticeable) {
    ratio = given.seconds / best;
    ++tally.timed;
    tally.ratios.push_back(ratio);
    tally.slow += ratio > 1.5;
  }
  if (wrong > 0 || ratio > 1.5 || (!given.is_certified && another_certifies))
    fmt::print("seed {}: n = {}, {}, {}: {}, {}{:.3f} s, best {:.3f} s, {} wrong\n", seed, drawn.system.coordinates(),
               drawn.kind, words_for(options.modes.which), given.engine, given.is_certified ? "" : given.reason + ", ",
               given.seconds, best, wrong);
  if (table.is_open()) {
    table << fmt::format("{},{},{},\"{}\",{},{},{},{},{}", seed, drawn.system.coordinates(), drawn.system.rank(),
                         drawn.kind, words_for(options.modes.which), columns(given), columns(alone.dense),
                         columns(alone.sparse), wrong);
    for (const bool sparse : {false, true}) {
      const std::optional<double> estimate = estimate_of(sparse);
      table << (estimate ? fmt::format(",{:.6f}", *estimate) : ",");
    }
    table << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  set_up_whole_program();
  set_most_threads(1);
  const int systems = argc > 1 ? std::atoi(argv[1]) : 2000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const Index largest = argc > 4 ? std::atoi(argv[4]) : 600;
  std::ofstream table;
  if (argc > 3) table.open(argv[3]);
  if (table.is_open())
    table
        << "seed,n,rank of J,system,request,engine,seconds,certified,dense,seconds,certified,sparse,seconds,certified,"
           "wrong,estimate dense,estimate sparse\n";
  Tally tally;
  for (int k = 0; k < systems; ++k) examine(first + static_cast<std::uint64_t>(k), largest, tally, table);
  std::sort(tally.ratios.begin(), tally.ratios.end());
  fmt::print("{} systems, {} refused with a sentence\n", tally.systems, tally.refused);
  fmt::print("wrong as true: {}\nnot certified: {}, of these where another engine certifies: {}\n", tally.wrong,
             tally.uncertified, tally.uncertified_beside_certified);
  for (const auto& [engine, count] : tally.engines) fmt::print("  {:5} by {}\n", count, engine);
  for (const auto& [reason, count] : tally.reasons) fmt::print("  {:5} not certified: {}\n", count, reason);
  if (!tally.ratios.empty())
    fmt::print(
        "time against the better engine, beyond {} s: {} systems, median {:.2f}, 95 % {:.2f}, largest {:.2f}; "
        "beyond 1.5: {}\n",
        noticeable, tally.timed, tally.ratios[tally.ratios.size() / 2], tally.ratios[tally.ratios.size() * 95 / 100],
        tally.ratios.back(), tally.slow);
  return tally.wrong == 0 ? 0 : 1;
}
