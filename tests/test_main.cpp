#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "algebra/blas.h"

int main(int argc, char** argv) {
  stillpoint::hold_blas_at_one_thread();
  return doctest::Context(argc, argv).run();
}
