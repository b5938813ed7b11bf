"""Makes the objects of a run."""

from dataclasses import dataclass

import bpy
import numpy as np

from . import playback
from .colliders import add_colliders
from .dust import add_dust
from .fragments import add_fragments
from .materials import inside_material, outside_material

FASTEST_FILM = 60  # frames a second; what is finer in time is played as slow motion, as in sunder's own films
SLOW_MOTION_FPS = 30


@dataclass
class Options:
    scale: float = 1.0
    z_up: bool = True
    smooth: bool = True
    frame_offset: int = 0
    frame_rate: str = "FILM"  # FILM, RUN or KEEP
    frame_range: bool = True
    colliders: bool = True
    fragments: bool = False  # one object each, of the last frame


def import_run(context, folder, options):
    """The new collection. Raises RunError before anything is made."""
    playback.forget(folder)
    run = playback.run_at(folder)
    first = playback.surface_at(run, run.first_frame, options.smooth)
    last = playback.surface_at(run, run.last_frame, options.smooth)
    run.colliders()
    scene = context.scene
    _set_time(scene, run, options)

    low, high = first.position.min(axis=0), first.position.max(axis=0)
    radius = float(np.linalg.norm(high - low)) / 2 or 1.0
    outside, inside = outside_material(), inside_material(2 * radius * options.scale)
    collection = bpy.data.collections.new(run.name)
    scene.collection.children.link(collection)
    settings = collection.sunder_run
    settings.scale, settings.z_up, settings.smooth = options.scale, options.z_up, options.smooth
    settings.frame_offset = settings.keyframes_offset = options.frame_offset
    settings.folder = run.path
    bodies = bpy.data.objects.new(run.name, bpy.data.meshes.new(run.name))
    bodies.data.materials.append(outside)
    bodies.data.materials.append(inside)
    collection.objects.link(bodies)
    if last.grains is not None:
        settings.dust = add_dust(f"{run.name} dust", collection, inside)
    settings.bodies = bodies
    placing = playback.placing_of(settings)
    if options.colliders:
        add_colliders(run, collection, placing, options.frame_offset, (low + high) / 2, radius)
    playback.show(collection, scene)
    if options.fragments:
        pieces, _ = add_fragments(last, run.name, collection, (outside, inside), placing)
        bodies.hide_render = bodies.hide_viewport = True
        pieces.color_tag = "COLOR_03"
    return collection


def _set_time(scene, run, options):
    if options.frame_rate != "KEEP":
        fps = run.fps if options.frame_rate == "RUN" or run.fps <= FASTEST_FILM else SLOW_MOTION_FPS
        scene.render.fps = max(1, round(fps))  # a whole number, mended by fps_base
        scene.render.fps_base = scene.render.fps / fps
    if options.frame_range:
        scene.frame_start = max(0, run.first_frame + options.frame_offset)
        scene.frame_end = max(scene.frame_start, run.last_frame + options.frame_offset)
        scene.frame_set(scene.frame_start)
    # The handler changes meshes while an animation is rendered; the viewport must not draw them meanwhile.
    scene.render.use_lock_interface = True
