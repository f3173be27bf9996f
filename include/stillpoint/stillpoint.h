// The complete library: one header for each stage, in the order of use.
#pragma once

#include "stillpoint/threads.h"
#include "stillpoint/version.h"
// Models and their elements
#include "stillpoint/elements/all.h"
#include "stillpoint/error.h"
#include "stillpoint/model.h"
// Model files
#include "stillpoint/model_family.h"
#include "stillpoint/read_controllers.h"
#include "stillpoint/read_model.h"
// Analysis of models
#include "stillpoint/assemble.h"
#include "stillpoint/assembly.h"
#include "stillpoint/check.h"
#include "stillpoint/closing.h"
#include "stillpoint/continuation.h"
#include "stillpoint/critical.h"
#include "stillpoint/drawings.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/identify.h"
#include "stillpoint/motion.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/outputs.h"
#include "stillpoint/topology.h"
// The waist: linear systems, made from models or from matrices
#include "stillpoint/change_system.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/linearize.h"
// Loops closed on linear systems
#include "stillpoint/close_loops.h"
#include "stillpoint/controller.h"
// Analysis of linear systems
#include "stillpoint/explanation.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/follow_modes.h"
#include "stillpoint/forms.h"
#include "stillpoint/modes.h"
#include "stillpoint/report.h"
#include "stillpoint/report_page.h"
#include "stillpoint/scene.h"
#include "stillpoint/sensitivity.h"
#include "stillpoint/sparsity.h"
#include "stillpoint/stability.h"
#include "stillpoint/stability_map.h"
#include "stillpoint/sweep.h"
#include "stillpoint/system_structure.h"
// Plants for control design
#include "stillpoint/discretise.h"
#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/reduce.h"
#include "stillpoint/write_plant.h"
#include "stillpoint/zeros.h"
// Loads: motions of the base, unbalance, random inputs
#include "stillpoint/effective_masses.h"
#include "stillpoint/random_response.h"
#include "stillpoint/unbalance.h"
// Modes and linear models beside motions
#include "stillpoint/linear_motion.h"
#include "stillpoint/verify_modes.h"
