"""Renders a frame of a run, or of a .glb that `sunder export` made of one, by Cycles, as for the pictures in README.md:

    blender -b --factory-startup --addons sunder_import -P blender/render_picture.py -- RUN FRAME PICTURE.png

or with width and samples behind it: ... PICTURE.png 640 96
"""

import sys

import bpy
import numpy as np
from mathutils import Vector

source, frame, picture, *more = sys.argv[sys.argv.index("--") + 1 :]
width, samples = map(int, more) if more else (640, 96)
RUN_FPS = 240  # of bowl-4; the glTF importer counts frames by the scene's rate

bpy.ops.wm.read_homefile(use_empty=True)
scene = bpy.context.scene
if source.endswith(".glb"):
    np.bool = bool  # the importer of Blender 3.4 uses a name that newer numpy has dropped
    scene.render.fps = RUN_FPS
    bpy.ops.import_scene.gltf(filepath=source)
    scene.frame_set(int(frame) - 1)  # time 0 is frame 0 there
    bpy.ops.mesh.primitive_plane_add(size=20)
    pieces = [o for o in bpy.data.objects if "fragment" in o]
else:
    bpy.ops.import_scene.sunder_run(filepath=source)
    scene.frame_set(int(frame))
    pieces = [c.sunder_run.bodies for c in bpy.data.collections if c.sunder_run.folder]
corners = np.array([tuple(o.matrix_world @ v.co) for o in pieces for v in o.data.vertices])
low, high = corners.min(axis=0), corners.max(axis=0)
middle, radius = Vector((low + high) / 2), float(np.linalg.norm(high - low)) / 2


def aim(thing, place, target):
    thing.location = place
    thing.rotation_euler = (target - thing.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(thing)


camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.data.lens = 60
camera.data.clip_start = radius / 100
aim(camera, middle + 3.3 * radius * Vector((0.55, -0.75, 0.5)).normalized(), middle)
scene.camera = camera

key = bpy.data.objects.new("key", bpy.data.lights.new("key", "AREA"))
key.data.size = 2 * radius
key.data.energy = 260 * radius**2
aim(key, middle + radius * Vector((-2.2, -1.0, 2.6)), middle)
scene.world = bpy.data.worlds.new("sky")
scene.world.use_nodes = True
sky = next(node for node in scene.world.node_tree.nodes if node.type == "BACKGROUND")
sky.inputs["Color"].default_value = (0.75, 0.82, 0.9, 1)
sky.inputs["Strength"].default_value = 0.8

scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = samples
scene.cycles.use_denoising = False
scene.render.use_motion_blur = True
scene.render.motion_blur_shutter = 0.3
scene.render.resolution_x, scene.render.resolution_y = width, width * 9 // 16
scene.render.resolution_percentage = 100
scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
