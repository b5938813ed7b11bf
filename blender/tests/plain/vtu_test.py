"""The reader of frames against meshio, and against damaged files."""

import glob
import os
import pathlib
import random
import tempfile
import unittest

import load_parts  # noqa: F401
import meshio
import numpy as np
from sunder_import.errors import RunError
from sunder_import.vtu import TETRA, TRIANGLE, VERTEX, read_vtu

RUNS = os.environ["SUNDER_TEST_RUNS"]
KINDS = {VERTEX: "vertex", TRIANGLE: "triangle", TETRA: "tetra"}


def frames(run):
    files = sorted(glob.glob(os.path.join(RUNS, run, "frames", "*.vtu")))
    assert files, f"no frames of {run} in {RUNS}"
    return files


class VtuTest(unittest.TestCase):
    def test_agrees_with_meshio_bit_for_bit(self):
        seen = set()
        for run in ("bowl", "dust", "mud"):
            for file in frames(run):
                mine, theirs = read_vtu(file), meshio.read(file)
                np.testing.assert_array_equal(mine.points, theirs.points)
                self.assertEqual(mine.point_data.keys(), theirs.point_data.keys())
                for name, values in theirs.point_data.items():
                    np.testing.assert_array_equal(mine.point_data[name], values, name)
                for kind, name in KINDS.items():
                    blocks = [i for i, block in enumerate(theirs.cells) if block.type == name]
                    self.assertEqual(sum(len(theirs.cells[i].data) for i in blocks), len(mine.cells[kind]))
                    for i in blocks:
                        seen.add(name)
                        np.testing.assert_array_equal(mine.cells[kind], theirs.cells[i].data)
                        for array, per_block in theirs.cell_data.items():
                            rows = mine.cell_data[array][mine.cell_rows[kind]]
                            np.testing.assert_array_equal(rows, per_block[i].reshape(rows.shape), array)
        self.assertEqual(seen, {"vertex", "triangle", "tetra"})

    def test_time_and_number_are_field_data(self):
        grid = read_vtu(frames("bowl")[2])
        self.assertEqual(grid.field_data["frame"].tolist(), [3])
        self.assertAlmostEqual(grid.field_data["TimeValue"][0], 2 / 120)

    def test_a_missing_file_is_told(self):
        with self.assertRaisesRegex(RunError, "nowhere.vtu: cannot be read"):
            read_vtu(os.path.join(RUNS, "nowhere.vtu"))

    def read_changed(self, content):
        with tempfile.NamedTemporaryFile(suffix=".vtu") as file:
            file.write(content)
            file.flush()
            return read_vtu(file.name)

    def test_every_cut_is_refused(self):
        content = pathlib.Path(frames("bowl")[0]).read_bytes()
        body = content[: content.rindex(b"</VTKFile>")]
        for length in [0, 1, 5, 200, *range(1000, len(body), 1777)]:
            with self.assertRaises(RunError, msg=f"{length} bytes"):
                self.read_changed(body[:length])

    def test_a_changed_byte_of_data_is_refused(self):
        content = pathlib.Path(frames("bowl")[0]).read_bytes()
        begin, end = content.index(b"_", content.index(b"<AppendedData")) + 1, content.rindex(b"\n  </AppendedData>")
        chance = random.Random(1)
        refused = 0
        for _ in range(300):
            at = chance.randrange(begin, end)
            changed = bytearray(content)
            changed[at] ^= 1 << chance.randrange(8)
            try:
                self.read_changed(bytes(changed))
            except RunError:
                refused += 1
        # What passes is a bit that means nothing: the block size and the last size, which the reader does not need,
        # or flags of zlib's header.
        self.assertGreaterEqual(refused, 290)

    def test_wrong_numbers_in_tags_are_refused(self):
        content = pathlib.Path(frames("bowl")[0]).read_bytes()
        for old, new in (
            (b'NumberOfPoints="', b'NumberOfPoints="9'),
            (b'NumberOfCells="', b'NumberOfCells="-'),
            (b'offset="0"', b'offset="99999999999999999999"'),
            (b'"Float64" Name="Points"', b'"Float32" Name="Points"'),
            (b'Name="connectivity"', b'Name="connectivitx"'),
            (b"vtkZLibDataCompressor", b"vtkLZ4DataCompressor"),
            (b"</PointData>", b"<PointData>"),
            (b"<Points>", b"<Pts>"),
        ):
            self.assertIn(old, content)
            with self.assertRaises(RunError, msg=new):
                self.read_changed(content.replace(old, new, 1))


if __name__ == "__main__":
    unittest.main()
