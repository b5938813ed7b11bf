"""One object per fragment of a frame, for Blender's own tools: rigid bodies, hand-made animation, other exporters."""

import bpy
import numpy as np

from .mesh_data import fill_mesh


def add_fragments(surface, name, parent, materials, placing):
    """Objects `NAME fragment 7` with their origins at their centres of volume, in a new collection."""
    collection = bpy.data.collections.new(f"{name} fragments")
    parent.children.link(collection)
    made = []
    of_face = surface.faces["fragment"]
    for fragment in np.unique(of_face).tolist():
        part = surface.only(np.flatnonzero(of_face == fragment))
        centre = part.centre_of_volume()
        part.position = part.position - centre
        title = f"{name} fragment {fragment}"
        mesh = bpy.data.meshes.new(title)
        for material in materials:
            mesh.materials.append(material)
        fill_mesh(mesh, part, placing)
        piece = bpy.data.objects.new(title, mesh)
        piece.location = placing.positions(centre)
        piece["fragment"] = fragment
        piece["body"] = int(part.faces["body"][0])
        piece["volume"] = part.volume_of(slice(None)) * placing.scale**3
        collection.objects.link(piece)
        made.append(piece)
    return collection, made
