"""Breaks a bowl, exports it in every format, and compares what readers that nobody here wrote find in the files with
each other, with the frames as meshio reads them, and with what `sunder info --json` says.

    check_exports.py SUNDER      exit code 0 if everything agrees; needs `npm ci` in this folder first

Readers: meshio (VTU, PLY), the Khronos glTF validator, three.js (glTF with its animation, OBJ), tinyusdz. Point caches
(.pc2, .mdd) are unpacked by hand here; Blender plays them in blender/tests/in_blender/point_cache_test.py.
"""

import json
import pathlib
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


class Truth:
    """A frame of the run as meshio reads it: tetrahedra, of which some corners are on the surface."""

    def __init__(self, file):
        mesh = meshio.read(file)
        tets = mesh.cells_dict["tetra"]
        self.fragments = sorted(set(int(f) for f in mesh.cell_data_dict["fragment"]["tetra"]))
        cracks = mesh.cell_data_dict["crack_faces"]["tetra"]
        faces = {}
        for i, corners in enumerate([(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)]):
            for t, face in enumerate(numpy.sort(tets[:, corners], axis=1)):
                faces.setdefault(tuple(face), []).append(bool(cracks[t] >> i & 1))
        boundary = {face: sides[0] for face, sides in faces.items() if len(sides) == 1}
        self.inside = sum(boundary.values())
        self.outside = len(boundary) - self.inside
        nodes = sorted({n for face in boundary for n in face})
        self.points = mesh.points[nodes]
        self.box = box(self.points)
        self.grains = len(mesh.cells_dict["vertex"]) if "vertex" in mesh.cells_dict else 0


def main():
    sunder = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="sunder-readers-") as name:
        top = pathlib.Path(name)
        scene = (HERE.parents[1] / "scenes" / "bowl-4.toml").read_text()
        dust = '\n[[dust]]\nbody = "bowl"\nthickness = 0.0001\nsmallest = 0.0004\nlargest = 0.003\nspeed = 1\n'
        (top / "bowl.toml").write_text('name = "bowl"\n' + scene + dust)
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
            check(f"{kind}: duration", found["duration"], (FRAMES - 1) / 240, within=1e-6)
            # Single precision; morph targets leave 1e-4 of the bowl's size out; rigid motion is not the whole motion.
            check(f"{kind}: first box", found["first"], first.box, within=1e-4)
            check(f"{kind}: last box", found["last"], last.box, within=1e-4 if kind == "deforming.glb" else 0.01)

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
        ply = meshio.read(export("cracks.ply", "--cracks", "--frame", FRAMES))
        check("cracks.ply: faces", len(ply.cells_dict["triangle"]), last.inside)
        grains = meshio.read(export("grains.ply", "--grains", "--frame", FRAMES))
        check("grains.ply: grains", [len(grains.points), info["totals"]["grains"]], [last.grains, last.grains])
        check("grains.ply: mass", float(grains.point_data["mass"].sum()), info["totals"]["dust_mass"], within=1e-6)

        [obj] = node("read_obj.mjs", export("last.obj", "--frame", FRAMES, "--up", "z", "--scale", SCALE))
        check("last.obj: fragments", obj["objects"], [f"fragment_{f:04d}" for f in last.fragments])
        check("last.obj: materials", obj["materials"], {"outside": last.outside, "inside": last.inside})
        check("last.obj: texture", obj["textured"], True)
        check("last.obj: box", obj["box"], box(turned(last.points, SCALE)), within=1e-5)
        check("last.mtl: materials", (top / "last.mtl").read_text().count("newmtl"), 2)

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
