"""File > Import > sunder run, and the buttons of the panel."""

import bpy
from bpy_extras.io_utils import ImportHelper

from . import playback
from .errors import RunError
from .fragments import add_fragments
from .importer import Options, import_run
from .run_folder import folder_of


class SUNDER_OT_import_run(bpy.types.Operator, ImportHelper):
    """Import a run of sunder: choose its folder, or the run.json in it"""

    bl_idname = "import_scene.sunder_run"
    bl_label = "Import sunder run"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="run.json;*.pvd", options={"HIDDEN"})
    scale: bpy.props.FloatProperty(name="Scale", description="Units per metre", default=1, min=1e-6, max=1e6)
    z_up: bpy.props.BoolProperty(name="Z up", description="sunder's y becomes Blender's z", default=True)
    smooth: bpy.props.BoolProperty(
        name="Smooth outside",
        description="The model's own normals, or smooth ones up to creases of 40 degrees; crack faces stay flat",
        default=True,
    )
    frame_offset: bpy.props.IntProperty(
        name="Frame offset", description="Frame 1 of the run is shown at this frame plus 1"
    )
    frame_range: bpy.props.BoolProperty(
        name="Set frame range", description="Of the scene, to that of the run", default=True
    )
    frame_rate: bpy.props.EnumProperty(
        name="Frame rate",
        items=(
            ("FILM", "As a film", "The run's; if that is above 60, slow motion at 30 frames a second"),
            ("RUN", "The run's", "As many frames a second as the run has, however many"),
            ("KEEP", "The scene's", "Leave it as it is"),
        ),
    )
    colliders: bpy.props.BoolProperty(name="Colliders", description="With keyframes if they move", default=True)
    fragments: bpy.props.BoolProperty(
        name="One object per fragment",
        description="Of the last frame, for Blender's own tools; the animated mesh is hidden",
        default=False,
    )

    def execute(self, context):
        names = ("scale", "z_up", "smooth", "frame_offset", "frame_range", "frame_rate", "colliders", "fragments")
        try:
            folder = folder_of(self.filepath)
            collection = import_run(context, folder, Options(**{name: getattr(self, name) for name in names}))
        except RunError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        run = playback.run_at(folder)
        self.report({"INFO"}, f"{collection.name}: frames {run.first_frame} to {run.last_frame} of {folder}")
        status = run.record.get("status")
        if status != "complete":
            self.report({"WARNING"}, f"the run is not complete ({status}); reload it when there are more frames")
        return {"FINISHED"}


class _ForOneRun:
    run: bpy.props.StringProperty(description="Name of the run's collection")
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        collection = bpy.data.collections.get(self.run)
        if collection is None or not collection.sunder_run.folder:
            self.report({"ERROR"}, f"there is no run `{self.run}` in this file")
            return {"CANCELLED"}
        try:
            return self.act(context, collection, collection.sunder_run)
        except RunError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}


class SUNDER_OT_reload(_ForOneRun, bpy.types.Operator):
    """Look at the folder anew: more frames, or other ones"""

    bl_idname = "sunder.reload"
    bl_label = "Reload"

    def act(self, context, collection, settings):
        playback.forget(settings.folder)
        run = playback.run_at(settings.folder)
        if settings.bodies is None:
            self.report({"ERROR"}, "the run's object was deleted; import it again")
            return {"CANCELLED"}
        settings.bodies.data[playback.SHOWN] = ""
        playback.show(collection, context.scene)
        if settings.message:
            self.report({"ERROR"}, settings.message)
            return {"CANCELLED"}
        self.report({"INFO"}, f"{run.name}: frames {run.first_frame} to {run.last_frame}")
        return {"FINISHED"}


class SUNDER_OT_fragments(_ForOneRun, bpy.types.Operator):
    """Make one object per fragment, of the frame that is shown"""

    bl_idname = "sunder.fragments"
    bl_label = "One object per fragment"

    def act(self, context, collection, settings):
        run = playback.run_at(settings.folder)
        number, _ = playback.frame_at(run, settings, context.scene)
        surface = playback.surface_at(run, number, settings.smooth)
        materials = settings.bodies.data.materials if settings.bodies is not None else ()
        _, made = add_fragments(surface, run.name, collection, materials, playback.placing_of(settings))
        self.report({"INFO"}, f"{len(made)} fragments of frame {number}")
        return {"FINISHED"}


def _menu(menu, _context):
    menu.layout.operator(SUNDER_OT_import_run.bl_idname, text="sunder run (run.json)")


CLASSES = (SUNDER_OT_import_run, SUNDER_OT_reload, SUNDER_OT_fragments)


def register():
    for kind in CLASSES:
        bpy.utils.register_class(kind)
    bpy.types.TOPBAR_MT_file_import.append(_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(_menu)
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
