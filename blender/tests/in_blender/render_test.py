"""What Cycles makes of it."""

import os
import tempfile
import unittest

import bpy
import numpy as np
from reference import drop_speed
from scaffold import fresh_file, import_run, look_from, render, run_folder, small_cycles


class RenderTest(unittest.TestCase):
    def setUp(self):
        fresh_file()
        self.place = tempfile.TemporaryDirectory()
        self.scene = bpy.context.scene
        small_cycles(self.scene)

    def tearDown(self):
        self.place.cleanup()

    def picture(self, name):
        return render(self.scene, os.path.join(self.place.name, name + ".png"))

    def glow(self, material, color):
        """Makes a material shine, so that its pixels can be counted."""
        nodes = material.node_tree.nodes
        output = next(n for n in nodes if n.type == "OUTPUT_MATERIAL")
        shine = nodes.new("ShaderNodeEmission")
        if isinstance(color, str):
            source = nodes.new("ShaderNodeAttribute")
            source.attribute_name = color
            material.node_tree.links.new(source.outputs["Fac"], shine.inputs["Color"])
        else:
            shine.inputs["Color"].default_value = (*color, 1)
        material.node_tree.links.new(shine.outputs[0], output.inputs["Surface"])

    def test_the_picture_is_not_uniform(self):
        import_run(run_folder("bowl"))
        look_from(self.scene, (0.6, -0.8, 0.5), (0, 0, 0.08))
        self.scene.frame_set(13)
        picture = self.picture("bowl")
        self.assertGreater(picture[:, :, :3].std(), 0.05)
        self.assertGreater(len(np.unique((picture * 255).astype(int).reshape(-1, 4), axis=0)), 200)

    def test_crack_faces_show_only_once_there_are_cracks(self):
        import_run(run_folder("bowl"))
        look_from(self.scene, (0.6, -0.8, 0.5), (0, 0, 0.08))
        self.scene.view_settings.view_transform = "Standard"
        self.glow(bpy.data.materials["outside"], (0, 1, 0))
        self.glow(bpy.data.materials["inside"], (1, 0, 0))
        red, green = {}, {}
        for number in (1, 13):
            self.scene.frame_set(number)
            picture = self.picture(f"frame{number}")
            red[number] = ((picture[:, :, 0] > 0.9) & (picture[:, :, 1] < 0.1)).sum()
            green[number] = ((picture[:, :, 1] > 0.9) & (picture[:, :, 0] < 0.1)).sum()
        self.assertEqual(red[1], 0)
        self.assertGreater(red[13], 20)
        self.assertGreater(green[1], 100)
        self.assertGreater(green[13], 20)

    def test_shaders_can_read_fragment_numbers(self):
        collection = import_run(run_folder("bowl"), colliders=False)
        look_from(self.scene, (0.6, -0.8, 0.5), (0, 0, 0.08))
        self.scene.frame_set(13)
        self.scene.render.image_settings.file_format = "OPEN_EXR"
        self.scene.render.image_settings.color_depth = "32"
        self.scene.cycles.samples = 1
        self.scene.cycles.pixel_filter_type = "BOX"
        self.scene.render.film_transparent = True
        for material in ("outside", "inside"):
            self.glow(bpy.data.materials[material], "fragment")
        picture = render(self.scene, os.path.join(self.place.name, "fragments.exr"))
        numbers = set(np.unique(picture[:, :, 0][picture[:, :, 3] == 1]).round(3).tolist())
        there = {p.value for p in collection.sunder_run.bodies.data.attributes["fragment"].data}
        self.assertGreater(len(numbers), 5)
        self.assertLessEqual(numbers, there)

    def test_motion_blur_spreads_a_falling_bowl_by_its_velocity(self):
        import_run(run_folder("bowl"), colliders=False)
        look_from(self.scene, (0, -2, 0.2), (0, 0, 0.2), width=0.8)
        self.scene.render.resolution_x = self.scene.render.resolution_y = 160
        self.scene.cycles.samples = 48
        self.scene.cycles.pixel_filter_type = "BOX"  # a wider one adds rows to what stands still
        self.scene.render.film_transparent = True
        self.scene.frame_set(2)

        def rows(name):
            alpha = self.picture(name)[:, :, 3].max(axis=1)
            shown = np.flatnonzero(alpha > 0.02)
            return shown[-1] - shown[0] + 1

        still = rows("still")
        self.scene.render.use_motion_blur = True
        self.scene.render.motion_blur_shutter = 1
        fall = (drop_speed(run_folder("bowl")) + 9.81 / 120) / 120 * 160 / 0.8  # pixels in a frame of the run: 7.8
        self.assertAlmostEqual(rows("blurred") - still, fall, delta=1.6)
        # As far in slow motion as at the run's own rate: a frame is a frame.
        self.scene.render.fps = 120
        self.scene.frame_set(1)
        self.scene.frame_set(2)
        self.assertAlmostEqual(rows("at 120") - still, fall, delta=1.6)
        mesh = bpy.data.objects["bowl-4"].data
        mesh.attributes.remove(mesh.attributes["velocity"])
        self.assertEqual(rows("without velocity"), still)

    def test_dust_shows_as_spheres(self):
        collection = import_run(run_folder("dust"), colliders=False)
        look_from(self.scene, (0.6, -0.8, 0.5), (0, 0, 0.08))
        self.scene.render.film_transparent = True
        self.scene.frame_set(4)
        collection.sunder_run.bodies.hide_render = True
        shown = (self.picture("dust")[:, :, 3] > 0.3).sum()
        collection.sunder_run.dust.hide_render = True
        self.assertEqual((self.picture("nothing")[:, :, 3] > 0).sum(), 0)
        self.assertGreater(shown, 50)
