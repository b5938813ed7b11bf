"""Run by blender/tests/run inside Blender: blender -b --factory-startup -P all_tests.py -- ADDON.zip [TEST ...]"""

import pathlib
import sys
import unittest

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))

addon, *names = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.preferences.addon_install(filepath=addon)
bpy.ops.preferences.addon_enable(module="sunder_import")
if not names:
    names = ["import_test", "playback_test", "render_test", "gltf_test"]
suite = unittest.defaultTestLoader.loadTestsFromNames(names)
result = unittest.TextTestRunner(stream=sys.stderr, verbosity=2).run(suite)
bpy.ops.preferences.addon_disable(module="sunder_import")
if not result.wasSuccessful() or result.testsRun == 0:
    sys.exit(1)
