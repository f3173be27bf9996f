// The whole library, one header for each stage in order of use.
#pragma once

#include "stillpoint/threads.h"
#include "stillpoint/version.h"
// What a model is made of
#include "stillpoint/elements/all.h"
#include "stillpoint/error.h"
#include "stillpoint/model.h"
// Where models come from
#include "stillpoint/read_model.h"
// What can be asked of them
#include "stillpoint/assembly.h"
#include "stillpoint/check.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/outputs.h"
#include "stillpoint/topology.h"
// The waist: linear systems, from models or from matrices
#include "stillpoint/linear_system.h"
#include "stillpoint/linearize.h"
// What can be asked of those
#include "stillpoint/forms.h"
#include "stillpoint/modes.h"
#include "stillpoint/report.h"
#include "stillpoint/sparsity.h"
#include "stillpoint/verdict.h"
// What is made of them for control
#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/reduce.h"
#include "stillpoint/write_plant.h"
