// Meshes that cannot be drawn. The reader has looked only for their files.

#include "stillpoint/drawings.h"

#include "check/steps.h"

namespace stillpoint::checks {

void warn_of_drawings(const CheckedModel& checked, CheckReport& report) {
  try {
    static_cast<void>(drawings_of(checked.model));
  } catch (const Error& unreadable) {  // nothing else depends on what is drawn
    report.warnings.push_back(std::string("what is drawn: ") + unreadable.what());
  }
}

}  // namespace stillpoint::checks
