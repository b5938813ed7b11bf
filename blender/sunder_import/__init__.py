"""Runs of sunder in Blender: File > Import > sunder run. What one gets is told in blender/README.md."""

bl_info = {  # for Blender before 4.2; later ones read blender_manifest.toml
    "name": "sunder run",
    "author": "the authors of sunder",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > sunder run",
    "description": "Imports what `sunder run` leaves behind: bodies that break, frame by frame",
    "category": "Import-Export",
}

from . import operators, panel, playback, settings  # noqa: E402  (Blender reads bl_info from the top of the file)

PARTS = (settings, playback, operators, panel)


def register():
    for part in PARTS:
        part.register()


def unregister():
    for part in reversed(PARTS):
        part.unregister()
