#include "scene/material_table.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "scene/scene_testing.h"
#include "scene/write_scene.h"

namespace sunder {
namespace {

using scene_testing::error_of;
using scene_testing::read;

std::string scene_with(const std::string& keys) {
  return "[[body]]\nshape = { kind = \"box\" }\nmaterial = { density = 500, toughness = 3, " + keys + " }\n";
}
Material material(const std::string& keys) { return read(scene_with(keys)).bodies[0].material; }

constexpr const char* kWood =
    "young_axes = [10e9, 1e9, 0.8e9], poisson_axes = [0.3, 0.4, 0.02], shear_axes = [0.8e9, 0.1e9, 0.7e9]";

TEST(MaterialTable, OrthotropicConstantsBecomeTheirStiffness) {
  const Material m = material(kWood);
  ASSERT_TRUE(m.anisotropy);
  const VoigtMatrix soft = voigt_matrix(m.anisotropy->stiffness).inverse();
  EXPECT_NEAR(1 / soft(0, 0), 10e9, 1e-3);
  EXPECT_NEAR(1 / soft(1, 1), 1e9, 1e-3);
  EXPECT_NEAR(1 / soft(2, 2), 0.8e9, 1e-3);
  EXPECT_NEAR(-soft(1, 0) / soft(0, 0), 0.3, 1e-12);   // nu12
  EXPECT_NEAR(-soft(2, 1) / soft(1, 1), 0.4, 1e-12);   // nu23
  EXPECT_NEAR(-soft(0, 2) / soft(2, 2), 0.02, 1e-12);  // nu31
  EXPECT_NEAR(1 / soft(5, 5), 0.8e9, 1e-3);            // G12
  EXPECT_NEAR(1 / soft(3, 3), 0.1e9, 1e-3);            // G23
  EXPECT_NEAR(1 / soft(4, 4), 0.7e9, 1e-3);            // G31
}

TEST(MaterialTable, TwentyOneConstantsAreTheUpperTriangleByRows) {
  const Material m = material(
      "stiffness_matrix = [21, 1, 2, 0, 0, 0, 22, 3, 0, 0, 0, 23, 0, 0, 0, 8, 0, 0, 9, 0, 10], axes = [0, 0, 30]");
  const VoigtMatrix c = voigt_matrix(m.anisotropy->stiffness);
  EXPECT_EQ(c(0, 0), 21);
  EXPECT_EQ(c(2, 1), 3);
  EXPECT_EQ(c(3, 3), 8);
  EXPECT_EQ(c(5, 5), 10);
  EXPECT_EQ(m.anisotropy->axes, Vec3(0, 0, 30));
}

TEST(MaterialTable, FlowIsReadAndAPresetBringsIt) {
  const Material m = material("young = 1e9, poisson = 0.3, yield_stress = 2e6, hardening = 3e6, plastic_limit = 0.4");
  EXPECT_EQ(m.yield_stress, 2e6);
  EXPECT_EQ(m.hardening, 3e6);
  EXPECT_EQ(m.plastic_limit, 0.4);
  EXPECT_FALSE(material("young = 1e9, poisson = 0.3").flows());
  const Material tin = find_material_preset("tin")->material;
  EXPECT_EQ(material("preset = \"tin\"").yield_stress, tin.yield_stress);
  EXPECT_EQ(material("preset = \"tin\"").plastic_limit, tin.plastic_limit);
  EXPECT_FALSE(material("preset = \"tin\", yield_stress = 0").flows());
}

TEST(MaterialTable, ReadsBackWhatItWrites) {
  for (const std::string& keys :
       {std::string(kWood) + ", axes = [10, 20, 30]", std::string("preset = \"pine\""),
        std::string("preset = \"pine\", axes = [0, 90, 0]"),
        std::string("preset = \"pine\", young = 1e9, poisson = 0.2"), std::string("preset = \"tin\", hardening = 1e6"),
        std::string("preset = \"copper\", yield_stress = 0"),
        std::string("young = 1e9, poisson = 0.3, yield_stress = 2e6")}) {
    const Scene scene = read(scene_with(keys));
    const Scene again = read(scene_text(scene));
    EXPECT_EQ(again.bodies[0].material, scene.bodies[0].material) << keys;
  }
}

TEST(MaterialTable, BadStiffnessIsRefusedWithItsSmallestEigenvalue) {
  const std::string lame = "stiffness_matrix = [1, 5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1]";
  EXPECT_NE(error_of(scene_with(lame)).find("the smallest eigenvalue of its stiffness is -4 Pa"), std::string::npos)
      << error_of(scene_with(lame));
  EXPECT_NE(
      error_of(scene_with("young_axes = [10e9, 1e9, 1e9], poisson_axes = [3.3, 0, 0], shear_axes = [1e9, 1e9, 1e9]"))
          .find("the smallest eigenvalue of its compliance is -"),
      std::string::npos);
  EXPECT_NE(error_of(scene_with("stiffness_matrix = [1, 2, 3]")).find("must have 21 numbers, found 3"),
            std::string::npos);
  EXPECT_NE(error_of(scene_with("young_axes = [1e9, 1e9, 1e9], shear_axes = [1e9, 1e9, 1e9]")).find("`poisson_axes`"),
            std::string::npos);
  EXPECT_NE(error_of(scene_with(std::string(kWood) + ", young = 1e9, poisson = 0.2")).find("more than one form"),
            std::string::npos);
  EXPECT_NE(error_of(scene_with("young = 1e9, poisson = 0.2, axes = [0, 0, 30]")).find("the same in all directions"),
            std::string::npos);
}

TEST(MaterialTable, FlowThatCannotBeIsRefused) {
  EXPECT_NE(error_of(scene_with("young = 1e9, poisson = 0.2, hardening = 1e6")).find("never flows"), std::string::npos);
  EXPECT_NE(error_of(scene_with("young = 1e9, poisson = 0.2, plastic_limit = 0.1")).find("never flows"),
            std::string::npos);
  EXPECT_NE(error_of(scene_with(std::string(kWood) + ", yield_stress = 1e6")).find("the same in all directions"),
            std::string::npos);
  EXPECT_NE(error_of(scene_with("young = 1e9, poisson = 0.2, yield_stress = -1")).find("at least 0"),
            std::string::npos);
}

}  // namespace
}  // namespace sunder
