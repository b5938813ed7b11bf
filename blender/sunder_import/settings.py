"""What the .blend file remembers of an imported run, on the run's collection."""

import bpy

from . import playback
from .colliders import shift_keyframes


def _changed(settings, context):
    if settings.bodies is None:  # the import itself is still at work
        return
    playback.forget(settings.folder)
    playback.show(settings.id_data, context.scene)


def _moved(settings, context):
    shift_keyframes(settings.id_data, settings.frame_offset - settings.keyframes_offset)
    settings.keyframes_offset = settings.frame_offset
    if settings.bodies is not None:
        playback.show(settings.id_data, context.scene)


class SunderRun(bpy.types.PropertyGroup):
    folder: bpy.props.StringProperty(
        name="Folder", description="The folder that `sunder run` made", subtype="DIR_PATH", update=_changed
    )
    frame_offset: bpy.props.IntProperty(
        name="Frame offset", description="Frame 1 of the run is shown at this frame plus 1", update=_moved
    )
    smooth: bpy.props.BoolProperty(
        name="Smooth outside",
        description="The model's own normals, or smooth ones up to creases of 40 degrees; crack faces stay flat",
        default=True,
        update=_changed,
    )
    scale: bpy.props.FloatProperty(name="Scale", description="Units per metre", default=1, min=1e-6)
    z_up: bpy.props.BoolProperty(name="Z up", default=True)
    keyframes_offset: bpy.props.IntProperty(description="The offset that the colliders' keyframes have")
    bodies: bpy.props.PointerProperty(type=bpy.types.Object)
    dust: bpy.props.PointerProperty(type=bpy.types.Object)
    shown_frame: bpy.props.IntProperty(description="The frame of the run that is shown")
    message: bpy.props.StringProperty(description="Why nothing is shown")


def register():
    bpy.utils.register_class(SunderRun)
    bpy.types.Collection.sunder_run = bpy.props.PointerProperty(type=SunderRun)


def unregister():
    del bpy.types.Collection.sunder_run
    bpy.utils.unregister_class(SunderRun)
