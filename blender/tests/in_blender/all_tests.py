"""Run by blender/tests/run inside Blender: blender -b --factory-startup -P all_tests.py -- ADDON.zip [TEST ...]"""

import pathlib
import sys
import unittest

import bpy

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent)]  # the tests, and what they share with those without Blender

addon, *names = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.preferences.addon_install(filepath=addon)
bpy.ops.preferences.addon_enable(module="sunder_import")
if not names:
    names = ["import_test", "playback_test", "render_test", "gltf_test", "point_cache_test"]
suite = unittest.defaultTestLoader.loadTestsFromNames(names)
result = unittest.TextTestRunner(stream=sys.stderr, verbosity=2).run(suite)
bpy.ops.preferences.addon_disable(module="sunder_import")
if not result.wasSuccessful() or result.testsRun == 0:
    sys.exit(1)
