"""Shows the right frame of every imported run: a handler fills the meshes whenever the scene's frame changes.

Frames are read when they are shown; the last few are kept. What a mesh shows is written on the mesh itself, so that
undo, saving and opening cannot part the two.
"""

import os
import sys
from collections import OrderedDict

import bpy
from bpy.app.handlers import persistent

from .errors import RunError
from .mesh_data import fill_mesh, fill_points
from .placing import Placing
from .run_folder import RunFolder
from .surface import surface_of
from .vtu import read_vtu

KEPT_FRAMES = 8
SHOWN = "sunder_shown"  # custom property of a mesh: the frame it was filled from, and how

_runs = {}  # folder -> RunFolder
_surfaces = OrderedDict()  # (file, time it was written, size, smooth) -> Surface, the last used at the end


def run_at(folder):
    path = os.path.abspath(bpy.path.abspath(folder))
    if path not in _runs:
        _runs[path] = RunFolder(path)
    return _runs[path]


def forget(folder):
    """Looks at the folder anew when it is next needed."""
    _runs.pop(os.path.abspath(bpy.path.abspath(folder)), None)


def surface_at(run, number, smooth):
    path = run.frame_file(number)
    try:
        status = os.stat(path)
    except OSError as error:
        raise RunError(path, f"cannot be read ({error.strerror})", "reload the run if it was made again") from None
    key = (path, status.st_mtime_ns, status.st_size, smooth)
    if key not in _surfaces:
        _surfaces[key] = surface_of(read_vtu(path), path, smooth)
        while len(_surfaces) > KEPT_FRAMES:
            _surfaces.popitem(last=False)
    _surfaces.move_to_end(key)
    return _surfaces[key]


def placing_of(settings):
    return Placing(scale=settings.scale, z_up=settings.z_up)


def frame_at(run, settings, scene):
    """The run's frame nearest to the scene's time, and how far (in frames) the time is from it.

    The nearest, not the one before: a shutter that is open about a frame must see one topology.
    """
    wanted = scene.frame_current_final - settings.frame_offset
    number = run.nearest_frame(int(wanted + 0.5 if wanted >= 0 else wanted - 0.5))
    ahead = wanted - number
    return number, ahead if abs(ahead) <= 0.5 else 0.0


def show(collection, scene, just_opened=False):
    """Fills the meshes of one run. Trouble is told in the panel and on the console, and leaves the mesh empty: an old
    frame in its place would be taken for the right one. Only a file that was just opened keeps what was saved in it."""
    settings = collection.sunder_run
    bodies, dust = settings.bodies, settings.dust
    if bodies is None or bodies.type != "MESH" or scene.objects.get(bodies.name) != bodies:
        return
    mesh = bodies.data
    try:
        run = run_at(settings.folder)
        number, ahead = frame_at(run, settings, scene)
        fps = scene.render.fps / scene.render.fps_base
        how = (round(ahead, 6), fps, settings.scale, settings.z_up, settings.smooth)
        token = repr((run.path, run.frames[number], how))
        if mesh.get(SHOWN) == token:
            return
        surface = surface_at(run, number, settings.smooth)
        # Cycles moves a vertex by velocity / fps of the scene from frame to frame; the run's frames may be closer in
        # time than the scene's are played.
        motion = {"velocity_scale": fps / run.fps, "frames_ahead": ahead, "seconds_per_frame": 1 / run.fps}
        fill_mesh(mesh, surface, placing_of(settings), **motion)
        if dust is not None and dust.type == "MESH":
            fill_points(dust.data, surface.grains, placing_of(settings), **motion)
        mesh[SHOWN] = token
        settings.shown_frame = number
        settings.message = ""
    except RunError as error:
        settings.message = str(error)
        print(f"sunder: frame {scene.frame_current}: {error}", file=sys.stderr)
        if just_opened:
            return
        mesh.clear_geometry()
        if dust is not None and dust.type == "MESH":
            dust.data.clear_geometry()
        mesh[SHOWN] = ""


def show_all(scene, just_opened=False):
    for collection in bpy.data.collections:
        if collection.sunder_run.folder:
            show(collection, scene, just_opened)


@persistent
def on_frame_change(scene, _depsgraph=None):
    show_all(scene)


@persistent
def on_load(_path=None):
    _runs.clear()
    _surfaces.clear()
    for scene in bpy.data.scenes:
        show_all(scene, just_opened=True)


def register():
    # Before the frame is evaluated, so that renders see the new mesh.
    bpy.app.handlers.frame_change_pre.append(on_frame_change)
    bpy.app.handlers.load_post.append(on_load)


def unregister():
    bpy.app.handlers.load_post.remove(on_load)
    bpy.app.handlers.frame_change_pre.remove(on_frame_change)
    _runs.clear()
    _surfaces.clear()
