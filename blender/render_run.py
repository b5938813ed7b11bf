"""Imports a run and renders a frame of it by Cycles, as for the picture in README.md:

    blender -b --factory-startup --addons sunder_import -P blender/render_run.py -- RUN FRAME PICTURE.png [WIDTH SAMPLES]
"""

import sys

import bpy
import numpy as np
from mathutils import Vector

run, frame, picture, *more = sys.argv[sys.argv.index("--") + 1 :]
width, samples = (*map(int, more), 640, 96)[:2] if len(more) == 2 else (640, 96)

bpy.ops.wm.read_homefile(use_empty=True)
bpy.ops.import_scene.sunder_run(filepath=run)
scene = bpy.context.scene
scene.frame_set(int(frame))
bodies = next(c.sunder_run.bodies for c in bpy.data.collections if c.sunder_run.folder)
corners = np.array([tuple(v.co) for v in bodies.data.vertices])
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
