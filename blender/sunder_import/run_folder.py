"""What `sunder run` leaves behind (docs/run-folder.md), read as far as Blender needs it. Knows nothing of Blender."""

import json
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

from .errors import RunError
from .scene_toml import parse_scene


@dataclass
class Pose:
    position: tuple  # m
    rotation: tuple  # quaternion w, x, y, z


@dataclass
class Collider:
    name: str
    kind: str
    shape: dict  # its keys in the scene; empty if they are not known
    poses: dict  # by frame


class RunFolder:
    """The frames are listed when it is made; make it anew to see those that came since."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        if not os.path.isdir(self.path):
            raise RunError(path, "there is no such folder", "give the folder that `sunder run ... -o` made")
        self.record = self._record()
        self.name = self.record["name"]
        self.frames = self._frames()
        self.fps = self._fps()

    def _record(self):
        path = os.path.join(self.path, "run.json")
        try:
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
        except FileNotFoundError:
            raise RunError(self.path, "is not a run of sunder: there is no run.json in it") from None
        except (OSError, ValueError) as error:
            raise RunError(path, f"cannot be read ({error})") from None
        if not isinstance(record, dict) or record.get("program") != "sunder" or not isinstance(record.get("name"), str):
            raise RunError(path, "is not that of a run of sunder")
        return record

    def _frames(self):
        """{number: (time, file)} of the series, as far as its files are there."""
        path = os.path.join(self.path, self.name + ".pvd")
        try:
            entries = list(ElementTree.parse(path).getroot().iter("DataSet"))
            frames = {}
            for entry in entries:
                file = entry.get("file", "")
                number = int(file.rsplit(".", 2)[-2])
                frames[number] = (float(entry.get("timestep")), os.path.join(self.path, *file.split("/")))
        except FileNotFoundError:
            raise RunError(path, "is missing", "has the run written a frame yet?") from None
        except (OSError, ElementTree.ParseError, ValueError, IndexError, TypeError) as error:
            raise RunError(path, f"cannot be read ({error})") from None
        if not frames:
            raise RunError(path, "lists no frames", "has the run written a frame yet?")
        return frames

    def _fps(self):
        """Frame n is at (n - 1) / fps."""
        last = max(self.frames)
        time = self.frames[last][0]
        if last > 1 and time > 0:
            return round((last - 1) / time, 6)
        return float(self.scene().get("fps", 24))

    def scene(self):
        """Empty if there is no scene.toml."""
        path = os.path.join(self.path, "scene.toml")
        try:
            with open(path, encoding="utf-8") as file:
                return parse_scene(file.read(), path)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise RunError(path, f"cannot be read ({error})") from None

    @property
    def first_frame(self):
        return min(self.frames)

    @property
    def last_frame(self):
        return max(self.frames)

    def nearest_frame(self, number):
        """The frame itself, or the first or last; of a series with gaps the one before."""
        if number <= self.first_frame:
            return self.first_frame
        return max(n for n in self.frames if n <= number)

    def frame_file(self, number):
        return self.frames[number][1]

    def colliders(self):
        """With their poses by frame; none if the run has no rigid.jsonl."""
        path = os.path.join(self.path, "rigid.jsonl")
        shapes = {c.get("name"): c.get("shape", {}) for c in self.scene().get("collider", [])}
        found = {}
        try:
            with open(path, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise RunError(path, f"cannot be read ({error})") from None
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                pose = Pose(tuple(map(float, entry["position"])), tuple(map(float, entry["rotation"])))
                if len(pose.position) != 3 or len(pose.rotation) != 4:
                    raise ValueError("a pose has three numbers and four")
                name = entry["name"]
                collider = found.setdefault(name, Collider(name, entry["kind"], shapes.get(name, {}), {}))
                collider.poses[int(entry["frame"])] = pose
            except (ValueError, KeyError, TypeError) as error:
                raise RunError(f"{path}:{number}", f"is damaged ({error})") from None
        return list(found.values())


def folder_of(path):
    """The run folder that a chosen path means: the folder itself, its run.json or .pvd, a frame in it."""
    path = os.path.abspath(path)
    if not os.path.isdir(path):
        path = os.path.dirname(path)
    if os.path.basename(path) == "frames" and not os.path.exists(os.path.join(path, "run.json")):
        path = os.path.dirname(path)
    return path
