"""What gallery/make-lattice and gallery/make-surface share: runs, sheets of pictures, a section of docs/gallery.md."""
import argparse
import csv
import json
import os
import subprocess
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUNDER = os.environ.get("SUNDER", os.path.join(ROOT, "build", "sunder"))
WORK = os.path.join(ROOT, "build", "gallery")
IMAGES = os.path.join(ROOT, "docs", "images")
SEEDS = (1, 2, 3)


@dataclass
class Run:
    folder: str
    info: dict   # by sunder info
    first: dict  # line of stats.csv
    last: dict

    @property
    def totals(self):
        return self.info["totals"]


def read_options(about, only=False):
    parser = argparse.ArgumentParser(description=about.split("\n")[0])
    parser.add_argument("--keep", action="store_true", help="take over runs that are there")
    parser.add_argument("--samples", type=int, default=32)
    if only:
        parser.add_argument("--only", nargs="+", metavar="SCENE", help="the other scenes stay as the section has them")
    return parser.parse_args()


def section_before(method):
    """What gallery/<method>.md has by scene: the lines under its heading, and the rows of the table."""
    parts, rows, part = {}, {}, None
    with open(os.path.join(ROOT, "gallery", method + ".md")) as f:
        for line in f.read().splitlines():
            if line.startswith("### `"):
                part = parts.setdefault(line.split("`")[1], [])
            elif line.startswith("|"):
                part = None
                if line.startswith("| `"):
                    rows.setdefault(line.split("`")[1], []).append(line)
            if part is not None:
                part.append(line)
    return parts, rows


def run(method, scene, label, sets, keep):
    """One run in build/gallery; label tells it from others of the scene."""
    folder = os.path.join(WORK, f"{method}-{scene}-{label}")
    if not (keep and os.path.exists(os.path.join(folder, "run.json"))):
        print(f"{scene}, {label} ...", flush=True)
        os.makedirs(WORK, exist_ok=True)
        command = [SUNDER, "run", scene, "-o", folder, "--progress", "none"]
        for s in sets:
            command += ["--set", s]
        subprocess.run(command, check=True)
    info = json.loads(subprocess.run([SUNDER, "info", folder, "--json"], capture_output=True, check=True).stdout)
    with open(os.path.join(folder, "stats.csv")) as f:
        stats = list(csv.DictReader(f))
    return Run(folder, info, stats[0], stats[-1])


def draw(runs, frames, picture, size, camera, samples):
    """A sheet in docs/images; without a camera the scene's first."""
    command = [SUNDER, "render", *(r.folder for r in runs), "-o", os.path.join(IMAGES, picture), "--sheet", "--frames",
               ",".join(map(str, frames)), "--samples", str(samples), "--size", size, "--progress", "none"]
    if camera:
        command += ["--camera", camera]
    subprocess.run(command, check=True)


def draw_still(run, frame, picture, size, samples):
    subprocess.run([SUNDER, "render", run.folder, "-o", os.path.join(IMAGES, picture), "--frames", str(frame), "--samples", str(samples),
                    "--size", size, "--progress", "none"], check=True)


def write_section(method, lines):
    with open(os.path.join(ROOT, "gallery", method + ".md"), "w") as f:
        f.write("\n".join(lines) + "\n")
