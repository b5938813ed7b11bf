// Binary glTF through tinygltf, which writes the JSON; the layout of the buffer is ours.
#include "export/glb.h"

#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

using tinygltf::Accessor;
using tinygltf::Value;

Value extras(const GlbNotes& notes) {
  Value::Object object;
  for (const auto& [name, note] : notes) {
    if (const auto* number = std::get_if<double>(&note)) {
      const bool whole = std::floor(*number) == *number && std::abs(*number) < 1e9;  // 7, not 7.0: numbers of things
      object[name] = whole ? Value(static_cast<int>(*number)) : Value(*number);
    } else if (const auto* text = std::get_if<std::string>(&note)) {
      object[name] = Value(*text);
    } else {
      Value::Array array;
      for (const double x : std::get<std::vector<double>>(note)) array.emplace_back(x);
      object[name] = Value(array);
    }
  }
  return Value(object);
}

class GlbWriter {
 public:
  explicit GlbWriter(const GlbScene& scene) : scene_(scene) {}

  std::string bytes() {
    model_.asset.version = "2.0";
    model_.asset.generator = "sunder";
    model_.buffers.emplace_back();
    for (const GlbMaterial& m : scene_.materials) {
      tinygltf::Material& material = model_.materials.emplace_back();
      material.name = m.name;
      material.pbrMetallicRoughness.baseColorFactor = {m.color[0], m.color[1], m.color[2], m.unseen ? 0.0 : 1.0};
      if (m.unseen) material.alphaMode = "MASK";
      material.pbrMetallicRoughness.metallicFactor = 0;
      material.pbrMetallicRoughness.roughnessFactor = m.roughness;
      if (m.picture != nullptr) material.pbrMetallicRoughness.baseColorTexture.index = texture(m.picture.get());
    }
    animation_.name = scene_.name;
    if (scene_.times.size() > 1) times_ = floats(scene_.times, 1, 0, true);
    tinygltf::Scene& root = model_.scenes.emplace_back();
    root.name = scene_.name;
    root.extras = extras(scene_.notes);
    model_.defaultScene = 0;
    std::vector<int> roots;
    for (const GlbNode& n : scene_.nodes) roots.push_back(node(n));
    model_.scenes[0].nodes = roots;
    if (!animation_.channels.empty()) model_.animations.push_back(animation_);

    std::vector<unsigned char>& data = model_.buffers[0].data;
    if (data.size() > std::numeric_limits<std::uint32_t>::max() / 2) {
      throw FileError("glTF", "the scene needs more than 2 GB; export fewer frames with --frames");
    }
    std::ostringstream out;
    tinygltf::TinyGLTF writer;
    if (!writer.WriteGltfSceneToStream(&model_, out, false, true)) throw FileError("glTF", "cannot be written");
    return std::move(out).str();
  }

 private:
  // Returns the index of a view of the bytes, which begin at a multiple of four.
  template <class T>
  int view(const std::vector<T>& values, int target) {
    std::vector<unsigned char>& data = model_.buffers[0].data;
    data.resize((data.size() + 3) / 4 * 4, 0);
    tinygltf::BufferView& v = model_.bufferViews.emplace_back();
    v.buffer = 0;
    v.byteOffset = data.size();
    v.byteLength = values.size() * sizeof(T);
    v.target = target;
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    data.insert(data.end(), bytes, bytes + v.byteLength);
    return static_cast<int>(model_.bufferViews.size()) - 1;
  }

  // Pictures are in the buffer as their files have them, once each. They repeat: so it is without a sampler.
  int texture(const PictureFile* picture) {
    const auto [at, is_new] = textures_.try_emplace(picture, static_cast<int>(model_.textures.size()));
    if (!is_new) return at->second;
    tinygltf::Image& image = model_.images.emplace_back();
    image.bufferView = view(std::vector<char>(picture->bytes.begin(), picture->bytes.end()), 0);
    image.mimeType = picture->mime;
    model_.textures.emplace_back().source = static_cast<int>(model_.images.size()) - 1;
    return at->second;
  }

  static int type_of(std::size_t components) {
    constexpr std::array types = {TINYGLTF_TYPE_SCALAR, TINYGLTF_TYPE_VEC2, TINYGLTF_TYPE_VEC3, TINYGLTF_TYPE_VEC4};
    return types[components - 1];
  }

  Accessor& add_accessor(std::size_t count, std::size_t components, int component_type) {
    Accessor& a = model_.accessors.emplace_back();
    a.componentType = component_type;
    a.count = count;
    a.type = type_of(components);
    return a;
  }
  int last_accessor() const { return static_cast<int>(model_.accessors.size()) - 1; }

  int floats(const std::vector<float>& values, std::size_t components, int target, bool bounds = false) {
    const int at = view(values, target);
    Accessor& a = add_accessor(values.size() / components, components, TINYGLTF_COMPONENT_TYPE_FLOAT);
    a.bufferView = at;
    if (bounds) set_bounds(a, values, components, false);
    return last_accessor();
  }

  static void set_bounds(Accessor& a, const std::vector<float>& values, std::size_t components, bool with_zero) {
    const double far = with_zero ? 0 : std::numeric_limits<double>::infinity();
    a.minValues.assign(components, far);
    a.maxValues.assign(components, -far);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto x = static_cast<double>(values[i]);
      a.minValues[i % components] = std::min(a.minValues[i % components], x);
      a.maxValues[i % components] = std::max(a.maxValues[i % components], x);
    }
  }

  template <class V>
  static std::vector<float> flat(const std::vector<V>& vectors) {
    std::vector<float> values;
    for (const V& v : vectors) values.insert(values.end(), v.data(), v.data() + v.size());
    return values;
  }

  // Zeros but for the vertices that are named.
  int sparse(const GlbMorph::Deltas& deltas, std::size_t count) {
    const std::vector<float> values = flat(deltas.values);
    int indices_view = -1, values_view = -1;
    if (!deltas.vertices.empty()) indices_view = view(deltas.vertices, 0), values_view = view(values, 0);
    Accessor& a = add_accessor(count, 3, TINYGLTF_COMPONENT_TYPE_FLOAT);
    set_bounds(a, values, 3, deltas.vertices.size() < count);
    if (!deltas.vertices.empty()) {
      a.sparse.isSparse = true;
      a.sparse.count = static_cast<int>(deltas.vertices.size());
      a.sparse.indices.bufferView = indices_view;
      a.sparse.indices.byteOffset = 0;
      a.sparse.indices.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
      a.sparse.values.bufferView = values_view;
      a.sparse.values.byteOffset = 0;
    }
    return last_accessor();
  }

  int mesh(const GlbNode& n) {
    tinygltf::Mesh m;
    m.name = n.name;
    for (std::size_t i = 0; i < n.primitives.size(); ++i) {
      const GlbPrimitive& from = n.primitives[i];
      tinygltf::Primitive& p = m.primitives.emplace_back();
      p.mode = TINYGLTF_MODE_TRIANGLES;
      p.material = static_cast<int>(from.material);
      p.attributes["POSITION"] = floats(flat(from.positions), 3, TINYGLTF_TARGET_ARRAY_BUFFER, true);
      p.attributes["NORMAL"] = floats(flat(from.normals), 3, TINYGLTF_TARGET_ARRAY_BUFFER);
      if (!from.uvs.empty()) p.attributes["TEXCOORD_0"] = floats(flat(from.uvs), 2, TINYGLTF_TARGET_ARRAY_BUFFER);
      p.indices = indices(from);
      for (const GlbMorph& morph : n.morphs) {
        const auto& [positions, normals] = morph.primitives[i];
        const std::size_t count = from.positions.size();
        p.targets.push_back({{"POSITION", sparse(positions, count)}, {"NORMAL", sparse(normals, count)}});
      }
    }
    m.weights.assign(n.morphs.size(), 0);
    if (!n.morphs.empty() && n.morphs[0].moment == 0) m.weights[0] = 1;
    model_.meshes.push_back(m);
    return static_cast<int>(model_.meshes.size()) - 1;
  }

  int indices(const GlbPrimitive& from) {
    std::vector<std::uint32_t> all;
    for (const auto& t : from.triangles) all.insert(all.end(), t.begin(), t.end());
    const bool small = from.positions.size() < 65535;  // the largest number is reserved
    const int at = small
                       ? view(std::vector<std::uint16_t>(all.begin(), all.end()), TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER)
                       : view(all, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    add_accessor(all.size(), 1, small ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT : TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT)
        .bufferView = at;
    return last_accessor();
  }

  int node(const GlbNode& n) {
    const int index = static_cast<int>(model_.nodes.size());
    model_.nodes.emplace_back();
    tinygltf::Node out;
    out.name = n.name;
    if (!n.notes.empty()) out.extras = extras(n.notes);
    if (!n.primitives.empty()) out.mesh = mesh(n);
    if (!n.translation.empty()) {
      const Eigen::Vector3f& t = n.translation[0];
      out.translation = {static_cast<double>(t.x()), static_cast<double>(t.y()), static_cast<double>(t.z())};
    }
    if (!n.rotation.empty()) {
      const Eigen::Vector4d q = n.rotation[0].coeffs().cast<double>().normalized();
      out.rotation = {q.x(), q.y(), q.z(), q.w()};
    }
    for (const GlbNode& child : n.children) out.children.push_back(node(child));
    model_.nodes[static_cast<std::size_t>(index)] = out;
    if (scene_.times.size() > 1) animate(n, index);
    return index;
  }

  void animate(const GlbNode& n, int index) {
    if (n.translation.size() == scene_.times.size()) {
      channel(index, "translation", times_, floats(flat(n.translation), 3, 0), "LINEAR");
    }
    if (n.rotation.size() == scene_.times.size()) {
      std::vector<float> values;
      for (const Eigen::Quaternionf& q : n.rotation) {
        for (int i = 0; i < 4; ++i) values.push_back(q.coeffs()[i]);
      }
      channel(index, "rotation", times_, floats(values, 4, 0), "LINEAR");
    }
    if (n.moments < scene_.times.size()) {
      const std::vector<float> times = {scene_.times[0], scene_.times[n.moments]};
      const int when = floats(times, 1, 0, true);
      channel(index, "scale", when, floats({1, 1, 1, 0, 0, 0}, 3, 0), "STEP");
    }
    if (!n.morphs.empty()) weights(n, index);
  }

  // Each morph is fully there at its moment and not at the others: keys at its moment and the two beside it.
  void weights(const GlbNode& n, int index) {
    std::vector<std::size_t> keys;
    for (const GlbMorph& morph : n.morphs) {
      if (morph.moment > 0) keys.push_back(morph.moment - 1);
      keys.push_back(morph.moment);
      if (morph.moment + 1 < scene_.times.size()) keys.push_back(morph.moment + 1);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<float> times, values;
    for (const std::size_t key : keys) {
      times.push_back(scene_.times[key]);
      for (const GlbMorph& morph : n.morphs) values.push_back(morph.moment == key ? 1.0f : 0.0f);
    }
    const int when = keys.size() == scene_.times.size() ? times_ : floats(times, 1, 0, true);
    channel(index, "weights", when, floats(values, 1, 0), "LINEAR");
  }

  void channel(int index, const char* path, int input, int output, const char* interpolation) {
    tinygltf::AnimationSampler sampler;
    sampler.input = input;
    sampler.output = output;
    sampler.interpolation = interpolation;
    animation_.samplers.push_back(sampler);
    tinygltf::AnimationChannel c;
    c.sampler = static_cast<int>(animation_.samplers.size()) - 1;
    c.target_node = index;
    c.target_path = path;
    animation_.channels.push_back(c);
  }

  const GlbScene& scene_;
  tinygltf::Model model_;
  tinygltf::Animation animation_;
  std::map<const PictureFile*, int> textures_;
  int times_ = -1;
};

}  // namespace

std::string glb_bytes(const GlbScene& scene) { return GlbWriter(scene).bytes(); }

void write_glb(const std::filesystem::path& path, const GlbScene& scene) {
  write_file_atomically(path, glb_bytes(scene));
}

}  // namespace sunder
