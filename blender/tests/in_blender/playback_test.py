"""Frames that come and go: saving and opening, offsets, time between frames, files that are missing or damaged."""

import os
import shutil
import subprocess
import tempfile
import unittest

import bpy
import numpy as np
from reference import drop_speed, frame_file, reference, stats
from scaffold import fresh_file, import_run, look_from, pixels_of, positions, render, run_folder, small_cycles


class PlaybackTest(unittest.TestCase):
    def setUp(self):
        fresh_file()
        self.place = tempfile.TemporaryDirectory()
        self.run = os.path.join(self.place.name, "bowl")
        shutil.copytree(run_folder("bowl"), self.run, ignore=shutil.ignore_patterns("checkpoints"))

    def tearDown(self):
        self.place.cleanup()

    def vertices(self, number):
        return sum(map(len, reference(frame_file(self.run, "bowl-4", number)).corners.values()))

    def test_saving_and_opening(self):
        collection = import_run(self.run, frame_offset=5)
        bpy.context.scene.frame_set(11)
        collection.sunder_run.bodies.data.materials[0] = bpy.data.materials.new("my own")
        blend = os.path.join(self.place.name, "saved.blend")
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        fresh_file()
        self.assertNotIn("bowl-4", bpy.data.objects)
        bpy.ops.wm.open_mainfile(filepath=blend)
        settings = bpy.data.collections["bowl-4"].sunder_run
        mesh = bpy.data.objects["bowl-4"].data
        self.assertEqual((settings.frame_offset, settings.shown_frame), (5, 6))
        self.assertEqual(len(mesh.vertices), self.vertices(6))
        for number in (1, 13):
            bpy.context.scene.frame_set(number + 5)
            self.assertEqual(settings.shown_frame, number)
            self.assertEqual(len(mesh.vertices), self.vertices(number))
        self.assertEqual([m.name for m in mesh.materials], ["my own", "inside"])

    def test_a_file_without_its_run_keeps_what_was_saved_and_says_so(self):
        import_run(self.run)
        bpy.context.scene.frame_set(11)
        blend = os.path.join(self.place.name, "saved.blend")
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        wanted = self.vertices(11)
        shutil.move(self.run, self.run + "-away")
        bpy.ops.wm.open_mainfile(filepath=blend)
        settings = bpy.data.collections["bowl-4"].sunder_run
        self.assertIn("no such folder", settings.message)
        self.assertEqual(len(settings.bodies.data.vertices), wanted)
        bpy.context.scene.frame_set(12)
        self.assertEqual(len(settings.bodies.data.vertices), 0)
        settings.folder = self.run + "-away"
        self.assertEqual((settings.message, settings.shown_frame), ("", 12))

    def test_a_file_opened_beside_its_run_finds_it_by_a_relative_path(self):
        collection = import_run(self.run)
        blend = os.path.join(self.place.name, "saved.blend")
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        collection.sunder_run.folder = "//bowl"
        bpy.context.scene.frame_set(9)
        self.assertEqual(collection.sunder_run.message, "")
        self.assertEqual(len(collection.sunder_run.bodies.data.vertices), self.vertices(9))

    def test_before_and_after_the_run_its_ends_are_shown(self):
        settings = import_run(self.run).sunder_run
        for frame, shown in ((-30, 1), (0, 1), (14, 13), (500, 13)):
            bpy.context.scene.frame_set(frame)
            self.assertEqual(settings.shown_frame, shown)

    def test_between_frames_the_nearest_moves_by_its_velocity(self):
        settings = import_run(self.run).sunder_run
        scene, mesh = bpy.context.scene, settings.bodies.data
        scene.frame_set(2)
        still = positions(mesh)
        scene.frame_set(2, subframe=0.25)
        fallen = still - positions(mesh)
        np.testing.assert_allclose(fallen[:, 2], 0.25 / 120 * (drop_speed(self.run) + 9.81 / 120), atol=1e-5)
        scene.frame_set(2, subframe=0.75)
        self.assertEqual(settings.shown_frame, 3)
        scene.frame_set(2)
        np.testing.assert_array_equal(positions(mesh), still)

    def test_a_damaged_frame_is_told_and_shows_nothing(self):
        settings = import_run(self.run).sunder_run
        scene, mesh = bpy.context.scene, settings.bodies.data
        path = frame_file(self.run, "bowl-4", 7)
        content = open(path, "rb").read()
        with open(path, "wb") as file:
            file.write(content[: len(content) // 2])
        os.remove(frame_file(self.run, "bowl-4", 8))
        scene.frame_set(7)
        self.assertEqual(len(mesh.vertices), 0)
        self.assertIn("0007.vtu: is cut short", settings.message)
        scene.frame_set(8)
        self.assertEqual(len(mesh.vertices), 0)
        self.assertIn("0008.vtu: cannot be read", settings.message)
        with self.assertRaisesRegex(RuntimeError, "0008.vtu"):
            bpy.ops.sunder.reload(run="bowl-4")
        scene.frame_set(9)
        self.assertEqual((settings.message, len(mesh.vertices)), ("", self.vertices(9)))
        with open(path, "wb") as file:
            file.write(content)
        scene.frame_set(7)
        self.assertEqual((settings.message, len(mesh.vertices)), ("", self.vertices(7)))

    def test_reloading_finds_other_frames(self):
        settings = import_run(self.run).sunder_run
        bpy.context.scene.frame_set(1)
        shutil.copyfile(frame_file(self.run, "bowl-4", 13), frame_file(self.run, "bowl-4", 1))
        self.assertEqual(bpy.ops.sunder.reload(run="bowl-4"), {"FINISHED"})
        self.assertEqual(len(settings.bodies.data.vertices), self.vertices(13))

    def test_fragments_of_the_frame_that_is_shown(self):
        import_run(self.run)
        bpy.context.scene.frame_set(6)
        self.assertEqual(bpy.ops.sunder.fragments(run="bowl-4"), {"FINISHED"})
        made = bpy.data.collections["bowl-4 fragments"].objects
        self.assertEqual(len(made), int(stats(self.run)[6]["fragments"]))
        self.assertGreater(len(made), 1)

    def test_bad_folders_are_refused_and_leave_nothing_behind(self):
        def refused(folder, message):
            with self.assertRaisesRegex(RuntimeError, message):
                bpy.ops.import_scene.sunder_run(filepath=folder)
            self.assertEqual((len(bpy.data.objects), len(bpy.data.collections), len(bpy.data.meshes)), (0, 0, 0))

        refused(self.place.name, "no run.json")
        refused(os.path.join(self.place.name, "nowhere", "run.json"), "no such folder")
        last = frame_file(self.run, "bowl-4", 13)
        content = open(last, "rb").read()
        with open(last, "wb") as file:
            file.write(content.replace(b'Name="fragment"', b'Name="fragmemt"'))
        refused(self.run, "`fragment` is missing")
        with open(last, "wb") as file:
            file.write(content)
        with open(os.path.join(self.run, "rigid.jsonl"), "a", encoding="utf-8") as file:
            file.write("{")
        refused(self.run, r"rigid.jsonl:\d+: is damaged")
        with open(os.path.join(self.run, "run.json"), "w", encoding="utf-8") as file:
            file.write("{")
        refused(self.run, "run.json: cannot be read")

    def test_a_run_that_is_not_complete_is_imported_all_the_same(self):
        path = os.path.join(self.run, "run.json")
        text = open(path, encoding="utf-8").read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace('"complete"', '"running"'))
        settings = import_run(self.run).sunder_run
        self.assertEqual(settings.message, "")

    def test_rendering_in_the_background_shows_each_frame(self):
        # As a farm does it: a saved file, another process. Its pictures are those of frames set by hand here.
        import_run(self.run)
        scene = bpy.context.scene
        small_cycles(scene)
        look_from(scene, (0.6, -0.8, 0.5), (0, 0, 0.08))
        here = {}
        for number in (1, 13):
            scene.frame_set(number)
            here[number] = render(scene, os.path.join(self.place.name, f"here{number}.png"))
        scene.frame_set(5)
        blend = os.path.join(self.place.name, "farm.blend")
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        command = [bpy.app.binary_path, "-b", "--factory-startup", "--addons", "sunder_import", blend]
        command += ["-o", os.path.join(self.place.name, "farm####"), "-F", "PNG"]
        command += ["-s", "1", "-e", "13", "-j", "12", "-a"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for number, mine in here.items():
            theirs = pixels_of(os.path.join(self.place.name, f"farm{number:04d}.png"))
            np.testing.assert_allclose(theirs, mine, atol=0.02)
        self.assertGreater(np.abs(here[1] - here[13]).max(), 0.2)
