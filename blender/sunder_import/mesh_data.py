"""Fills Blender's meshes from plain arrays. What differs between Blender 3.4 and 4.x is here."""

import bpy
import numpy as np

MESH_ATTRIBUTES = {np.dtype(np.int32): "INT", np.dtype(np.float32): "FLOAT"}


def fill_mesh(mesh, surface, placing, velocity_scale=1.0, frames_ahead=0.0, seconds_per_frame=0.0):
    """Replaces all of the mesh but its materials. `frames_ahead` moves every vertex on by its velocity."""
    moved = surface.position + frames_ahead * seconds_per_frame * surface.velocity
    _fill_triangles(mesh, placing.positions(moved), surface.triangles)
    mesh.polygons.foreach_set("material_index", surface.material_index)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(surface.triangles), bool))
    mesh.update(calc_edges=True)
    _set_normals(mesh, placing.directions(surface.normals))
    if surface.uv is not None:
        layer = mesh.uv_layers.new(name="UVMap")
        layer.data.foreach_set("uv", np.ascontiguousarray(surface.uv, np.float32).ravel())
    for name, values in surface.faces.items():
        attribute = mesh.attributes.new(name, MESH_ATTRIBUTES[values.dtype], "FACE")
        attribute.data.foreach_set("value", values)
    _add_vectors(mesh, "velocity", velocity_scale * placing.positions(surface.velocity))
    _add_vectors(mesh, "rest", placing.positions(surface.rest))


def fill_points(mesh, grains, placing, velocity_scale=1.0, frames_ahead=0.0, seconds_per_frame=0.0):
    mesh.clear_geometry()
    if grains is None:
        return
    moved = grains.position + frames_ahead * seconds_per_frame * grains.velocity
    mesh.vertices.add(len(moved))
    mesh.vertices.foreach_set("co", _floats(placing.positions(moved)))
    mesh.update()
    for name, values in (("grain_radius", (placing.scale * grains.radius).astype(np.float32)), ("body", grains.body)):
        attribute = mesh.attributes.new(name, MESH_ATTRIBUTES[values.dtype], "POINT")
        attribute.data.foreach_set("value", values)
    _add_vectors(mesh, "velocity", velocity_scale * placing.positions(grains.velocity))


def _floats(values):
    return np.ascontiguousarray(values, np.float32).ravel()


def _fill_triangles(mesh, positions, triangles):
    mesh.clear_geometry()
    mesh.vertices.add(len(positions))
    mesh.vertices.foreach_set("co", _floats(positions))
    mesh.loops.add(triangles.size)
    mesh.loops.foreach_set("vertex_index", np.ascontiguousarray(triangles, np.int32).ravel())
    mesh.polygons.add(len(triangles))
    mesh.polygons.foreach_set("loop_start", np.arange(0, triangles.size, 3, dtype=np.int32))
    if not bpy.types.MeshPolygon.bl_rna.properties["loop_total"].is_readonly:  # later Blenders count by themselves
        mesh.polygons.foreach_set("loop_total", np.full(len(triangles), 3, np.int32))


def _set_normals(mesh, normals):
    if hasattr(mesh, "use_auto_smooth"):  # until 4.0: without it Blender leaves them unused
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = np.pi
    if len(normals):
        mesh.normals_split_custom_set(normals.reshape(-1, 3).tolist())


def _add_vectors(mesh, name, vectors):
    mesh.attributes.new(name, "FLOAT_VECTOR", "POINT").data.foreach_set("vector", _floats(vectors))
