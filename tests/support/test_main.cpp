#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "base/whole_program.h"

int main(int argc, char** argv) {
  stillpoint::set_up_whole_program();
  return doctest::Context(argc, argv).run();
}
