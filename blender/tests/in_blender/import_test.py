"""What is imported, against meshio and the run's own numbers, frame by frame."""

import json
import unittest

import bpy
import numpy as np
from reference import drop_speed, frame_file, reference, stats
from scaffold import attribute, column, fresh_file, import_run, positions, run_folder, triangles, volume, y_up

DENSITY = 1013  # kg/m^3, of bowl-4


class BodiesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        fresh_file()
        cls.folder = run_folder("bowl")
        cls.collection = import_run(cls.folder)
        cls.scene = bpy.context.scene
        cls.mesh = cls.collection.sunder_run.bodies.data

    def test_every_frame_has_its_faces_vertices_box_and_fragments(self):
        counts = set()
        for number, row in stats(self.folder).items():
            self.scene.frame_set(number)
            wanted = reference(frame_file(self.folder, "bowl-4", number))
            self.assertEqual(len(self.mesh.vertices), sum(map(len, wanted.corners.values())))
            index = column(self.mesh.polygons, "material_index", dtype=np.int32)
            self.assertEqual([(index == i).sum() for i in (0, 1)], [wanted.outside, wanted.inside])
            self.assertEqual(len(self.mesh.polygons), wanted.outside + wanted.inside)
            self.assertEqual(set(attribute(self.mesh, "fragment").tolist()), set(wanted.rest_volume))
            self.assertEqual(len(wanted.rest_volume), int(row["fragments"]))
            box = y_up(positions(self.mesh))
            np.testing.assert_allclose(box.min(axis=0), wanted.low, atol=1e-6)
            np.testing.assert_allclose(box.max(axis=0), wanted.high, atol=1e-6)
            counts.add(len(self.mesh.vertices))
        self.assertGreater(len(counts), 2)  # topology does change

    def test_fragments_are_closed_with_the_volume_of_their_tets_and_the_mass_of_the_run(self):
        for number in (1, 6, 13):
            self.scene.frame_set(number)
            wanted = reference(frame_file(self.folder, "bowl-4", number)).rest_volume
            rest, faces = attribute(self.mesh, "rest"), triangles(self.mesh)
            fragment = attribute(self.mesh, "fragment")
            total = 0
            for name, volume_of_tets in wanted.items():
                mine = faces[fragment == name]
                directed = np.concatenate([mine[:, [k, (k + 1) % 3]] for k in range(3)])
                edges = {tuple(e) for e in directed.tolist()}
                self.assertTrue(all((b, a) in edges for a, b in edges))
                found = volume(rest, mine)
                self.assertAlmostEqual(found / volume_of_tets, 1, 3)
                total += found
            self.assertAlmostEqual(total * DENSITY / float(stats(self.folder)[number]["mass"]), 1, 5)

    def test_crack_faces_have_twice_the_crack_area(self):
        self.scene.frame_set(13)
        rest, faces = attribute(self.mesh, "rest"), triangles(self.mesh)
        index = column(self.mesh.polygons, "material_index", dtype=np.int32)
        a, b, c = (rest[faces[index == 1, k]] for k in range(3))
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
        self.assertAlmostEqual(area / 2 / float(stats(self.folder)[13]["crack_area"]), 1, 4)

    def test_velocities_carry_the_momentum_of_free_fall(self):
        self.scene.frame_set(1)
        velocity = attribute(self.mesh, "velocity")
        slow = 30 / 120  # of the run's 120 frames a second 30 are played
        np.testing.assert_allclose(velocity, [[0, 0, -drop_speed(self.folder) * slow]] * len(velocity), atol=1e-6)

    def test_attributes_materials_texture_and_normals(self):
        self.scene.frame_set(13)
        self.assertEqual([m.name for m in self.mesh.materials], ["outside", "inside"])
        domains = {a.name: (a.domain, a.data_type) for a in self.mesh.attributes}
        for name in ("body", "fragment", "material", "part"):
            self.assertEqual(domains[name], ("FACE", "INT"))
        self.assertEqual(domains["stress"], ("FACE", "FLOAT"))
        self.assertEqual(domains["velocity"], ("POINT", "FLOAT_VECTOR"))
        self.assertGreater(np.ptp(attribute(self.mesh, "stress")), 100)
        uv = column(self.mesh.uv_layers["UVMap"].data, "uv", 2)
        self.assertGreater(np.ptp(uv, axis=0).min(), 0.5)
        self.assertTrue(self.mesh.has_custom_normals)
        if hasattr(self.mesh, "calc_normals_split"):  # until 4.0
            self.mesh.calc_normals_split()
        normals = column(self.mesh.loops, "normal", 3).reshape(-1, 3, 3)
        points, faces = positions(self.mesh), triangles(self.mesh)
        flat = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
        cosine = np.einsum("fki,fi->fk", normals, flat / np.linalg.norm(flat, axis=1)[:, None])
        inside = column(self.mesh.polygons, "material_index", dtype=np.int32) == 1
        self.assertGreater(cosine[inside].min(), 0.999)
        self.assertLess(cosine[~inside].min(), 0.99)
        self.assertGreater(cosine[~inside].min(), 0.5)

    def test_time_of_the_scene(self):
        self.assertEqual((self.scene.frame_start, self.scene.frame_end), (1, 13))
        self.assertEqual((self.scene.render.fps, self.scene.render.fps_base), (30, 1))

    def test_mesh_is_valid(self):
        self.scene.frame_set(13)
        copy = self.mesh.copy()
        self.assertFalse(copy.validate())  # nothing had to be mended
        bpy.data.meshes.remove(copy)


class OptionsTest(unittest.TestCase):
    def setUp(self):
        fresh_file()

    def test_scale_axis_and_rate(self):
        collection = import_run(run_folder("bowl"), scale=100, z_up=False, frame_rate="RUN", frame_offset=10)
        scene, mesh = bpy.context.scene, collection.sunder_run.bodies.data
        self.assertEqual((scene.frame_start, scene.frame_end, scene.render.fps), (11, 23, 120))
        scene.frame_set(23)
        wanted = reference(frame_file(run_folder("bowl"), "bowl-4", 13))
        np.testing.assert_allclose(positions(mesh).max(axis=0), 100 * wanted.high, rtol=1e-5)
        scene.frame_set(11)
        np.testing.assert_allclose(attribute(mesh, "velocity")[:, 1], -100 * drop_speed(run_folder("bowl")), rtol=1e-5)

    def test_a_rate_that_is_no_whole_number(self):
        collection = import_run(run_folder("mud"), frame_rate="RUN")
        render = bpy.context.scene.render
        self.assertAlmostEqual(render.fps / render.fps_base, 12.5, 4)
        self.assertEqual(collection.name, "mud-curl")

    def test_one_object_per_fragment(self):
        collection = import_run(run_folder("bowl"), fragments=True)
        pieces = [o for o in collection.children[0].objects]
        wanted = reference(frame_file(run_folder("bowl"), "bowl-4", 13))
        self.assertEqual(sorted(o["fragment"] for o in pieces), sorted(wanted.rest_volume))
        bpy.context.view_layer.update()
        corners = []
        for piece in pieces:
            points = positions(piece.data)
            self.assertEqual(len(points), len(wanted.corners[piece["fragment"]]))
            found = volume(points, triangles(piece.data))
            self.assertAlmostEqual(found / piece["volume"], 1, 3)
            self.assertAlmostEqual(found / wanted.rest_volume[piece["fragment"]], 1, 1)  # they are a little deformed
            self.assertLess(np.abs(points).max(), 0.3)  # the origin is in the piece
            corners.append(y_up(points + np.array(piece.matrix_world.translation)))
        corners = np.concatenate(corners)
        np.testing.assert_allclose(corners.min(axis=0), wanted.low, atol=1e-6)
        np.testing.assert_allclose(corners.max(axis=0), wanted.high, atol=1e-6)
        self.assertTrue(collection.sunder_run.bodies.hide_render)

    def test_surface_runs(self):
        collection = import_run(run_folder("mud"))
        mesh = collection.sunder_run.bodies.data
        for number, row in stats(run_folder("mud")).items():
            bpy.context.scene.frame_set(number)
            index = column(mesh.polygons, "material_index", dtype=np.int32)
            self.assertEqual((index == 0).sum(), int(row["elements"]))
            self.assertEqual(len(set(attribute(mesh, "fragment").tolist())), int(row["fragments"]))
        self.assertGreater((index == 1).sum(), 100)  # walls
        self.assertIn("UVMap", mesh.uv_layers)

    def test_two_runs_side_by_side(self):
        bowl, mud = import_run(run_folder("bowl")), import_run(run_folder("mud"))
        bpy.context.scene.frame_set(3)
        self.assertEqual((bowl.sunder_run.shown_frame, mud.sunder_run.shown_frame), (3, 3))
        self.assertNotEqual(len(bowl.sunder_run.bodies.data.vertices), len(mud.sunder_run.bodies.data.vertices))


class CollidersTest(unittest.TestCase):
    def test_are_where_the_run_says_and_have_their_size(self):
        fresh_file()
        collection = import_run(run_folder("struck"))
        scene = bpy.context.scene
        with open(run_folder("struck") + "/rigid.jsonl", encoding="utf-8") as file:
            poses = [json.loads(line) for line in file]
        self.assertEqual(len(poses), 28)

        def check(offset):
            for pose in poses:
                scene.frame_set(pose["frame"] + offset)
                x, y, z = pose["position"]
                found = collection.objects[pose["name"]]
                np.testing.assert_allclose(found.matrix_world.translation, (x, -z, y), atol=1e-6)
                w, i, j, k = pose["rotation"]
                turn = np.array(found.matrix_world.to_quaternion())
                self.assertGreater(abs(turn @ (w, i, -k, j)), 1 - 1e-6)

        check(0)
        collection.sunder_run.frame_offset = 20
        check(20)
        collection.sunder_run.frame_offset = 0
        scene.frame_set(1)
        size = {name: tuple(collection.objects[name].dimensions) for name in ("ball", "door", "pole")}
        np.testing.assert_allclose(size["ball"], (0.08, 0.08, 0.08), rtol=1e-3)
        np.testing.assert_allclose(size["door"], (0.1, 0.02, 0.06), rtol=1e-5)
        np.testing.assert_allclose(size["pole"], (0.04, 0.04, 0.3), rtol=1e-3)
        ground = collection.objects["ground"]
        heights = {round((ground.matrix_world @ v.co).z, 6) for v in ground.data.vertices}
        self.assertEqual(heights, {-0.01})
        for name in ("ball", "door", "pole", "ground"):
            mesh = collection.objects[name].data
            self.assertFalse(mesh.copy().validate())
            self.assertEqual([m.name for m in mesh.materials], ["collider"])
        for name in ("ball", "door", "pole"):  # closed, and outwards
            mesh = collection.objects[name].data
            mesh.calc_loop_triangles()
            corners = column(mesh.loop_triangles, "vertices", 3, np.int32)
            self.assertGreater(volume(positions(mesh), corners), 0)


class DustTest(unittest.TestCase):
    def test_grains_are_points_with_radii(self):
        import meshio

        fresh_file()
        collection = import_run(run_folder("dust"))
        dust = collection.sunder_run.dust
        seen = 0
        for number in (1, 2, 4):
            bpy.context.scene.frame_set(number)
            theirs = meshio.read(frame_file(run_folder("dust"), "dusty-bowl", number))
            radius = theirs.point_data.get("grain_radius", np.zeros(0))
            self.assertEqual(len(dust.data.vertices), (radius > 0).sum())
            if not len(dust.data.vertices):
                continue
            seen += 1
            np.testing.assert_allclose(attribute(dust.data, "grain_radius"), radius[radius > 0], rtol=1e-6)
            np.testing.assert_allclose(y_up(positions(dust.data)), theirs.points[radius > 0], atol=1e-6)
        self.assertGreater(seen, 0)
        shown = dust.evaluated_get(bpy.context.evaluated_depsgraph_get())
        self.assertEqual([m.type for m in shown.modifiers], ["NODES"])
