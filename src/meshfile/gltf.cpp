// glTF 2.0 through tinygltf, which parses the JSON and finds the buffers. It does not check that accessors stay within
// their buffers, so that is done here. Images are not opened.

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "meshfile/surface_builder.h"
#include "meshfile/surface_formats.h"

namespace sunder {
namespace {

constexpr const char* kExportAgain = "export it again as a plain .glb file";

// Files beside a .gltf; names are taken as they are, no shell expansion.
bool file_exists(const std::string& path, void*) {
  std::error_code problem;
  return std::filesystem::is_regular_file(path, problem);
}
std::string same_path(const std::string& path, void*) { return path; }
bool read_whole_file(std::vector<unsigned char>* out, std::string* problem, const std::string& path, void*) {
  try {
    const std::string content = read_file(path);
    out->assign(content.begin(), content.end());
    return true;
  } catch (const Error& error) {
    *problem = error.what();
    return false;
  }
}
bool write_nothing(std::string*, const std::string&, const std::vector<unsigned char>&, void*) { return false; }
bool ignore_image(tinygltf::Image*, int, std::string*, std::string*, int, int, const unsigned char*, int, void*) {
  return true;
}

// How deep brackets are nested at most.
int nesting(std::string_view json) {
  int depth = 0, deepest = 0;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      for (++i; i < json.size() && json[i] != '"'; ++i) {
        if (json[i] == '\\') ++i;
      }
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

// The JSON of a .glb file stands between a head of 20 bytes, whose fourth word is its length, and the buffer.
std::string_view json_of(std::string_view content) {
  constexpr std::size_t head = 20, length_at = 12;
  if (!content.starts_with("glTF") || content.size() < head) return content;
  std::uint32_t length = 0;
  std::memcpy(&length, content.data() + length_at, sizeof length);
  return content.substr(head, length);
}

// What the library says, without the name of its JSON library's exception.
std::string plain_words(std::string problem) {
  if (const std::size_t end = problem.find("] "); problem.starts_with("[json.exception") && end != std::string::npos) {
    problem = "its JSON has a " + problem.substr(end + 2);
  }
  while (!problem.empty() && (problem.back() == '\n' || problem.back() == ' ')) problem.pop_back();
  return problem;
}

class GltfReader {
 public:
  GltfReader(std::string_view content, const std::filesystem::path& path) : file_(path.string()), builder_(file_) {
    if (content.size() > std::numeric_limits<unsigned>::max()) fail("the file is larger than 4 GB");
    constexpr int deepest = 100;  // of what glTF knows, a few; the library walks through the rest recursively
    if (nesting(json_of(content)) > deepest) fail(fmt::format("its JSON is nested more than {} deep", deepest));
    tinygltf::TinyGLTF loader;
    loader.SetFsCallbacks({file_exists, same_path, read_whole_file, write_nothing, nullptr});
    loader.SetImageLoader(ignore_image, nullptr);
    std::string problem, warning;
    const auto size = static_cast<unsigned>(content.size());
    const std::string folder = path.parent_path().string();
    bool good = false;
    try {
      good = content.starts_with("glTF")
                 ? loader.LoadBinaryFromMemory(&model_, &problem, &warning,
                                               reinterpret_cast<const unsigned char*>(content.data()), size, folder)
                 : loader.LoadASCIIFromString(&model_, &problem, &warning, content.data(), size, folder);
    } catch (const std::exception& thrown) {
      problem = thrown.what();
    }
    if (!good) fail("is not a glTF file: " + plain_words(problem));
    for (const std::string& extension : model_.extensionsRequired) {
      if (extension == "KHR_draco_mesh_compression" || extension == "EXT_meshopt_compression") {
        fail("the geometry is compressed with " + extension);
      }
    }
  }

  TriangleMesh read() {
    std::vector<int> roots;
    const int scene = model_.defaultScene >= 0 ? model_.defaultScene : 0;
    if (static_cast<std::size_t>(scene) < model_.scenes.size()) {
      roots = model_.scenes[static_cast<std::size_t>(scene)].nodes;
    } else {
      for (std::size_t i = 0; i < model_.meshes.size(); ++i) mesh(static_cast<int>(i), Eigen::Affine3d::Identity());
    }
    visits_.assign(model_.nodes.size(), 0);
    for (const int root : roots) node(root, Eigen::Affine3d::Identity(), 0);
    return std::move(builder_).build();
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw InputError({file_}, problem, kExportAgain); }

  template <class T>
  const T& at(const std::vector<T>& all, int index, const char* what) const {
    if (index < 0 || static_cast<std::size_t>(index) >= all.size()) {
      fail(fmt::format("{} {} is named but not there", what, index));
    }
    return all[static_cast<std::size_t>(index)];
  }

  void node(int index, const Eigen::Affine3d& parent, int depth) {
    const tinygltf::Node& n = at(model_.nodes, index, "node");
    // Nodes form a tree: one that is met twice belongs to a damaged file, and could multiply without end.
    if (++visits_[static_cast<std::size_t>(index)] > 1 || depth > 1000) fail("the nodes do not form a tree");
    const Eigen::Affine3d here = parent * local_transform(n);
    if (n.mesh >= 0) mesh(n.mesh, here);
    for (const int child : n.children) node(child, here, depth + 1);
  }

  Eigen::Affine3d local_transform(const tinygltf::Node& n) const {
    Eigen::Affine3d local = Eigen::Affine3d::Identity();
    if (n.matrix.size() == 16) {
      local.matrix() = Eigen::Map<const Eigen::Matrix4d>(n.matrix.data());
      local.makeAffine();
      return local;
    }
    if (n.translation.size() == 3) local.translate(Vec3(n.translation[0], n.translation[1], n.translation[2]));
    if (n.rotation.size() == 4) {
      local.rotate(Eigen::Quaterniond(n.rotation[3], n.rotation[0], n.rotation[1], n.rotation[2]).normalized());
    }
    if (n.scale.size() == 3) local.scale(Vec3(n.scale[0], n.scale[1], n.scale[2]));
    return local;
  }

  void mesh(int index, const Eigen::Affine3d& transform) {
    for (const tinygltf::Primitive& p : at(model_.meshes, index, "mesh").primitives) primitive(p, transform);
  }

  void primitive(const tinygltf::Primitive& p, const Eigen::Affine3d& transform) {
    const int mode = p.mode < 0 ? TINYGLTF_MODE_TRIANGLES : p.mode;
    if (mode != TINYGLTF_MODE_TRIANGLES && mode != TINYGLTF_MODE_TRIANGLE_STRIP && mode != TINYGLTF_MODE_TRIANGLE_FAN) {
      return;  // points and lines
    }
    const auto positions = p.attributes.find("POSITION");
    if (positions == p.attributes.end()) return;
    const std::vector<double> x = values(positions->second, 3);
    const auto first_point = static_cast<std::int64_t>(builder_.points.size());
    const std::size_t count = x.size() / 3;
    const std::vector<PointAttribute> painted = attributes(p, count);
    for (std::size_t i = 0; i < count; ++i) {
      builder_.points.push_back(transform * Vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]));
      for (const PointAttribute& a : painted) builder_.set_attribute(a.name, a.values[i]);
    }
    const std::int64_t first_normal = normals(p, count, transform), first_uv = uvs(p, count);

    std::vector<double> indices;
    if (p.indices >= 0) {
      indices = values(p.indices, 1);
    } else {
      for (std::size_t i = 0; i < count; ++i) indices.push_back(static_cast<double>(i));
    }
    builder_.begin_group(p.material < 0 ? "" : at(model_.materials, p.material, "material").name);
    const bool mirrored = transform.linear().determinant() < 0;
    const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
      if (mirrored) std::swap(b, c);
      std::array<SurfaceBuilder::Corner, 3> corners;
      const std::array<std::size_t, 3> which = {a, b, c};
      for (std::size_t k = 0; k < 3; ++k) {
        const double index = indices[which[k]];
        if (index >= static_cast<double>(count)) fail(fmt::format("a triangle uses vertex {} of {}", index, count));
        const auto i = static_cast<std::int64_t>(index);
        corners[k].point = first_point + i;
        if (first_normal >= 0) corners[k].normal = first_normal + i;
        if (first_uv >= 0) corners[k].uv = first_uv + i;
      }
      builder_.add_polygon(corners, 0);
    };
    if (mode == TINYGLTF_MODE_TRIANGLES) {
      for (std::size_t i = 0; i + 2 < indices.size(); i += 3) add(i, i + 1, i + 2);
    } else if (mode == TINYGLTF_MODE_TRIANGLE_FAN) {
      for (std::size_t i = 1; i + 1 < indices.size(); ++i) add(0, i, i + 1);
    } else {
      for (std::size_t i = 0; i + 2 < indices.size(); ++i) i % 2 == 0 ? add(i, i + 1, i + 2) : add(i + 1, i, i + 2);
    }
  }

  // Vertex colours, and single numbers of the artist's own, whose names begin with an underscore.
  std::vector<PointAttribute> attributes(const tinygltf::Primitive& p, std::size_t count) const {
    std::vector<PointAttribute> result;
    for (const auto& [name, index] : p.attributes) {
      const auto type = static_cast<std::uint32_t>(at(model_.accessors, index, "accessor").type);
      const int components = tinygltf::GetNumComponentsInType(type);
      const bool colour = name == "COLOR_0" && (components == 3 || components == 4);
      if (!colour && !(name.starts_with("_") && components == 1)) continue;
      const std::vector<double> all = values(index, components);
      const auto stride = static_cast<std::size_t>(components);
      if (all.size() != stride * count) fail(fmt::format("there are not as many values of {} as points", name));
      for (std::size_t c = 0; c < stride; ++c) {
        PointAttribute& a = result.emplace_back(PointAttribute{colour ? kColourNames[c] : name, {}});
        for (std::size_t i = 0; i < count; ++i) a.values.push_back(all[stride * i + c]);
      }
    }
    return result;
  }

  // Position of the first one in the builder, -1 if there are none.
  std::int64_t normals(const tinygltf::Primitive& p, std::size_t count, const Eigen::Affine3d& transform) {
    const auto found = p.attributes.find("NORMAL");
    if (found == p.attributes.end()) return -1;
    const std::vector<double> n = values(found->second, 3);
    if (n.size() != 3 * count) fail("there are not as many normals as points");
    const auto first = static_cast<std::int64_t>(builder_.normals.size());
    // Cofactors, which are the inverse transpose up to a factor, and defined for flat transforms too.
    const Mat3 m = transform.linear();
    Mat3 cofactor;
    cofactor << m.col(1).cross(m.col(2)), m.col(2).cross(m.col(0)), m.col(0).cross(m.col(1));
    for (std::size_t i = 0; i < count; ++i) {
      builder_.normals.emplace_back((cofactor * Vec3(n[3 * i], n[3 * i + 1], n[3 * i + 2])).normalized());
    }
    return first;
  }

  std::int64_t uvs(const tinygltf::Primitive& p, std::size_t count) {
    const auto found = p.attributes.find("TEXCOORD_0");
    if (found == p.attributes.end()) return -1;
    const std::vector<double> uv = values(found->second, 2);
    if (uv.size() != 2 * count) fail("there are not as many texture coordinates as points");
    const auto first = static_cast<std::int64_t>(builder_.uvs.size());
    for (std::size_t i = 0; i < count; ++i)
      builder_.uvs.emplace_back(uv[2 * i], 1 - uv[2 * i + 1]);  // glTF counts v downwards
    return first;
  }

  // All components of an accessor, one after the other.
  std::vector<double> values(int index, int components) const {
    const tinygltf::Accessor& a = at(model_.accessors, index, "accessor");
    if (a.sparse.isSparse) fail("sparse accessors are not read");
    const int width = tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(a.componentType));
    if (width <= 0 || tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(a.type)) != components) {
      fail(fmt::format("accessor {} has an unexpected type", index));
    }
    const tinygltf::BufferView& view = at(model_.bufferViews, a.bufferView, "buffer view");
    const std::vector<unsigned char>& bytes = at(model_.buffers, view.buffer, "buffer").data;
    const std::size_t record = static_cast<std::size_t>(width) * static_cast<std::size_t>(components);
    const std::size_t stride = view.byteStride == 0 ? record : view.byteStride;
    if (stride > 252 || view.byteOffset > bytes.size() || a.byteOffset > bytes.size() - view.byteOffset ||
        (a.count > 0 && (a.count - 1 > bytes.size() / stride ||
                         view.byteOffset + a.byteOffset + (a.count - 1) * stride + record > bytes.size()))) {
      fail(fmt::format("accessor {} reaches beyond its buffer", index));
    }
    std::vector<double> out;
    out.reserve(a.count * static_cast<std::size_t>(components));
    for (std::size_t i = 0; i < a.count; ++i) {
      const unsigned char* at_record = bytes.data() + view.byteOffset + a.byteOffset + i * stride;
      for (int k = 0; k < components; ++k)
        out.push_back(component(at_record + k * width, a.componentType, a.normalized));
    }
    return out;
  }

  template <class T>
  static double number(const unsigned char* bytes, bool normalized) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value) / (normalized ? static_cast<double>(std::numeric_limits<T>::max()) : 1.0);
  }

  double component(const unsigned char* bytes, int type, bool normalized) const {
    switch (type) {
      case TINYGLTF_COMPONENT_TYPE_BYTE:
        return number<std::int8_t>(bytes, normalized);
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
        return number<std::uint8_t>(bytes, normalized);
      case TINYGLTF_COMPONENT_TYPE_SHORT:
        return number<std::int16_t>(bytes, normalized);
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
        return number<std::uint16_t>(bytes, normalized);
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
        return number<std::uint32_t>(bytes, normalized);
      case TINYGLTF_COMPONENT_TYPE_FLOAT:
        return number<float>(bytes, false);
      default:
        fail("an accessor has a component type that glTF does not have");
    }
  }

  std::string file_;
  SurfaceBuilder builder_;
  tinygltf::Model model_;
  std::vector<int> visits_;
};

}  // namespace

TriangleMesh read_gltf(std::string_view content, const std::filesystem::path& path) {
  return GltfReader(content, path).read();
}

}  // namespace sunder
