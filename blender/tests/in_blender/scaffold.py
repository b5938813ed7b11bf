"""What the tests in Blender share: fresh files, imported runs, numbers of meshes, small renders."""

import os

import bpy
import numpy as np

RUNS = os.environ["SUNDER_TEST_RUNS"]


def fresh_file():
    bpy.ops.wm.read_homefile(use_empty=True)


def run_folder(run):
    return os.path.join(RUNS, run)


def import_run(folder, **options):
    """The run's collection."""
    before = set(bpy.data.collections)
    result = bpy.ops.import_scene.sunder_run(filepath=folder, **options)
    assert result == {"FINISHED"}, result
    made = [c for c in bpy.data.collections if c not in before and c.sunder_run.folder]
    assert len(made) == 1, made
    return made[0]


def column(items, name, width=1, dtype=np.float32):
    values = np.empty(width * len(items), dtype)
    items.foreach_get(name, values)
    return values.reshape(-1, width) if width > 1 else values


def positions(mesh):
    return column(mesh.vertices, "co", 3).astype(np.float64)


def triangles(mesh):
    return column(mesh.loops, "vertex_index", dtype=np.int32).reshape(-1, 3)


def attribute(mesh, name):
    found = mesh.attributes[name]
    if found.data_type == "FLOAT_VECTOR":
        return column(found.data, "vector", 3).astype(np.float64)
    return column(found.data, "value", dtype=np.int32 if found.data_type == "INT" else np.float32)


def volume(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def y_up(points):
    """Back to the run's axes."""
    return np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)


def small_cycles(scene, width=96, height=72, samples=8):
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False
    scene.cycles.seed = 1
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.8, 0.85, 0.9, 1)
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 3
    sun.rotation_euler = (0.7, 0.2, 0.4)
    scene.collection.objects.link(sun)


def look_from(scene, place, target, width=None):
    """`width` of what an orthographic camera sees."""
    from mathutils import Vector

    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    camera.location = place
    camera.rotation_euler = (Vector(target) - Vector(place)).to_track_quat("-Z", "Y").to_euler()
    camera.data.clip_start = 0.01
    if width is not None:
        camera.data.type = "ORTHO"
        camera.data.ortho_scale = width


def pixels_of(path):
    image = bpy.data.images.load(path)
    values = np.array(image.pixels[:], np.float32).reshape(image.size[1], image.size[0], 4)
    bpy.data.images.remove(image)
    return values


def render(scene, path):
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    return pixels_of(path)
