#include "apps/cli/export_materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.h"
#include "sim/auto_paint.h"

namespace sunder::cli {
namespace {

SidePaint flat(const render::Paint& paint) {
  SidePaint flat;
  for (std::size_t i = 0; i < 3; ++i) flat.color[i] = static_cast<double>(paint.color[static_cast<Eigen::Index>(i)]);
  return flat;
}

bool has_uv(const Frame& frame, std::size_t body) {
  for (std::size_t t = 0; t < frame.uv.size(); ++t) {
    const auto& uv = frame.uv[t];
    if (frame.body[t] == body && std::any_of(uv.begin(), uv.end(), [](float x) { return x != 0; })) return true;
  }
  return false;
}

void note(const Scene& scene, std::size_t body, const std::string& what) {
  fmt::print(stderr, "sunder: note: body \"{}\" is exported in a flat colour: {}\n", scene.bodies[body].name, what);
}

}  // namespace

PieceMaterials export_materials(const Scene& scene, const std::function<Frame()>& frame) {
  std::vector<std::string> names;
  std::vector<BodyPaint> paints;
  std::map<std::filesystem::path, std::shared_ptr<const PictureFile>> pictures;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodyLook look = plain_look(scene, b);
    names.push_back(scene.bodies[b].name);
    paints.push_back({flat(look.outside), flat(look.inside)});
    const LaidPicture laid = body_pictures(scene, b).outside;  // crack faces have no texture coordinates
    if (laid.file.empty()) continue;
    if (!laid.by_uv) {
      note(scene, b, "its picture is laid on in material coordinates; texture_uv = true takes the model's own");
    } else if (!has_uv(frame(), b)) {
      note(scene, b, "it has no texture coordinates to lay its picture on by");
    } else {
      try {
        auto& picture = pictures[laid.file];
        if (picture == nullptr) picture = std::make_shared<PictureFile>(read_picture_file(laid.file));
        paints[b][kOutside].picture = picture;
      } catch (const FileError& error) {
        note(scene, b,
             fmt::format("{}\n  put the picture back there, or name another one in the run's scene.toml, "
                         "[[paint]], texture",
                         error.what()));
      }
    }
  }
  return piece_materials(names, paints);
}

}  // namespace sunder::cli
