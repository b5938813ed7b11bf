// What three.js finds in .obj files and their .mtl, as JSON: {file: {objects, materials, ...}}. (meshio takes texture coordinates for
// values of points, and refuses files with more of them.)
//
//   node read_obj.mjs FILE.obj ...

import fs from 'fs';
import path from 'path';
import { Box3 } from 'three';
import { MTLLoader } from 'three/examples/jsm/loaders/MTLLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';

function read(file) {
  const root = new OBJLoader().parse(fs.readFileSync(file, 'utf8'));
  const library = path.join(path.dirname(file), root.materialLibraries[0]);
  const materials = {};  // triangles of each
  const corners = [];    // position and texture coordinates of those outside
  for (const mesh of root.children) {
    const of_mesh = Array.isArray(mesh.material) ? mesh.material : [mesh.material];
    const groups = mesh.geometry.groups.length > 0
      ? mesh.geometry.groups
      : [{ start: 0, count: mesh.geometry.attributes.position.count, materialIndex: 0 }];
    for (const group of groups) {
      const { name } = of_mesh[group.materialIndex];
      materials[name] = (materials[name] || 0) + group.count / 3;
      const { position: p, uv } = mesh.geometry.attributes;
      for (let i = group.start; name === 'outside' && i < group.start + group.count; ++i) {
        corners.push([p.getX(i), p.getY(i), p.getZ(i), uv.getX(i), uv.getY(i)]);
      }
    }
  }
  const box = new Box3().setFromObject(root);
  return {
    objects: root.children.map((mesh) => mesh.name),
    materials,
    corners,
    library: new MTLLoader().parse(fs.readFileSync(library, 'utf8'), '').materialsInfo,
    box: [box.min.toArray(), box.max.toArray()],
  };
}

const results = {};
for (const file of process.argv.slice(2)) results[file] = read(file);
console.log(JSON.stringify(results));
