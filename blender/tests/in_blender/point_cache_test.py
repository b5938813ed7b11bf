"""The point caches of a broken bowl (`sunder export`), as Blender's own Mesh Cache modifier plays them on the .obj
beside them, against the run."""

import unittest

import bpy
import numpy as np
from reference import frame_file, reference
from scaffold import fresh_file, run_folder, y_up

FRAMES = 13


class PointCacheTest(unittest.TestCase):
    def test_mdd_plays_the_run(self):
        self.plays_the_run("MDD")

    def test_pc2_plays_the_run(self):
        self.plays_the_run("PC2")

    def plays_the_run(self, kind):
        fresh_file()
        cache = run_folder("points." + kind.lower())
        # One object, its vertices in the order of the file.
        bpy.ops.import_scene.obj(filepath=run_folder("points.obj"), split_mode="OFF")
        (bowl,) = bpy.context.selected_objects
        modifier = bowl.modifiers.new("cache", "MESH_CACHE")
        modifier.cache_format = kind
        modifier.filepath = cache
        modifier.interpolation = "NONE"
        modifier.frame_start = 0
        for number in (1, 7, FRAMES):
            bpy.context.scene.frame_set(number - 1)
            graph = bpy.context.evaluated_depsgraph_get()
            shape = bowl.evaluated_get(graph)
            points = y_up(np.array([tuple(shape.matrix_world @ v.co) for v in shape.data.vertices]))
            wanted = reference(frame_file(run_folder("bowl"), "bowl-4", number))
            np.testing.assert_allclose(points.min(axis=0), wanted.low, atol=1e-5, err_msg=f"{kind}, frame {number}")
            np.testing.assert_allclose(points.max(axis=0), wanted.high, atol=1e-5, err_msg=f"{kind}, frame {number}")
