"""Surfaces against faces counted one by one, volumes against tets."""

import os
import unittest

import load_parts  # noqa: F401
import meshio
import numpy as np
from reference import frame_file, reference, stats
from sunder_import.surface import INSIDE, OUTSIDE, surface_of
from sunder_import.vtu import TETRA, TRIANGLE, VERTEX, Grid, read_vtu

RUNS = os.environ["SUNDER_TEST_RUNS"]
BOWL, MUD = os.path.join(RUNS, "bowl"), os.path.join(RUNS, "mud")


def surface(run, name, number):
    file = frame_file(run, name, number)
    return surface_of(read_vtu(file), file)


class SurfaceTest(unittest.TestCase):
    def test_faces_vertices_and_materials_of_every_frame(self):
        rows = stats(BOWL)
        for number in rows:
            mine, wanted = surface(BOWL, "bowl-4", number), reference(frame_file(BOWL, "bowl-4", number))
            self.assertEqual((mine.material_index == OUTSIDE).sum(), wanted.outside)
            self.assertEqual((mine.material_index == INSIDE).sum(), wanted.inside)
            self.assertEqual(len(mine.position), sum(map(len, wanted.corners.values())))
            self.assertEqual(len(np.unique(mine.faces["fragment"])), int(rows[number]["fragments"]))
        self.assertGreater(wanted.inside, 0)

    def test_fragments_are_closed_and_have_their_volume(self):
        mine, wanted = surface(BOWL, "bowl-4", 13), reference(frame_file(BOWL, "bowl-4", 13))
        self.assertGreater(len(wanted.rest_volume), 10)
        for fragment, volume in wanted.rest_volume.items():
            part = mine.only(np.flatnonzero(mine.faces["fragment"] == fragment))
            edges = np.concatenate([part.triangles[:, [k, (k + 1) % 3]] for k in range(3)])
            there = {tuple(e) for e in edges.tolist()}
            self.assertTrue(all((b, a) in there for a, b in there), fragment)
            part.position = part.rest
            self.assertAlmostEqual(part.volume_of(slice(None)) / volume, 1, 6)

    def test_a_tet_of_either_orientation_faces_outwards(self):
        points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        per_face = np.arange(24, dtype=np.float32).reshape(1, 24)
        of_node = []  # texture coordinates by face and node, whichever way round
        for corners in ([0, 1, 2, 3], [0, 2, 1, 3]):
            one = np.zeros(1, np.uint32)
            grid = Grid(
                points=points,
                cells={TETRA: np.array([corners]), TRIANGLE: np.zeros((0, 3), int), VERTEX: np.zeros((0, 1), int)},
                cell_rows={TETRA: np.array([0]), TRIANGLE: np.zeros(0, int), VERTEX: np.zeros(0, int)},
                point_data={"rest": points, "velocity": 0 * points},
                cell_data={"body": one, "fragment": one, "material": one, "stress": one, "uv": per_face,
                           "crack_faces": np.array([1], np.uint8)},
                field_data={},
            )  # fmt: skip
            made = surface_of(grid, "one tet")
            self.assertAlmostEqual(made.volume_of(slice(None)), 1 / 6)
            self.assertEqual(made.material_index.tolist(), [INSIDE, OUTSIDE, OUTSIDE, OUTSIDE])
            local = np.argsort(corners)[made.triangles]  # corners of the tet
            of_node.append({(f, int(n)): tuple(made.uv[f, k]) for f in range(4) for k, n in enumerate(local[f])})
        self.assertEqual(*of_node)

    def test_normals_are_units_and_point_outwards(self):
        for number in (1, 13):
            mine = surface(BOWL, "bowl-4", number)
            a, b, c = (mine.position[mine.triangles[:, k]] for k in range(3))
            across = np.cross(b - a, c - a)
            np.testing.assert_allclose(np.linalg.norm(mine.normals, axis=2), 1, atol=1e-6)
            cosine = np.einsum("fki,fi->fk", mine.normals, across) / np.linalg.norm(across, axis=1)[:, None]
            inside = mine.material_index == INSIDE
            np.testing.assert_allclose(cosine[inside], 1, atol=1e-6)
            self.assertGreater(cosine[~inside].min(), 0.5)
            self.assertLess(cosine[~inside].min(), 0.999)  # the outside is smooth, not flat

    def test_texture_coordinates_stay_with_their_points(self):
        # A corner of the outside has coordinates that its material point has at frame 1, too; at seams and at the rim,
        # where parts with charts of their own meet, a point has several.
        def corners(mine):
            outside = mine.material_index == OUTSIDE
            places, uv = mine.rest[mine.triangles[outside]].reshape(-1, 3), mine.uv[outside].reshape(-1, 2)
            return list(zip(map(tuple, places.tolist()), map(tuple, uv.round(5).tolist())))

        first, last = surface(BOWL, "bowl-4", 1), surface(BOWL, "bowl-4", 13)
        known = {}
        for place, uv in corners(first):
            known.setdefault(place, set()).add(uv)
        self.assertGreater(len(set.union(*known.values())), 50)
        found = [uv in known[place] for place, uv in corners(last) if place in known]
        self.assertGreater(len(found), 500)
        self.assertTrue(all(found))
        self.assertEqual(np.abs(last.uv[last.material_index == INSIDE]).max(), 0)

    def test_triangles_of_surfaces_and_walls_of_their_cracks(self):
        rows = stats(MUD)
        for number in rows:
            file = frame_file(MUD, "mud-curl", number)
            mine, theirs = surface_of(read_vtu(file), file), meshio.read(file)
            triangles = theirs.cells_dict["triangle"]
            crack = theirs.cell_data["crack_faces"][0].ravel()
            cut = sum(int(flags).bit_count() for flags in crack.tolist())
            self.assertEqual((mine.material_index == OUTSIDE).sum(), len(triangles))
            self.assertEqual((mine.material_index == INSIDE).sum(), 2 * cut)
            self.assertEqual(len(triangles), int(rows[number]["elements"]))
            self.assertEqual(len(np.unique(mine.faces["fragment"])), int(rows[number]["fragments"]))
            outer = mine.triangles[mine.material_index == OUTSIDE]
            np.testing.assert_array_equal(mine.position[outer], theirs.points[triangles])
        self.assertGreater(cut, 100)


if __name__ == "__main__":
    unittest.main()
