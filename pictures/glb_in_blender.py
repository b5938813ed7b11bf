r"""Opens a .glb that sunder exported in Blender and draws a frame of it with Cycles: docs/images/export-blender.png and,
with the place of the camera and what it looks at (metres, z up), export-blender-cup.png.

    build/sunder run bowl-4 -o out/bowl-4 --frames 14
    build/sunder export out/bowl-4 -o out/bowl.glb --deforming --fps 24
    blender -b --factory-startup -P pictures/glb_in_blender.py -- out/bowl.glb 11 docs/images/export-blender.png

    build/sunder export out/drop-cup -o out/cup.glb --fps 24     # of docs/five-minutes.md, section 5
    blender -b --factory-startup -P pictures/glb_in_blender.py -- out/cup.glb 40 docs/images/export-blender-cup.png \
      0.197,-0.344,0.168 0,0,0.045
"""

import os
import sys

import bpy
import mathutils
import numpy

numpy.bool = bool  # Debian's Blender 3.4 has a glTF importer that is older than its numpy

glb, frame, picture, *camera = sys.argv[sys.argv.index("--") + 1 :]
place, target = ([float(x) for x in place.split(",")] for place in camera or ("0.45,-0.75,0.54", "0,0,0.04"))
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 24
bpy.ops.import_scene.gltf(filepath=os.path.abspath(glb))
scene.frame_set(int(frame))


def add(name, data, place, target):
    thing = bpy.data.objects.new(name, data)
    thing.location = place
    thing.rotation_euler = (mathutils.Vector(target) - thing.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(thing)
    return thing


bpy.ops.mesh.primitive_plane_add(size=6)
floor = bpy.data.materials.new("floor")
floor.use_nodes = True
shader = floor.node_tree.nodes["Principled BSDF"]
shader.inputs["Base Color"].default_value = (0.75, 0.74, 0.72, 1)
shader.inputs["Roughness"].default_value = 0.8
bpy.context.object.data.materials.append(floor)

scene.camera = add("camera", bpy.data.cameras.new("camera"), place, target)
lamp = add("lamp", bpy.data.lights.new("lamp", "AREA"), (0.8, -0.3, 1.3), (0, 0, 0))
lamp.data.energy, lamp.data.size = 25, 1
scene.world = bpy.data.worlds.new("sky")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.35, 0.4, 0.5, 1)

scene.render.engine = "CYCLES"
scene.cycles.samples = 96
scene.cycles.use_denoising = False  # Debian's build has none
scene.view_settings.view_transform = "Standard"
scene.render.resolution_x, scene.render.resolution_y = 640, 360
scene.render.filepath = os.path.abspath(picture)
bpy.ops.render.render(write_still=True)
