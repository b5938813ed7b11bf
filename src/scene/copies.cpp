#include "scene/copies.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/random.h"

namespace sunder {
namespace {

constexpr double kMostCopies = 10000;

// Every turn equally likely.
Vec3 random_turn(std::uint64_t seed, std::uint64_t copy) {
  const double x = random_unit(seed, copy, 3), y = random_unit(seed, copy, 4), z = random_unit(seed, copy, 5);
  return {360 * x, std::asin(2 * y - 1) * 180 / std::numbers::pi, 360 * z};
}

void require_whole(const Scene& scene, std::size_t index, const Vec3& count) {
  const auto whole = [](double x) { return x >= 1 && x == std::floor(x); };
  if (whole(count.x()) && whole(count.y()) && whole(count.z()) && count.prod() <= kMostCopies) return;
  throw InputError(scene.place(fmt::format("body[{}].copies", index)),
                   fmt::format("`copies` of `body[{}]` must be three whole numbers, {} in all at most", index,
                               static_cast<int>(kMostCopies)),
                   "for instance copies = [4, 5, 4]: along x, y and z");
}

// Spread about the body's own place; a stack rises from it.
BodySpec copy_at(const BodySpec& body, int x, int y, int z, std::uint64_t seed, std::uint64_t number) {
  BodySpec copy = body;
  copy.copies = Vec3::Ones();
  copy.spacing.setZero();
  copy.scatter.setZero();
  copy.tumble = false;
  const Vec3 steps(x - (body.copies.x() - 1) / 2, y, z - (body.copies.z() - 1) / 2);
  copy.position += steps.cwiseProduct(body.spacing);
  for (int a = 0; a < 3; ++a) {
    copy.position[a] += body.scatter[a] * (2 * random_unit(seed, number, static_cast<std::uint64_t>(a)) - 1);
  }
  if (body.tumble) copy.rotation = random_turn(seed, number);
  return copy;
}

// The list with one entry for each name, where `name_of(entry)` is the name of a body that has several now.
template <class Spec, class NameOf>
void give_to_all(std::map<std::string, std::vector<std::string>>& names, const char* list, const Scene& before,
                 Scene& scene, std::vector<Spec>& specs, NameOf&& name_of) {
  std::vector<Spec> result;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto found = names.find(name_of(specs[i]));
    const std::vector<std::string> targets =
        found == names.end() ? std::vector<std::string>{name_of(specs[i])} : found->second;
    for (const std::string& target : targets) {
      copy_places(before.places, fmt::format("{}[{}]", list, i), fmt::format("{}[{}]", list, result.size()),
                  scene.places);
      name_of(result.emplace_back(specs[i])) = target;
    }
  }
  specs = std::move(result);
}

}  // namespace

void expand_copies(Scene& scene) {
  bool any = false;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    require_whole(scene, i, scene.bodies[i].copies);
    any = any || scene.bodies[i].copies.prod() > 1;
  }
  if (!any) return;
  const Scene before = scene;
  std::erase_if(scene.places, [](const auto& entry) {
    return entry.first.starts_with("body[") || entry.first.starts_with("region[") ||
           entry.first.starts_with("toughness[") || entry.first.starts_with("dust[") ||
           entry.first.starts_with("paint[");
  });
  scene.bodies.clear();
  std::map<std::string, std::vector<std::string>> names;
  for (std::size_t i = 0; i < before.bodies.size(); ++i) {
    const BodySpec& body = before.bodies[i];
    const bool many = body.copies.prod() > 1;
    std::uint64_t number = 0;
    for (int y = 0; y < body.copies.y(); ++y) {
      for (int z = 0; z < body.copies.z(); ++z) {
        for (int x = 0; x < body.copies.x(); ++x) {
          copy_places(before.places, fmt::format("body[{}]", i), fmt::format("body[{}]", scene.bodies.size()),
                      scene.places);
          BodySpec& copy = scene.bodies.emplace_back(copy_at(body, x, y, z, random_bits(before.seed, i, 2), number++));
          if (many && !body.name.empty()) {
            copy.name = fmt::format("{}-{}", body.name, number);
            names[body.name].push_back(copy.name);
          }
        }
      }
    }
  }
  give_to_all(
      names, "region", before, scene, scene.regions, [](auto& r) -> auto& { return r.body; });
  give_to_all(
      names, "toughness", before, scene, scene.toughness, [](auto& t) -> auto& { return t.body; });
  give_to_all(
      names, "dust", before, scene, scene.dust, [](auto& d) -> auto& { return d.body; });
  give_to_all(
      names, "paint", before, scene, scene.paints, [](auto& p) -> auto& { return p.on; });
}

}  // namespace sunder
