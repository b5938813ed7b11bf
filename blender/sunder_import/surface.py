"""A frame as a surface to draw: the faces of tets that no other tet has, the triangles of surfaces and the walls of
their cracks. Plain arrays; knows nothing of Blender.

Vertices are the nodes of the surface, one for each fragment that has them: fragments that hang together at a node
are separate islands of the mesh.
"""

from dataclasses import dataclass

import numpy as np

from .errors import RunError
from .vtu import TETRA, TRIANGLE, VERTEX

OUTSIDE, INSIDE = 0, 1  # indices of the materials

# Corners of the face opposite each corner of a tet, counter-clockwise from outside if the tet's volume is positive.
FACE_CORNERS = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])
CREASE = np.cos(np.radians(40))  # sharper edges show as edges, as in sunder's own pictures
SAME_NORMAL = np.cos(np.radians(2))  # the model's own normals say where it has edges
CELL_ARRAYS = {"body": np.int32, "fragment": np.int32, "material": np.int32, "stress": np.float32}


@dataclass
class Grains:
    position: np.ndarray  # m
    velocity: np.ndarray  # m/s
    radius: np.ndarray  # m
    body: np.ndarray


@dataclass
class Surface:
    time: float  # s
    position: np.ndarray  # (vertices, 3), m, as in the run: y is up
    rest: np.ndarray  # (vertices, 3), where it was in the unbroken body
    velocity: np.ndarray  # (vertices, 3), m/s
    triangles: np.ndarray  # (faces, 3), counter-clockwise from outside
    material_index: np.ndarray  # OUTSIDE or INSIDE, by face
    faces: dict  # name -> a number by face: body, fragment, material, stress, part, ...
    normals: np.ndarray  # (faces, 3, 3), at the corners
    uv: np.ndarray = None  # (faces, 3, 2), or None if no body has texture coordinates
    grains: Grains = None  # of dust, if there are any

    def volume_of(self, faces):
        """Of what the given faces enclose, m^3."""
        a, b, c = (self.position[self.triangles[faces, k]] for k in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)

    def centre_of_volume(self):
        """Of a closed surface; of one that encloses nothing, the middle of its vertices."""
        middle = self.position.mean(axis=0)
        a, b, c = (self.position[self.triangles[:, k]] - middle for k in range(3))
        volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
        total = volumes.sum()
        if not total > 1e-9 * np.ptp(self.position, axis=0).max() ** 3:
            return middle
        return middle + np.einsum("i,ij->j", volumes, (a + b + c) / 4) / total

    def only(self, faces):
        """The surface of the given faces alone, without grains."""
        kept, triangles = np.unique(self.triangles[faces], return_inverse=True)
        return Surface(
            time=self.time,
            position=self.position[kept],
            rest=self.rest[kept],
            velocity=self.velocity[kept],
            triangles=triangles.reshape(-1, 3),
            material_index=self.material_index[faces],
            faces={name: values[faces] for name, values in self.faces.items()},
            normals=self.normals[faces],
            uv=None if self.uv is None else self.uv[faces],
        )


def surface_of(grid, path, smooth=True):
    for name in ("rest", "velocity"):
        _require(grid.point_data, name, path)
    for name in (*CELL_ARRAYS, "crack_faces"):
        _require(grid.cell_data, name, path)
    tets = _tet_faces(grid)
    loose = _triangles(grid)
    parts = [tets, loose]
    nodes = np.concatenate([part.nodes for part in parts])
    cell = np.concatenate([part.cell for part in parts])
    inside = np.concatenate([part.inside for part in parts])
    count = len(cell)
    normals = _normals(grid, nodes, cell, inside, tets, smooth)
    position, rest, velocity = grid.points, grid.point_data["rest"], grid.point_data["velocity"]

    walls = _walls(grid, position) if "wall" in grid.point_data else None
    if walls is not None:
        nodes = np.concatenate([nodes, len(position) + walls.triangles])
        cell = np.concatenate([cell, walls.cell])
        inside = np.concatenate([inside, np.ones(len(walls.cell), bool)])
        position = np.concatenate([position, walls.position])
        rest = np.concatenate([rest, walls.position])
        velocity = np.concatenate([velocity, np.zeros_like(walls.position)])
        normals = np.concatenate([normals, walls.normals])

    fragment = grid.cell_data["fragment"][cell].astype(np.int64)
    keys = fragment[:, None] * len(position) + nodes
    kept, triangles = np.unique(keys, return_inverse=True)
    of_vertex = kept % len(position) if len(position) else kept

    faces = {name: grid.cell_data[name][cell].astype(dtype) for name, dtype in CELL_ARRAYS.items()}
    if "plastic_strain" in grid.cell_data:
        faces["plastic_strain"] = grid.cell_data["plastic_strain"][cell].astype(np.float32)
    if "parts" in grid.cell_data:
        part = np.zeros(len(cell), np.int32)
        part[: len(tets.cell)] = grid.cell_data["parts"][tets.cell, tets.corner]
        faces["part"] = part
    return Surface(
        time=float(grid.field_data["TimeValue"][0]) if "TimeValue" in grid.field_data else 0.0,
        position=position[of_vertex],
        rest=rest[of_vertex],
        velocity=velocity[of_vertex],
        triangles=triangles.reshape(-1, 3),
        material_index=np.where(inside, INSIDE, OUTSIDE).astype(np.int32),
        faces=faces,
        normals=normals,
        uv=_texture(grid, tets, loose, count, len(cell)),
        grains=_grains(grid),
    )


def _require(arrays, name, path):
    if name not in arrays:
        raise RunError(path, f"array `{name}` is missing", "the file is not a frame of sunder")


@dataclass
class _Faces:
    nodes: np.ndarray  # (faces, 3)
    cell: np.ndarray  # row in the cell arrays
    inside: np.ndarray  # of a tet: is it crack surface?
    corner: np.ndarray  # of a tet: that the face is opposite to
    flipped: np.ndarray  # of a tet: corners 1 and 2 have changed places


def _tet_faces(grid):
    """Faces that no other tet has."""
    tets, rows = grid.cells[TETRA], grid.cell_rows[TETRA]
    nodes = tets[:, FACE_CORNERS].reshape(-1, 3)
    low, middle, high = np.sort(nodes, axis=1).T
    first_two = low * np.int64(max(len(grid.points), 1)) + middle
    order = np.lexsort((high, first_two))
    same = (np.diff(first_two[order]) == 0) & (np.diff(high[order]) == 0)
    alone = np.ones(len(order), bool)
    alone[:-1] &= ~same
    alone[1:] &= ~same
    kept = np.sort(order[alone])
    tet, corner = kept // 4, kept % 4
    nodes = nodes[kept].copy()
    rest = grid.point_data["rest"]
    edges = rest[tets[tet, 1:]] - rest[tets[tet, :1]]
    flipped = np.linalg.det(edges) < 0
    nodes[flipped] = nodes[flipped][:, [0, 2, 1]]
    cell = rows[tet]
    inside = (grid.cell_data["crack_faces"][cell] >> corner.astype(np.uint8) & 1).astype(bool)
    return _Faces(nodes, cell, inside, corner, flipped)


def _triangles(grid):
    nodes, rows = grid.cells[TRIANGLE], grid.cell_rows[TRIANGLE]
    none = np.zeros(len(rows), np.int64)
    return _Faces(nodes, rows, none.astype(bool), none, none.astype(bool))


@dataclass
class _Walls:
    position: np.ndarray
    triangles: np.ndarray
    cell: np.ndarray
    normals: np.ndarray


def _walls(grid, position):
    """Rectangles from the lips of cracks in surfaces down to where the two sides meet, as in
    src/render/frame_surface_walls.cpp."""
    triangles, rows = grid.cells[TRIANGLE], grid.cell_rows[TRIANGLE]
    foot = grid.point_data["rest"] + grid.point_data["wall"]
    flags = grid.cell_data["crack_faces"][rows]
    lips, cells = [], []
    for corner in range(3):
        cut = np.flatnonzero(flags >> corner & 1)
        lips.append(triangles[cut][:, [(corner + 1) % 3, (corner + 2) % 3]])
        cells.append(rows[cut])
    a, b = np.concatenate(lips).T
    corners = np.stack([position[b], position[a], foot[a], foot[b]], axis=1)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    first = 4 * np.arange(len(a))[:, None, None]
    return _Walls(
        position=corners.reshape(-1, 3),
        triangles=(first + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3),
        cell=np.repeat(np.concatenate(cells), 2),
        normals=np.repeat(_unit(across), 2, axis=0)[:, None].repeat(3, axis=1),
    )


def _texture(grid, tets, loose, count, total):
    """Texture coordinates at the corners; zero on crack faces and where none are known."""
    if "uv" not in grid.cell_data and "corner_uv" not in grid.cell_data:
        return None
    uv = np.zeros((total, 3, 2), np.float32)
    if "uv" in grid.cell_data and len(tets.cell):
        of_tets = grid.cell_data["uv"].reshape(-1, 4, 3, 2)[tets.cell, tets.corner]
        of_tets[tets.flipped] = of_tets[tets.flipped][:, [0, 2, 1]]
        of_tets[tets.inside] = 0
        uv[: len(tets.cell)] = of_tets
    if "corner_uv" in grid.cell_data and len(loose.cell):
        uv[len(tets.cell) : count] = grid.cell_data["corner_uv"].reshape(-1, 3, 2)[loose.cell]
    return uv


def _grains(grid):
    rows = grid.cell_rows[VERTEX]
    if len(rows) == 0 or "grain_radius" not in grid.point_data:
        return None
    points = grid.cells[VERTEX][:, 0]
    return Grains(
        position=grid.points[points],
        velocity=grid.point_data["velocity"][points],
        radius=grid.point_data["grain_radius"][points].astype(np.float32),
        body=grid.cell_data["body"][rows].astype(np.int32),
    )


# --- normals -------------------------------------------------------------------------------------------------------


def _unit(vectors):
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(length > 0, length, 1)


def _normals(grid, nodes, cell, inside, tets, smooth):
    """At the corners, (faces, 3, 3): the model's own, or smooth up to the creases; crack faces are flat.

    They are made in material coordinates, where the pieces of a broken body still fit, so that shading runs on across a
    crack; the deformation of each element brings them into the world.
    """
    rest = grid.point_data["rest"]
    if not smooth:
        return _flat(grid.points, nodes)[:, None].repeat(3, axis=1)
    flat = _flat(rest, nodes)
    material = flat[:, None].repeat(3, axis=1)
    outer = np.flatnonzero(~inside)
    body = grid.cell_data["body"][cell].astype(np.int64)
    group = _numbered(np.column_stack([np.repeat(body[outer], 3), rest[nodes[outer].ravel()] + 0.0]))
    angle = _angles(rest, nodes)
    one, other = _pairs(group)
    one, other = 3 * outer[one // 3] + one % 3, 3 * outer[other // 3] + other % 3
    together = np.einsum("ij,ij->i", flat[one // 3], flat[other // 3]) > CREASE
    sums = _sum_by(one[together], angle.ravel()[other[together], None] * flat[other[together] // 3], 3 * len(nodes))
    known = np.einsum("ij,ij->i", sums, sums) > 0
    material.reshape(-1, 3)[known] = _unit(sums[known])
    painted = np.zeros(len(nodes), bool)
    if "normals" in grid.cell_data and len(tets.cell):
        told = grid.cell_data["normals"].reshape(-1, 4, 3, 3)[tets.cell, tets.corner].astype(np.float64)
        told[tets.flipped] = told[tets.flipped][:, [0, 2, 1]]
        told = _unit(told)
        whole = (np.abs(np.einsum("fki,fki->fk", told, told) - 1) < 1e-3).all(axis=1) & ~tets.inside
        chosen = np.flatnonzero(whole)
        material[chosen] = told[chosen]
        painted[chosen] = True

    world = np.einsum("fij,fkj->fki", _cofactors(grid, nodes, cell, len(tets.cell)), material)
    # Corners at one node of one fragment share their normal in the world unless a crease parts them.
    fragment = grid.cell_data["fragment"][cell].astype(np.int64)
    group = _numbered(fragment[outer].repeat(3) * max(len(rest), 1) + nodes[outer].ravel())
    one, other = _pairs(group)
    one, other = 3 * outer[one // 3] + one % 3, 3 * outer[other // 3] + other % 3
    cosine = np.einsum("ij,ij->i", material.reshape(-1, 3)[one], material.reshape(-1, 3)[other])
    together = cosine > np.where(painted[one // 3] & painted[other // 3], SAME_NORMAL, CREASE)
    shared = _sum_by(one[together], world.reshape(-1, 3)[other[together]], 3 * len(nodes)).reshape(-1, 3, 3)
    shared[inside] = _flat(grid.points, nodes[inside])[:, None]
    return _unit(shared)


def _flat(points, nodes):
    a, b, c = (points[nodes[:, k]] for k in range(3))
    return _unit(np.cross(b - a, c - a))


def _angles(points, nodes):
    corners = points[nodes]
    u, v = np.roll(corners, -1, axis=1) - corners, np.roll(corners, -2, axis=1) - corners
    return np.arctan2(np.linalg.norm(np.cross(u, v), axis=2), np.einsum("fki,fki->fk", u, v))


def _cofactors(grid, nodes, cell, tet_faces):
    """cof(F) of the element of each face: what the deformation does to area vectors."""

    def edges(points):
        columns = np.empty((len(nodes), 3, 3))
        row_of = np.zeros(len(grid.cell_data["fragment"]), np.int64)
        row_of[grid.cell_rows[TETRA]] = np.arange(len(grid.cell_rows[TETRA]))
        tet = grid.cells[TETRA][row_of[cell[:tet_faces]]]
        columns[:tet_faces] = points[tet[:, 1:]] - points[tet[:, :1]]
        a, b, c = (points[nodes[tet_faces:, k]] for k in range(3))
        across = np.cross(b - a, c - a)
        length = np.sqrt(np.maximum(np.linalg.norm(across, axis=1), 1e-300))[:, None]
        columns[tet_faces:] = np.stack([b - a, c - a, across / length], axis=1)
        return columns.transpose(0, 2, 1)

    rest = edges(grid.point_data["rest"])
    flat = np.abs(np.linalg.det(rest)) < 1e-300
    rest[flat] = np.eye(3)
    deformation = edges(grid.points) @ np.linalg.inv(rest)
    deformation[flat] = np.eye(3)
    x, y, z = (deformation[:, :, k] for k in range(3))
    return np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)], axis=2)


def _numbered(rows):
    """The same number for the same row."""
    if rows.ndim == 1:
        return np.unique(rows, return_inverse=True)[1].ravel()
    order = np.lexsort(rows.T)
    new = np.ones(len(rows), bool)
    new[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    numbers = np.empty(len(rows), np.int64)
    numbers[order] = np.cumsum(new) - 1
    return numbers


def _pairs(group):
    """Every (i, j), also i = j, with the same group, as two arrays."""
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group) if len(group) else np.zeros(0, np.int64)
    begin = np.cumsum(sizes) - sizes
    partners = sizes[group[order]]
    one = np.repeat(order, partners)
    within = np.arange(len(one)) - np.repeat(np.cumsum(partners) - partners, partners)
    return one, order[np.repeat(begin[group[order]], partners) + within]


def _sum_by(index, values, count):
    return np.stack([np.bincount(index, values[:, k], count) for k in range(3)], axis=1)
