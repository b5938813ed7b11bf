// What the Khronos validator and three.js find in .glb files, as JSON: {file: {errors, warnings, ...}}.
//
//   node read_gltf.mjs FILE.glb ...

import fs from 'fs';
import validator from 'gltf-validator';
import { AnimationMixer, Box3, Vector3 } from 'three';
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

async function read(file) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const report = await validator.validateBytes(bytes, { maxIssues: 100, ignoredIssues: ['UNUSED_OBJECT'] });
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const nodes = gltf.scene.children;
  const materials = {};
  let hulls = 0;
  gltf.scene.traverse((o) => {
    if (o.name.endsWith('convcolonly')) ++hulls;
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
  }
  return result;
}

const results = {};
for (const file of process.argv.slice(2)) results[file] = await read(file);
console.log(JSON.stringify(results));
