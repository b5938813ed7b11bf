// What the Khronos validator and three.js find in .glb files, as JSON: {file: {errors, warnings, ...}}.
//
//   node read_gltf.mjs FILE.glb ...

import fs from 'fs';
import validator from 'gltf-validator';
import { AnimationMixer, Box3, Plane, Texture, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

globalThis.self = globalThis;  // the loader is written for browsers

function bounds(scene) {
  const box = new Box3(), point = new Vector3();
  scene.updateMatrixWorld(true);
  scene.traverse((o) => {
    if (!o.isMesh) return;
    for (let i = 0; i < o.geometry.attributes.position.count; ++i) {
      o.getVertexPosition(i, point);  // with its morph targets
      box.expandByPoint(point.applyMatrix4(o.matrixWorld));
    }
  });
  return [box.min.toArray(), box.max.toArray()];
}

// World position and texture coordinates, v downwards, at every corner of every face of the material.
function corners(scene, material) {
  const found = [], point = new Vector3();
  scene.updateMatrixWorld(true);
  scene.traverse((o) => {
    if (!o.isMesh || o.material.name !== material) return;
    const { index, attributes: { uv } } = o.geometry;
    for (let i = 0; i < index.count; ++i) {
      o.getVertexPosition(index.getX(i), point);
      point.applyMatrix4(o.matrixWorld);
      found.push([point.x, point.y, point.z, uv.getX(index.getX(i)), uv.getY(index.getX(i))]);
    }
  });
  return found;
}

// How far points of fragments stick out of their hulls, at most.
function out_of_hulls(scene) {
  let furthest = 0;
  scene.traverse((hull) => {
    if (!hull.name.endsWith('convcolonly')) return;
    const points = [];
    for (const o of [hull.parent, ...hull.parent.children]) {
      if (!o.isMesh || o === hull) continue;
      const { position } = o.geometry.attributes;
      for (let i = 0; i < position.count; ++i) points.push(new Vector3().fromBufferAttribute(position, i));
    }
    if (points.length === 0) furthest = Infinity;
    const { index, attributes: { position, normal } } = hull.geometry;
    const at = (values, i) => new Vector3().fromBufferAttribute(values, index.getX(i));
    for (let i = 0; i < index.count; ++i) {  // by its normals: slivers of single precision lie in any plane
      const plane = new Plane().setFromNormalAndCoplanarPoint(at(normal, i), at(position, i));
      for (const point of points) furthest = Math.max(furthest, plane.distanceToPoint(point));
    }
  });
  return furthest;
}

// In the place of three.js's own, which needs a browser: the bytes of a picture as the file has them.
const pictures = (parser) => ({
  name: 'pictures',
  async loadTexture(i) {
    const image = parser.json.images[parser.json.textures[i].source];
    const texture = new Texture();
    texture.userData = { mime: image.mimeType, bytes: await parser.getDependency('bufferView', image.bufferView) };
    return texture;
  },
});

async function read(file) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const report = await validator.validateBytes(bytes, { maxIssues: 100, ignoredIssues: ['UNUSED_OBJECT'] });
  const gltf = await new GLTFLoader().register(pictures).parseAsync(bytes.buffer, '');
  const nodes = gltf.scene.children;
  const materials = {}, pictured = {};
  let hulls = 0, seen_hulls = 0;
  gltf.scene.traverse((o) => {
    if (o.name.endsWith('convcolonly')) {
      ++hulls;
      if (o.material.opacity >= o.material.alphaTest) ++seen_hulls;
    }
    if (o.isMesh && o.material.map) {
      const { mime, bytes: picture } = o.material.map.userData;
      pictured[o.material.name] = { mime, bytes: Buffer.from(picture).toString('base64') };
    }
    if (o.isMesh) materials[o.material.name] = (materials[o.material.name] || 0) + o.geometry.index.count / 3;
  });
  const result = {
    errors: report.issues.numErrors,
    warnings: report.issues.numWarnings,
    messages: report.issues.messages.filter((m) => m.severity < 2).slice(0, 5),
    fragments: nodes.map((n) => n.userData.fragment),
    mass: nodes.reduce((sum, n) => sum + n.userData.mass, 0),
    inertia: nodes.every((n) => n.userData.inertia.length === 9),
    materials,
    hulls,
    seen_hulls,
    out_of_hulls: out_of_hulls(gltf.scene),
    pictured,
    images: report.info.resources.filter((r) => r.image).map((r) => [r.mimeType, r.image.width, r.image.height]),
    animations: gltf.animations.length,
    first: bounds(gltf.scene),
  };
  if (gltf.animations.length > 0) {
    const clip = gltf.animations[0];
    const mixer = new AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.clampWhenFinished = true;
    action.setLoop(2200, 1);  // once
    action.play();
    mixer.update(clip.duration);
    result.duration = clip.duration;
    result.last = bounds(gltf.scene);
    result.corners = corners(gltf.scene, 'outside');
  }
  return result;
}

const results = {};
for (const file of process.argv.slice(2)) results[file] = await read(file);
console.log(JSON.stringify(results));
