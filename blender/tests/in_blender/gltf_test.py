"""The .glb of a broken bowl (`sunder export`), as Blender's own importer reads it, against the run."""

import os
import tempfile
import unittest

import bpy
import numpy as np
from reference import frame_file, reference, stats
from scaffold import column, fresh_file, look_from, positions, render, run_folder, small_cycles, triangles, volume, y_up

FPS, LAST = 120, 13


class GltfTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        np.bool = bool  # the importer of Blender 3.4 uses a name that newer numpy has dropped
        fresh_file()
        cls.scene = bpy.context.scene
        cls.scene.render.fps = FPS  # it counts frames by the scene's rate, from 0
        bpy.ops.import_scene.gltf(filepath=run_folder("bowl.glb"))
        cls.pieces = [o for o in bpy.data.objects if "fragment" in o]
        cls.wanted = reference(frame_file(run_folder("bowl"), "bowl-4", LAST))

    def world_points(self):
        return y_up(np.array([tuple(o.matrix_world @ v.co) for o in self.pieces for v in o.data.vertices]))

    def test_every_fragment_is_an_object_with_its_faces_and_materials(self):
        self.assertEqual(sorted(int(o["fragment"]) for o in self.pieces), sorted(self.wanted.rest_volume))
        self.assertEqual(len(self.pieces), int(stats(run_folder("bowl"))[LAST]["fragments"]))
        faces = {"outside": 0, "inside": 0}
        for piece in self.pieces:
            names = [m.name for m in piece.data.materials]
            for index in column(piece.data.polygons, "material_index", dtype=np.int32).tolist():
                faces[names[index]] += 1
        self.assertEqual(faces, {"outside": self.wanted.outside, "inside": self.wanted.inside})

    def test_volumes_and_mass(self):
        mass = 0
        for piece in self.pieces:
            wanted = self.wanted.rest_volume[int(piece["fragment"])]
            self.assertAlmostEqual(piece["volume"] / wanted, 1, 3)
            self.assertAlmostEqual(volume(positions(piece.data), triangles(piece.data)) / wanted, 1, 1)
            mass += piece["mass"]
        self.assertAlmostEqual(mass / float(stats(run_folder("bowl"))[LAST]["mass"]), 1, 5)

    def test_pieces_are_where_the_run_has_them(self):
        # The last frame, and the first, where all are together; up to what the rigid motion leaves out.
        error = max(o["fit_error_max"] for o in self.pieces)
        self.assertLess(error, 0.01)
        for number in (1, LAST):
            self.scene.frame_set(number - 1)
            points = self.world_points()
            wanted = reference(frame_file(run_folder("bowl"), "bowl-4", number))
            np.testing.assert_allclose(points.min(axis=0), wanted.low, atol=error + 1e-5)
            np.testing.assert_allclose(points.max(axis=0), wanted.high, atol=error + 1e-5)

    def test_texture_coordinates_are_there(self):
        largest = max(self.pieces, key=lambda o: o["volume"])
        self.assertGreater(np.ptp(column(largest.data.uv_layers[0].data, "uv", 2), axis=0).min(), 0.05)

    def test_cycles_renders_it(self):
        self.scene.frame_set(LAST - 1)
        small_cycles(self.scene)
        look_from(self.scene, (0.6, -0.8, 0.5), (0, 0, 0.08))
        with tempfile.TemporaryDirectory() as place:
            picture = render(self.scene, os.path.join(place, "glb.png"))
        self.assertGreater(picture[:, :, :3].std(), 0.03)
