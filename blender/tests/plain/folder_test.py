"""Run folders: what is read from them, and what is said of bad ones."""

import glob
import os
import pathlib
import re
import shutil
import tempfile
import tomllib
import unittest

import load_parts
from sunder_import.errors import RunError
from sunder_import.run_folder import RunFolder, folder_of
from sunder_import.scene_toml import parse_scene

RUNS = os.environ["SUNDER_TEST_RUNS"]


class SceneTest(unittest.TestCase):
    def test_scenes_of_runs_read_as_python_reads_them(self):
        files = glob.glob(os.path.join(RUNS, "*", "scene.toml"))
        self.assertGreaterEqual(len(files), 4)
        for file in files:
            text = pathlib.Path(file).read_text("utf-8")
            self.assertEqual(parse_scene(text), tomllib.loads(text), file)

    def test_text_with_everything_in_it(self):
        text = 'a = "x # \\"y\\" \\u00e9 [z]" # { }\n[b.c]\nd = [[1, -2.5e-3], []] \n'
        text += '[[e]]\nf = { g = true, h = "" }\n[[e]]\ni = inf\n'
        self.assertEqual(parse_scene(text), tomllib.loads(text))

    def test_a_bad_line_is_named(self):
        for bad in ("a = ", "a = [1, 2", "a 1", "a = { b }", "= 1", "[x", "a = yes"):
            with self.assertRaisesRegex(RunError, r"scene.toml:2: cannot be read"):
                parse_scene("ok = 1\n" + bad)


class FolderTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.run = os.path.join(self.place.name, "run")
        shutil.copytree(os.path.join(RUNS, "bowl"), self.run, ignore=shutil.ignore_patterns("checkpoints"))

    def tearDown(self):
        self.place.cleanup()

    def test_frames_and_rate(self):
        run = RunFolder(self.run)
        self.assertEqual((run.name, run.first_frame, run.last_frame, run.fps), ("bowl-4", 1, 13, 120))
        self.assertEqual([run.nearest_frame(n) for n in (-5, 1, 7, 13, 99)], [1, 1, 7, 13, 13])
        self.assertTrue(os.path.exists(run.frame_file(13)))

    def test_what_may_be_chosen(self):
        for inside in ("", "run.json", "bowl-4.pvd", "frames", "frames/bowl-4.0001.vtu"):
            self.assertEqual(folder_of(os.path.join(self.run, inside)), self.run)

    def test_bad_folders_are_told(self):
        def spoil(file, content):
            with open(os.path.join(self.run, file), "w", encoding="utf-8") as out:
                out.write(content)

        with self.assertRaisesRegex(RunError, "no such folder"):
            RunFolder(self.run + "x")
        with self.assertRaisesRegex(RunError, "no run.json"):
            RunFolder(self.place.name)
        for content in ("{", "[]", '{"program": "other", "name": "x"}', '{"program": "sunder"}'):
            spoil("run.json", content)
            with self.assertRaisesRegex(RunError, "run.json: "):
                RunFolder(self.run)
        spoil("run.json", '{"program": "sunder", "name": "bowl-4"}')
        RunFolder(self.run)
        spoil("rigid.jsonl", '{"frame": 1}\n')
        with self.assertRaisesRegex(RunError, "rigid.jsonl:1: is damaged"):
            RunFolder(self.run).colliders()
        for content in ("<VTKFile>", "<VTKFile><Collection/></VTKFile>", '<VTKFile><DataSet file="x"/></VTKFile>'):
            spoil("bowl-4.pvd", content)
            with self.assertRaisesRegex(RunError, "bowl-4.pvd: "):
                RunFolder(self.run)
        os.remove(os.path.join(self.run, "bowl-4.pvd"))
        with self.assertRaisesRegex(RunError, "bowl-4.pvd: is missing"):
            RunFolder(self.run)


class VersionTest(unittest.TestCase):
    def test_is_the_same_everywhere(self):
        root = load_parts.TESTS.parent
        addon = re.search(r'"version": \((\d+), (\d+), (\d+)\)', (root / "sunder_import/__init__.py").read_text())
        manifest = tomllib.loads((root / "sunder_import/blender_manifest.toml").read_text())
        project = re.search(r"project\(sunder\s+VERSION\s+([\d.]+)", (root.parent / "CMakeLists.txt").read_text())
        self.assertEqual(".".join(addon.groups()), manifest["version"])
        self.assertEqual(project.group(1), manifest["version"])


if __name__ == "__main__":
    unittest.main()
