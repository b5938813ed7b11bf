"""Colliders of a run as objects: simple meshes, and keyframes if they move. One made of a model's file is an empty."""

import bmesh
import bpy
import numpy as np

from .materials import collider_material

MARK = "sunder_collider"  # custom property: its kind
SEGMENTS = 48


def add_colliders(run, collection, placing, offset, middle, radius):
    """`middle` and `radius` of the bodies (m): how far ground and planes reach."""
    made = []
    for collider in run.colliders():
        mesh = _mesh(collider, placing, middle, radius)
        made.append(bpy.data.objects.new(collider.name, mesh))
        if mesh is None:
            made[-1].empty_display_size = placing.scale * radius
        made[-1][MARK] = collider.kind
        collection.objects.link(made[-1])
        _pose(made[-1], collider.poses, placing, offset)
    return made


def shift_keyframes(collection, frames):
    for collider in collection.all_objects:
        data = collider.animation_data
        if MARK not in collider or data is None or data.action is None:
            continue
        for curve in data.action.fcurves:
            for point in curve.keyframe_points:
                point.co.x += frames
                point.handle_left.x += frames
                point.handle_right.x += frames
            curve.update()


def _pose(collider, poses, placing, offset):
    collider.rotation_mode = "QUATERNION"
    numbers = sorted(poses)
    places = [tuple(placing.positions(poses[n].position)) for n in numbers]
    turns = np.array([placing.rotation(poses[n].rotation) for n in numbers])
    for i in range(1, len(turns)):  # q and -q are one rotation; between neighbours the short way is meant
        if turns[i] @ turns[i - 1] < 0:
            turns[i] = -turns[i]
    collider.location, collider.rotation_quaternion = places[0], turns[0]
    if all(p == places[0] for p in places) and (turns == turns[0]).all():
        return
    for number, place, turn in zip(numbers, places, turns):
        collider.location, collider.rotation_quaternion = place, turn
        collider.keyframe_insert("location", frame=number + offset)
        collider.keyframe_insert("rotation_quaternion", frame=number + offset)
    for curve in collider.animation_data.action.fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def _mesh(collider, placing, middle, radius):
    """In the collider's own axes, turned and scaled as the scene is; None for an empty."""
    shape, kind = collider.shape, collider.kind
    if kind == "ground":
        centre = np.array([middle[0], 0, middle[2]])  # its height is that of its pose
        return _square(collider.name, centre, np.array([0.0, 1, 0]), 8 * radius, placing)
    if kind == "plane":
        normal = np.array(shape.get("normal", (0, 1, 0)), float)
        return _square(collider.name, np.zeros(3), normal / np.linalg.norm(normal), 8 * radius, placing)
    made = bmesh.new()
    try:
        # bmesh's shapes stand along z; `along_y` below brings them into the run's axes.
        if kind == "sphere" and "radius" in shape:
            bmesh.ops.create_uvsphere(made, u_segments=SEGMENTS, v_segments=SEGMENTS // 2, radius=shape["radius"])
        elif kind == "capsule" and {"radius", "height"} <= shape.keys():
            half = max(0.0, shape["height"] / 2 - shape["radius"])
            bmesh.ops.create_uvsphere(made, u_segments=SEGMENTS, v_segments=SEGMENTS // 2, radius=shape["radius"])
            belt = [e for e in made.edges if all(abs(v.co.z) < 1e-6 * shape["radius"] for v in e.verts)]
            bmesh.ops.split_edges(made, edges=belt)
            upper = {v for face in made.faces if face.calc_center_median().z > 0 for v in face.verts}
            for vertex in made.verts:
                vertex.co.z += half if vertex in upper else -half
            bmesh.ops.bridge_loops(made, edges=[e for e in made.edges if e.is_boundary])
        elif kind == "box" and "size" in shape:
            bmesh.ops.create_cube(made, size=1)
            for vertex in made.verts:
                vertex.co.x, vertex.co.y, vertex.co.z = (
                    vertex.co[0] * shape["size"][0], vertex.co[1] * shape["size"][2], vertex.co[2] * shape["size"][1]
                )  # fmt: skip
        else:
            return None
        for face in made.faces:
            face.smooth = kind != "box"
        mesh = bpy.data.meshes.new(collider.name)
        made.to_mesh(mesh)
    finally:
        made.free()
    co = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", co)
    along_y = co.reshape(-1, 3)[:, [0, 2, 1]] * (1, 1, -1)
    mesh.vertices.foreach_set("co", placing.positions(along_y).astype(np.float32).ravel())
    mesh.update()
    mesh.materials.append(collider_material())
    return mesh


def _square(name, centre, normal, half, placing):
    helper = np.array([1.0, 0, 0]) if abs(normal[0]) < 0.9 else np.array([0.0, 1, 0])
    u = np.cross(helper, normal)
    u /= np.linalg.norm(u)
    v = np.cross(normal, u)
    corners = [centre + half * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(placing.positions(c)) for c in corners], [], [(0, 1, 2, 3)])
    mesh.materials.append(collider_material())
    return mesh
