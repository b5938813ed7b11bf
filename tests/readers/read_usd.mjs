// What tinyusdz finds in .usda files, as JSON: {file: {meshes: [...], text}}; `text` is the layer as it prints it back.
//
//   node read_usd.mjs FILE.usda ...

import fs from 'fs';
import { createRequire } from 'module';

// Its WebAssembly is built for browsers; it runs here if it takes this for a worker of one.
globalThis.WorkerGlobalScope = class {};
globalThis.self = globalThis;
process.type = 'renderer';

const { default: start } = await import('tinyusdz/tinyusdz.js');
const wasmBinary = fs.readFileSync(createRequire(import.meta.url).resolve('tinyusdz/tinyusdz.wasm'));
const usd = await start({ wasmBinary, print: () => {}, printErr: () => {} });

function names(node, found) {
  found.push(node.absPath);
  for (const child of node.children || []) names(child, found);
  return found;
}

function read(file) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const loader = new usd.TinyUSDZLoaderNative();
  if (!loader.loadFromBinary(bytes, file)) return { error: loader.error() || 'not read' };
  const meshes = [];
  for (let i = 0; i < loader.numMeshes(); ++i) {
    const mesh = loader.getMesh(i);
    meshes.push({
      name: mesh.primName,
      faces: mesh.faceVertexCounts.length,
      points: Array.from(mesh.points),
    });
  }
  const prims = names(loader.getDefaultRootNode(), []);
  const layer = new usd.TinyUSDZLoaderNative();
  if (!layer.loadAsLayerFromBinary(bytes, file)) return { error: layer.error() || 'not read as a layer' };
  return { meshes, prims, text: layer.layerToString() };
}

const results = {};
for (const file of process.argv.slice(2)) results[file] = read(file);
console.log(JSON.stringify(results));
