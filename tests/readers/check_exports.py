"""Breaks a bowl, exports it in every format, and compares what readers that nobody here wrote find in the files with
each other, with the frames as meshio reads them, and with what `sunder info --json` says.

    check_exports.py SUNDER      exit code 0 if everything agrees; needs `npm ci` in this folder first

Readers: meshio (VTU, PLY, STL, OFF), the Khronos glTF validator, three.js (glTF with its animation, OBJ and MTL),
tinyusdz. Point caches (.pc2, .mdd) are unpacked by hand here; Blender plays them in
blender/tests/in_blender/point_cache_test.py.
"""

import base64
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings

import meshio
import numpy

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).resolve().parent
FRAMES = 14
SCALE = 100
problems = []
checks = 0


def check(what, found, wanted, within=0.0):
    global checks
    checks += 1
    close = found == wanted if within == 0 else numpy.allclose(found, wanted, rtol=0, atol=within)
    if not close:
        problems.append(f"{what}: found {found}, expected {wanted}")


def output_of(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def node(script, *files):
    return list(json.loads(output_of("node", HERE / script, *files)).values())


def box(points):
    return numpy.array([points.min(axis=0), points.max(axis=0)])


def turned(points, scale=1.0):
    """As --up z and --scale give them."""
    return scale * numpy.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)


def furthest(found, wanted):
    """The largest distance from a row of one table to the nearest row of the other."""
    a, b = (numpy.asarray(rows, dtype=float) for rows in (found, wanted))
    if len(a) == 0 or len(b) == 0:
        return numpy.inf
    nearest = [numpy.full(len(a), numpy.inf), numpy.full(len(b), numpy.inf)]
    for begin in range(0, len(a), 256):
        square = sum((a[begin : begin + 256, None, i] - b[None, :, i]) ** 2 for i in range(a.shape[1]))
        nearest[0][begin : begin + 256] = square.min(axis=1)
        nearest[1] = numpy.minimum(nearest[1], square.min(axis=0))
    return numpy.sqrt(max(n.max() for n in nearest))


def numbers(text):
    return numpy.array(re.sub(r"[()\[\],]", " ", text).split(), dtype=float)


class UsdMesh:
    """The attributes of a mesh in a layer as tinyusdz prints it: what stands at a sample, or always."""

    def __init__(self, text):
        text, *subsets = re.split(r"def GeomSubset ", text)
        self.subsets = {re.match(r'"(\w+)"', part)[1]: UsdMesh(part) for part in subsets}
        self.samples = {}
        for name, body in re.findall(r" (\S+)\.timeSamples = \{(.*?)\n\s*\}", text, re.S):
            self.samples[name] = {int(n): numbers(v) for n, v in re.findall(r"(\d+): (\[.*\]|\(.*\))", body)}
        for name, value in re.findall(r'^\s*\S+ (\S+) = (\[[^"\n]*\])', text, re.M):
            self.samples.setdefault(name, {0: numbers(value)})

    def at(self, name, frame, width=1):
        values = self.samples[name]
        return values[frame if frame in values else 0].reshape(-1, width)

    def subset(self, name, frame):
        return self.subsets[name].at("indices", frame).astype(int).ravel()

    def corners(self, frame, faces):
        """Positions and texture coordinates at the corners of some faces."""
        rows = (3 * faces[:, None] + numpy.arange(3)).ravel()
        points = self.at("faceVertexIndices", frame).astype(int).ravel()[rows]
        return numpy.hstack([self.at("points", frame, 3)[points], self.at("primvars:st", frame, 2)[rows]])


def usd_meshes(text):
    return [UsdMesh(part) for part in re.split(r"\n    def Mesh ", text)[1:]]


class Truth:
    """A frame of the run as meshio reads it: tetrahedra, of which some corners are on the surface."""

    def __init__(self, file):
        mesh = meshio.read(file)
        tets = mesh.cells_dict["tetra"]
        self.fragments = sorted(set(int(f) for f in mesh.cell_data_dict["fragment"]["tetra"]))
        cracks = mesh.cell_data_dict["crack_faces"]["tetra"]
        uvs = mesh.cell_data_dict["uv"]["tetra"].reshape(len(tets), 4, 3, 2)
        faces, places = {}, {}
        for i, corners in enumerate([(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)]):
            for t, face in enumerate(numpy.sort(tets[:, corners], axis=1)):
                faces.setdefault(tuple(face), []).append(bool(cracks[t] >> i & 1))
                places[tuple(face)] = (tets[t, corners], uvs[t, i])
        boundary = {face: sides[0] for face, sides in faces.items() if len(sides) == 1}
        self.corners = numpy.concatenate(  # of outside faces: position, texture coordinates
            [numpy.hstack([mesh.points[places[f][0]], places[f][1]]) for f, inside in boundary.items() if not inside])
        self.inside = sum(boundary.values())
        self.outside = len(boundary) - self.inside
        nodes = sorted({n for face in boundary for n in face})
        self.points = mesh.points[nodes]
        self.motion = numpy.hstack([self.points, mesh.point_data["velocity"][nodes]])
        self.box = box(self.points)
        a, b, c, d = (mesh.points[tets[:, i]] for i in range(4))
        self.volume = float(((b - a) * numpy.cross(c - a, d - a)).sum() / 6)
        self.grains = len(mesh.cells_dict["vertex"]) if "vertex" in mesh.cells_dict else 0


def main():
    sunder = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="sunder-readers-") as name:
        top = pathlib.Path(name)
        scene = (HERE.parents[1] / "scenes" / "bowl-4.toml").read_text()
        dust = '\n[[dust]]\nbody = "bowl"\nthickness = 0.0001\nsmallest = 0.0004\nlargest = 0.003\nspeed = 1\n'
        paint = '\n[[paint]]\non = "bowl"\noutside = { kind = "ceramic", texture = "tiles.png", texture_uv = true }\n'
        shutil.copy(HERE.parents[1] / "docs" / "images" / "porcelain.png", top / "tiles.png")
        tiles = (top / "tiles.png").read_bytes()
        size = list(struct.unpack(">ii", tiles[16:24]))
        (top / "bowl.toml").write_text('name = "bowl"\n' + scene + dust + paint)
        run = top / "run"
        output_of(sunder, "run", top / "bowl.toml", "-o", run, "--frames", FRAMES, "--progress", "none")

        def export(file, *options):
            output_of(sunder, "export", run, "-o", top / file, *options)
            return top / file

        info = json.loads(output_of(sunder, "info", run, "--json"))
        first = Truth(run / "frames" / "bowl.0001.vtu")
        last = Truth(run / "frames" / f"bowl.{FRAMES:04d}.vtu")
        fragments = int(info["last_frame"]["fragments"])
        check("fragments of the last frame", len(last.fragments), fragments)
        check("the bowl breaks", fragments > 5 and last.inside > 100, True)

        files = [export("rigid.glb"), export("deforming.glb", "--deforming"), export("hulls.glb", "--hulls")]
        for file, found in zip(files, node("read_gltf.mjs", *files)):
            kind = file.name
            check(f"{kind}: validator", [found["errors"], found["warnings"], found["messages"]], [0, 0, []])
            check(f"{kind}: fragments", found["fragments"], last.fragments)
            check(f"{kind}: mass", found["mass"], info["last_frame"]["mass"], within=2 * info["totals"]["dust_mass"] + 1e-6)
            check(f"{kind}: inertia", found["inertia"], True)
            check(f"{kind}: outside", found["materials"]["outside"], last.outside)
            check(f"{kind}: inside", found["materials"]["inside"], last.inside)
            check(f"{kind}: hulls", found["hulls"], fragments if kind == "hulls.glb" else 0)
            check(f"{kind}: hulls that are drawn", found["seen_hulls"], 0)
            check(f"{kind}: points out of hulls", found["out_of_hulls"], 0, within=1e-6)
            check(f"{kind}: picture's size", found["images"], [["image/png", *size]])
            pictures = {m: [p["mime"], base64.b64decode(p["bytes"]) == tiles] for m, p in found["pictured"].items()}
            check(f"{kind}: pictures", pictures, {"outside": ["image/png", True]})
            check(f"{kind}: duration", found["duration"], (FRAMES - 1) / 240, within=1e-6)
            # Single precision; morph targets leave 1e-4 of the bowl's size out; rigid motion is not the whole motion.
            check(f"{kind}: first box", found["first"], first.box, within=1e-4)
            check(f"{kind}: last box", found["last"], last.box, within=1e-4 if kind == "deforming.glb" else 0.01)
            if kind == "deforming.glb":  # v points down in glTF
                upright = numpy.array(found["corners"]) * [1, 1, 1, 1, -1] + [0, 0, 0, 0, 1]
                check(f"{kind}: texture coordinates", furthest(upright, last.corners), 0, within=2e-4)

        files = [export("fixed.usda"), export("changing.usda", "--changing"),
                 export("z.usda", "--up", "z", "--scale", SCALE, "--fps", "24")]
        for file, found in zip(files, node("read_usd.mjs", *files)):
            kind = file.name
            check(f"{kind}: read", found.get("error"), None)
            if "error" in found:
                continue
            text = found["text"]
            changing = kind == "changing.usda"
            truth = first if changing else last  # it shows the first sample
            check(f"{kind}: meshes", len(found["meshes"]), 1 if changing else fragments)
            check(f"{kind}: faces", sum(m["faces"] for m in found["meshes"]), truth.outside + truth.inside)
            points = numpy.concatenate([numpy.array(m["points"]).reshape(-1, 3) for m in found["meshes"]])
            wanted = box(turned(first.points, SCALE)) if kind == "z.usda" else first.box
            check(f"{kind}: box", box(points), wanted, within=0.01 if kind == "z.usda" else 1e-4)
            check(f"{kind}: up axis", f'upAxis = "{"Z" if kind == "z.usda" else "Y"}"' in text, True)
            check(f"{kind}: unit", f"metersPerUnit = {0.01 if kind == 'z.usda' else 1}\n" in text, True)
            check(f"{kind}: pace", f"timeCodesPerSecond = {24 if kind == 'z.usda' else 240}\n" in text, True)
            for attribute in ("points", "velocities", "extent"):
                check(f"{kind}: {attribute}", text.count(f" {attribute}.timeSamples"), len(found["meshes"]))
            check(f"{kind}: pictures", [m["picture"] for m in found["meshes"]],
                  [[f"./{file.stem}-outside.png", *size]] * len(found["meshes"]))
            scale, pace = (SCALE, 0.1) if kind == "z.usda" else (1, 1)
            place = (lambda x: turned(x, scale)) if kind == "z.usda" else (lambda x: x)
            meshes = usd_meshes(text)

            def of_all(name, frame):
                return numpy.concatenate([m.at(name, frame, 3) for m in meshes])

            for number, truth in ((1, first), (FRAMES, last)):
                check(f"{kind} {number}: box", box(of_all("points", number)), box(place(truth.points)), within=1e-6 * scale)
                outside = numpy.concatenate([m.corners(number, m.subset("outside", number)) for m in meshes])
                wanted = numpy.hstack([place(truth.corners[:, :3]), truth.corners[:, 3:]])
                if changing or number == FRAMES:
                    check(f"{kind} {number}: texture coordinates", furthest(outside, wanted), 0, within=1e-5 * scale)
                    motion = numpy.hstack([of_all("points", number), of_all("velocities", number) / pace])
                    wanted = numpy.hstack([place(truth.motion[:, :3]), place(truth.motion[:, 3:])])
                    check(f"{kind} {number}: velocities", furthest(motion, wanted), 0, within=1e-5 * scale)
            if not changing:  # it falls freely from the first frame to the second
                rate = 24 if kind == "z.usda" else 240
                moved = rate * (of_all("points", 2) - of_all("points", 1))
                mean = (of_all("velocities", 2) + of_all("velocities", 1)) / 2
                check(f"{kind}: velocities and steps", float(abs(moved - mean).max()), 0, within=5e-4 * scale)
                check(f"{kind}: it moves", float(abs(mean).max()) > 0.1 * scale * pace, True)
            for side in ("outside", "inside"):
                check(f"{kind}: material {side}", f"/run/materials/{side}" in found["prims"], True)
                check(f"{kind}: subsets {side}", text.count(f'def GeomSubset "{side}"'), len(found["meshes"]))

        export("series.ply")
        check("series of .ply", len(list(top.glob("series.*.ply"))), FRAMES)
        for number, truth in ((1, first), (FRAMES, last)):
            ply = meshio.read(top / f"series.{number:04d}.ply")
            triangles = ply.cells_dict["triangle"]
            inside = ply.point_data["inside"][triangles[:, 0]]
            check(f"ply {number}: inside", int(inside.sum()), truth.inside)
            check(f"ply {number}: faces", len(triangles), truth.outside + truth.inside)
            check(f"ply {number}: fragments", sorted(set(int(f) for f in ply.point_data["fragment"])), truth.fragments)
            check(f"ply {number}: box", box(ply.points), truth.box, within=1e-6)
            corners = triangles[inside == 0].ravel()
            st = numpy.stack([ply.point_data["s"], ply.point_data["t"]], axis=1)
            check(f"ply {number}: texture coordinates", furthest(numpy.hstack([ply.points, st])[corners], truth.corners), 0,
                  within=1e-6)
            velocity = numpy.stack([ply.point_data["v" + axis] for axis in "xyz"], axis=1)
            check(f"ply {number}: velocities", furthest(numpy.hstack([ply.points, velocity]), truth.motion), 0, within=1e-5)
        ply = meshio.read(export("cracks.ply", "--cracks", "--frame", FRAMES))
        check("cracks.ply: faces", len(ply.cells_dict["triangle"]), last.inside)
        grains = meshio.read(export("grains.ply", "--grains", "--frame", FRAMES))
        check("grains.ply: grains", [len(grains.points), info["totals"]["grains"]], [last.grains, last.grains])
        check("grains.ply: mass", float(grains.point_data["mass"].sum()), info["totals"]["dust_mass"], within=1e-6)

        [obj] = node("read_obj.mjs", export("last.obj", "--frame", FRAMES, "--up", "z", "--scale", SCALE))
        check("last.obj: fragments", obj["objects"], [f"fragment_{f:04d}" for f in last.fragments])
        check("last.obj: materials", obj["materials"], {"outside": last.outside, "inside": last.inside})
        wanted = numpy.hstack([turned(last.corners[:, :3], SCALE), last.corners[:, 3:]])
        check("last.obj: texture coordinates", furthest(obj["corners"], wanted), 0, within=1e-5)
        check("last.obj: box", obj["box"], box(turned(last.points, SCALE)), within=1e-5)
        check("last.mtl: materials", list(obj["library"]), ["outside", "inside"])
        pictures = {name: material.get("map_kd") for name, material in obj["library"].items()}
        check("last.mtl: pictures", pictures, {"outside": "last-outside.png", "inside": None})
        check("last-outside.png", (top / "last-outside.png").read_bytes() == tiles, True)

        for ending in (".stl", ".off"):
            bare = meshio.read(export("bare" + ending, "--frame", FRAMES))
            triangles = bare.cells_dict["triangle"]
            check(f"{ending}: faces", len(triangles), last.outside + last.inside)
            check(f"{ending}: box", box(bare.points), last.box, within=1e-6)
            a, b, c = (bare.points[triangles[:, i]].astype(float) for i in range(3))
            volume = float((a * numpy.cross(b, c)).sum() / 6)  # positive if faces are counter-clockwise from outside
            check(f"{ending}: volume", volume, last.volume, within=1e-6 * last.volume + 1e-9)

        for ending, head, kind in ((".pc2", 32, "<f4"), (".mdd", 8 + 4 * FRAMES, ">f4")):
            content = export("cache" + ending).read_bytes()
            if ending == ".pc2":
                _, _, count, _, _, samples = struct.unpack("<12siiffi", content[:32])
            else:
                samples, count = struct.unpack(">ii", content[:8])
            lines = (top / "cache.obj").read_text().splitlines()
            points = numpy.array([line.split()[1:] for line in lines if line.startswith("v ")], dtype=float)
            check(f"{ending}: points", [count, samples], [len(points), FRAMES])
            values = numpy.frombuffer(content[head:], kind).reshape(samples, count, 3)
            check(f"{ending}: first frame", bool(numpy.allclose(values[0], points, atol=1e-6)), True)
            check(f"{ending}: first box", box(values[0]), first.box, within=1e-6)
            check(f"{ending}: last box", box(values[-1]), last.box, within=1e-6)

    for problem in problems:
        print(problem)
    print(f"readers: {checks - len(problems)} of {checks} checks hold")
    return 1 if problems else 0


sys.exit(main())
