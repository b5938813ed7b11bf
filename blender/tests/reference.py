"""What a frame's surface must be, found in another way than the add-on does: files read by meshio, faces counted one by
one. And the numbers that the run itself wrote."""

import csv
import os
from collections import Counter
from dataclasses import dataclass

import meshio
import numpy as np

FACES = ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))


@dataclass
class Reference:
    corners: dict  # fragment -> nodes on its surface
    outside: int  # faces
    inside: int
    low: np.ndarray  # box of the surface, y up
    high: np.ndarray
    rest_volume: dict  # fragment -> m^3


def frame_file(run, name, number):
    return os.path.join(run, "frames", f"{name}.{number:04d}.vtu")


def stats(run):
    with open(os.path.join(run, "stats.csv"), encoding="utf-8") as file:
        return {int(row["frame"]): {k: v for k, v in row.items()} for row in csv.DictReader(file)}


def drop_speed(run):
    """m/s downwards, of a run that starts with everything at one speed: the scene may change it."""
    first = stats(run)[1]
    return -float(first["momentum_y"]) / float(first["mass"])


def reference(path):
    mesh = meshio.read(path)
    kinds = [block.type for block in mesh.cells]
    at = kinds.index("tetra")
    tets = mesh.cells[at].data
    fragment, crack = (mesh.cell_data[name][at].ravel() for name in ("fragment", "crack_faces"))
    rest = mesh.point_data["rest"]
    count = Counter()
    for tet in tets.tolist():
        for face in FACES:
            count[frozenset(tet[k] for k in face)] += 1
    corners, outside, inside, shown = {}, 0, 0, set()
    for t, tet in enumerate(tets.tolist()):
        for i, face in enumerate(FACES):
            nodes = [tet[k] for k in face]
            if count[frozenset(nodes)] != 1:
                continue
            corners.setdefault(int(fragment[t]), set()).update(nodes)
            shown.update(nodes)
            if int(crack[t]) >> i & 1:
                inside += 1
            else:
                outside += 1
    edges = rest[tets[:, 1:]] - rest[tets[:, :1]]
    volumes = np.abs(np.linalg.det(edges)) / 6
    rest_volume = {int(f): float(volumes[fragment == f].sum()) for f in np.unique(fragment)}
    points = mesh.points[sorted(shown)]
    return Reference(corners, outside, inside, points.min(axis=0), points.max(axis=0), rest_volume)
