// What three.js finds in .obj files, as JSON: {file: {objects, materials, box}}. (meshio takes texture coordinates for
// values of points, and refuses files with more of them.)
//
//   node read_obj.mjs FILE.obj ...

import fs from 'fs';
import { Box3 } from 'three';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';

function read(file) {
  const root = new OBJLoader().parse(fs.readFileSync(file, 'utf8'));
  const materials = {};  // triangles of each
  for (const mesh of root.children) {
    const of_mesh = Array.isArray(mesh.material) ? mesh.material : [mesh.material];
    const groups = mesh.geometry.groups.length > 0
      ? mesh.geometry.groups
      : [{ count: mesh.geometry.attributes.position.count, materialIndex: 0 }];
    for (const group of groups) {
      const { name } = of_mesh[group.materialIndex];
      materials[name] = (materials[name] || 0) + group.count / 3;
    }
  }
  const box = new Box3().setFromObject(root);
  return {
    objects: root.children.map((mesh) => mesh.name),
    textured: root.children.every((mesh) => mesh.geometry.attributes.uv !== undefined),
    materials,
    box: [box.min.toArray(), box.max.toArray()],
  };
}

const results = {};
for (const file of process.argv.slice(2)) results[file] = read(file);
console.log(JSON.stringify(results));
