// Many more surfaces at random than the fast tests have time for.
#include "meshing/even_surface_testing.h"

namespace sunder {
namespace {

using namespace even_surface_testing;

TEST(EvenSurfaceAtLength, KeepsWhatThousandsOfRandomSurfacesAre) {
  for (std::uint64_t seed = 1000; seed < 6000; ++seed) {
    Dice dice(seed);
    const TriangleMesh input = random_surface(dice);
    expect_even_surface(input, {.edge = dice(0.1, 0.6), .seed = seed});
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sunder
