"""Reads the VTU files of a run: appended raw data, compressed with zlib (docs/run-folder.md). Needs numpy only.

Not a reader for all of VTK's forms: other encodings are refused with a message. Damage is found by zlib's own checksum
of every block and by the sizes, which must fit exactly; the checksum in the last line is left to `sunder check`.
"""

import os
import xml.etree.ElementTree as ElementTree
import zlib
from dataclasses import dataclass

import numpy as np

from .errors import RunError

TYPES = {
    "Float64": "<f8", "Float32": "<f4", "Int64": "<i8", "UInt64": "<u8",
    "Int32": "<i4", "UInt32": "<u4", "UInt8": "|u1",
}  # fmt: skip
VERTEX, TRIANGLE, TETRA = 1, 5, 10
CORNERS = {VERTEX: 1, TRIANGLE: 3, TETRA: 4}
DATA_TAG = b'<AppendedData encoding="raw">'
REMEDY = "run the scene again, or resume it from a checkpoint before this frame"


@dataclass
class Grid:
    points: np.ndarray  # (points, 3)
    cells: dict  # cell type -> (cells of this type, corners), indices of points
    cell_rows: dict  # cell type -> indices of its cells into the cell arrays
    point_data: dict  # name -> one row a point
    cell_data: dict  # name -> one row a cell
    field_data: dict


def read_vtu(path):
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise RunError(path, f"cannot be read ({error.strerror})") from None
    return _Reader(os.fspath(path), content).grid()


class _Reader:
    def __init__(self, path, content):
        self.path = path
        cut = content.find(DATA_TAG)
        begin = content.find(b"_", cut + len(DATA_TAG)) if cut >= 0 else -1
        if not content.startswith(b"<?xml"):
            raise RunError(path, "is not a frame of sunder, or its beginning is damaged")
        if begin < 0 or not content.rstrip().endswith((b"</VTKFile>", b"-->")):
            raise RunError(path, "is cut short or damaged", REMEDY)
        self.data = memoryview(content)[begin + 1 :]
        try:
            self.root = ElementTree.fromstring(content[:cut] + b"</VTKFile>")
        except ElementTree.ParseError as error:
            raise RunError(path, f"its tags are damaged ({error})", REMEDY) from None
        attributes = {
            "type": "UnstructuredGrid",
            "byte_order": "LittleEndian",
            "header_type": "UInt64",
            "compressor": "vtkZLibDataCompressor",
        }
        for name, value in attributes.items():
            if self.root.get(name) != value:
                what = f"has {name} {self.root.get(name)!r}, not {value!r}"
                raise RunError(path, what, "only frames of sunder are read")

    def grid(self):
        pieces = list(self.root.iter("Piece"))
        if len(pieces) != 1:
            raise RunError(self.path, f"has {len(pieces)} pieces, not one")
        piece = pieces[0]
        point_count = self.whole_number(piece, "NumberOfPoints")
        cell_count = self.whole_number(piece, "NumberOfCells")
        points = self.named(piece.find("Points"), point_count)
        if "Points" not in points or points["Points"].shape != (point_count, 3):
            raise RunError(self.path, "has no points", REMEDY)
        cells, rows = self.cells(piece.find("Cells"), cell_count, point_count)
        return Grid(
            points=points["Points"],
            cells=cells,
            cell_rows=rows,
            point_data=self.named(piece.find("PointData"), point_count),
            cell_data=self.named(piece.find("CellData"), cell_count),
            field_data=self.named(self.root.find("UnstructuredGrid/FieldData"), None),
        )

    def cells(self, element, cell_count, point_count):
        tags = {tag.get("Name"): tag for tag in element.iter("DataArray")} if element is not None else {}
        if not {"connectivity", "offsets", "types"} <= tags.keys():
            raise RunError(self.path, "has no cells", REMEDY)
        types = self.array(tags["types"], cell_count)
        offsets = self.array(tags["offsets"], cell_count)
        connectivity = self.array(tags["connectivity"], int(offsets[-1]) if cell_count else 0)
        unknown = set(np.unique(types).tolist()) - CORNERS.keys()
        if unknown:
            raise RunError(self.path, f"has cells of VTK type {min(unknown)}, which sunder does not write")
        sizes = np.zeros(256, np.int64)
        for kind, corners in CORNERS.items():
            sizes[kind] = corners
        if not np.array_equal(np.cumsum(sizes[types]), offsets):
            raise RunError(self.path, "has cells with the wrong number of points", REMEDY)
        if connectivity.size and not (0 <= connectivity.min() and connectivity.max() < point_count):
            raise RunError(self.path, "has cells that name points which are not there", REMEDY)
        begins = offsets - sizes[types]
        cells, rows = {}, {}
        for kind, corners in CORNERS.items():
            rows[kind] = np.flatnonzero(types == kind)
            cells[kind] = connectivity[begins[rows[kind]][:, None] + np.arange(corners)]
        return cells, rows

    def named(self, element, count):
        tags = element.iter("DataArray") if element is not None else ()
        return {tag.get("Name"): self.array(tag, count) for tag in tags}

    # `count` rows; of field data as many as its tag says.
    def array(self, tag, count):
        name = tag.get("Name")
        if tag.get("format") != "appended" or tag.get("type") not in TYPES:
            raise RunError(self.path, f"array `{name}` has a form that sunder does not write")
        dtype = np.dtype(TYPES[tag.get("type")])
        components = self.whole_number(tag, "NumberOfComponents", 1)
        if count is None:
            count = self.whole_number(tag, "NumberOfTuples", 1)
        content = self.inflated(name, self.whole_number(tag, "offset"))
        if len(content) != count * components * dtype.itemsize:
            raise RunError(self.path, f"array `{name}` has the wrong size", REMEDY)
        values = np.frombuffer(content, dtype)
        return values if components == 1 else values.reshape(count, components)

    # [blocks][block size][size of the last block if it is shorter, else 0][compressed sizes...], then the blocks.
    def inflated(self, name, offset):
        try:
            blocks = int(np.frombuffer(self.data, "<u8", 1, offset)[0])
            sizes = np.frombuffer(self.data, "<u8", blocks, offset + 24)
            at = offset + 24 + 8 * blocks
            parts = []
            for size in sizes.tolist():
                parts.append(zlib.decompress(self.data[at : at + size]))
                at += size
        except (ValueError, OverflowError, MemoryError, zlib.error):
            raise RunError(self.path, f"array `{name}` is damaged", REMEDY) from None
        return b"".join(parts)

    def whole_number(self, tag, name, default=None):
        text = tag.get(name)
        if text is None and default is not None:
            return default
        if text is None or not text.isdecimal():
            raise RunError(self.path, f"the tag {tag.tag} has {name} {text!r}, not a number", REMEDY)
        return int(text)
