"""The tab `sunder` in the sidebar of the 3D view: every run in the file."""

import bpy

from .operators import SUNDER_OT_fragments, SUNDER_OT_import_run, SUNDER_OT_reload


class SUNDER_PT_runs(bpy.types.Panel):
    bl_label = "sunder runs"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "sunder"

    def draw(self, _context):
        layout = self.layout
        for collection in bpy.data.collections:
            settings = collection.sunder_run
            if not settings.folder:
                continue
            box = layout.box()
            box.label(text=collection.name, icon="MOD_EXPLODE")
            box.prop(settings, "folder", text="")
            box.prop(settings, "frame_offset")
            box.prop(settings, "smooth")
            if settings.message:
                box.label(text=settings.message, icon="ERROR")
            else:
                box.label(text=f"frame {settings.shown_frame} of the run is shown")
            box.operator(SUNDER_OT_reload.bl_idname, icon="FILE_REFRESH").run = collection.name
            box.operator(SUNDER_OT_fragments.bl_idname, icon="OUTLINER_OB_MESH").run = collection.name
        layout.operator(SUNDER_OT_import_run.bl_idname, icon="IMPORT")


def register():
    bpy.utils.register_class(SUNDER_PT_runs)


def unregister():
    bpy.utils.unregister_class(SUNDER_PT_runs)
