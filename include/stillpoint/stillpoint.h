// The whole library, one header for each stage in order of use.
#pragma once

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
