// What tinyusdz finds in .usda files, as JSON: {file: {meshes: [...], text}}; `text` is the layer as it prints it back.
//
//   node read_usd.mjs FILE.usda ...

import fs from 'fs';
import { createRequire } from 'module';
import os from 'os';
import path from 'path';
import { pathToFileURL } from 'url';

// Its WebAssembly is built for browsers; it runs here if it takes this for a worker of one.
globalThis.WorkerGlobalScope = class {};
globalThis.self = globalThis;
process.type = 'renderer';

// A module by its content, not by its name, which node before 22 wants: read under another one.
const { resolve } = createRequire(import.meta.url);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sunder-usd-'));
const script = path.join(folder, 'tinyusdz.mjs');
fs.copyFileSync(resolve('tinyusdz/tinyusdz.js'), script);
const { default: start } = await import(pathToFileURL(script));
fs.rmSync(folder, { recursive: true });
const wasmBinary = fs.readFileSync(resolve('tinyusdz/tinyusdz.wasm'));
const usd = await start({ wasmBinary, print: () => {}, printErr: () => {} });

function names(node, found) {
  found.push(node.absPath);
  for (const child of node.children || []) names(child, found);
  return found;
}

// Of the colour of a material, [file, width, height], or nothing.
function picture_of(loader, material) {
  const { diffuseColorTextureId: texture } = loader.getMaterial(material);
  if (texture === undefined) return null;
  const { uri, width, height, decoded } = loader.getImage(loader.getTexture(texture).textureImageId);
  return decoded ? [uri, width, height] : null;
}

function read(file) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const loader = new usd.TinyUSDZLoaderNative();
  loader.setLoadTextureInNative(true);
  for (const name of fs.readdirSync(path.dirname(file)).filter((n) => n.endsWith('.png'))) {
    loader.setAsset(`./${name}`, new Uint8Array(fs.readFileSync(path.join(path.dirname(file), name))));
  }
  if (!loader.loadFromBinary(bytes, file)) return { error: loader.error() || 'not read' };
  const meshes = [];
  for (let i = 0; i < loader.numMeshes(); ++i) {
    const mesh = loader.getMesh(i);
    meshes.push({
      name: mesh.primName,
      faces: mesh.faceVertexCounts.length,
      points: Array.from(mesh.points),
      picture: picture_of(loader, mesh.materialId),
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
