// How often motions leave a singular configuration on a wrong branch: parallel loops whose rate at the start is
// redrawn, which pass the flat position twice a turn, with and without the proximal term, plainly and with records
// exactly at the flat instants. On the right branch all heads are as high; a wrong one should be noticed by the tool
// itself.
//
//   ./dev campaign branches [STARTS [SECONDS [TOLERANCE]]]     200 starts of 10 s at 1e-9; of settings that are known
//                                                              to go wrong a tenth as many, of 1000 loops a twentieth
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "stillpoint/error.h"
#include "support/motion/loops.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

struct Count {
  int runs = 0, wrong = 0, noticed = 0, false_alarms = 0;
  int stuck = 0;   ///< ended with another message
  int missed = 0;  ///< wrong ones that ended without any
};

/// Just behind a flat position the heads differ by their rates only.
bool has_parted(const State& state) {
  for (Eigen::Index i = 3; i < state.q.size(); i += 2) {
    if (!(std::abs(state.q[i] - state.q[1]) < 1e-4 && std::abs(state.v[i] - state.v[1]) < 1e-6)) return true;
  }
  return false;
}

/// The instants at which a motion is flat.
std::vector<double> flat_instants(const Model& model, const State& start, double end) {
  const Motion motion = integrate(model, start, {.times = {0, end}, .tolerance = 1e-11});
  std::vector<double> times{0};
  for (const SingularPassage& passage : motion.singular) {
    if (passage.time > times.back()) times.push_back(passage.time);
  }
  if (times.back() < end) times.push_back(end);
  return times;
}

Count count(Index N, int starts, double end, double tolerance, double proximal, bool stops_at_flat, DynamicForm form) {
  const Model model = loops::parallel(N);
  Count all;
  for (int k = 0; k < starts; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1);
    const State start = loops::pushed(model, random.between(0.6, 1.8));
    MotionOptions how{.times = {0, end}, .tolerance = tolerance, .form = {.form = form}, .proximal = proximal};
    if (stops_at_flat) how.times = flat_instants(model, start, end);
    how.most_steps = 20'000;
    const Motion motion = integrate(model, start, how);
    const bool is_doubted = !motion.singular.empty() && !motion.singular.back().is_confirmed;
    const bool is_stopped = motion.status == MotionStatus::stuck;
    const bool is_wrong = has_parted(is_stopped ? loops::led_on(model, motion, how) : motion.end);
    ++all.runs;
    all.wrong += is_wrong;
    all.noticed += is_wrong && is_doubted;
    all.false_alarms += !is_wrong && is_doubted;
    all.stuck += motion.status != MotionStatus::done && !is_doubted;
    all.missed += is_wrong && motion.status == MotionStatus::done;
  }
  return all;
}

}  // namespace

int main(int words, char** word) try {
  const int starts = words > 1 ? std::atoi(word[1]) : 200;
  const double end = words > 2 ? std::atof(word[2]) : 10, tolerance = words > 3 ? std::atof(word[3]) : 1e-9;
  fmt::print("{:>14} {:>4} {:>9} {:>14} {:>6} {:>6} {:>8} {:>13} {:>6} {:>6}\n", "form", "N", "proximal", "records",
             "runs", "wrong", "noticed", "false alarms", "stuck", "missed");
  struct Setting {
    DynamicForm form;
    double proximal;
  };
  const double usual = MotionOptions().proximal;
  for (const auto& [form, proximal] : {Setting{DynamicForm::augmented, usual}, Setting{DynamicForm::augmented, 0},
                                       Setting{DynamicForm::udwadia_kalaba, usual}}) {
    const bool is_usual = form == DynamicForm::augmented && proximal == usual;
    for (const Index N : {2, 3, 40, 1000}) {
      if (N > 40 && !is_usual) continue;
      for (const bool stops : {false, true}) {
        const int runs = std::max(1, N > 40 ? starts / 20 : is_usual ? starts : starts / 10);
        const Count all = count(N, runs, end, tolerance, proximal, stops, form);
        fmt::print("{:>14} {:>4} {:>9.0e} {:>14} {:>6} {:>6} {:>8} {:>13} {:>6} {:>6}\n", name_of(form), N, proximal,
                   stops ? "flat instants" : "at the end", all.runs, all.wrong, all.noticed, all.false_alarms,
                   all.stuck, all.missed);
        std::fflush(stdout);
      }
    }
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
