"""Prints, as JSON, what meshio finds in VTU files: every array with its type, its shape and its bytes in hex.

    read_with_meshio.py FILE.vtu ...        {file: {points, cells, point_data, cell_data}}
    read_with_meshio.py --series FILE.pvd   [[time, file], ...] in the order of the series
"""

import json
import sys
import xml.etree.ElementTree

import meshio


def array(values):
    little = values.astype(values.dtype.newbyteorder("<"))
    return {"type": values.dtype.name, "shape": list(values.shape), "bytes": little.tobytes().hex()}


def frame(file):
    mesh = meshio.read(file)
    return {
        "points": array(mesh.points),
        "cells": [{"kind": block.type, **array(block.data)} for block in mesh.cells],
        "point_data": {name: array(values) for name, values in mesh.point_data.items()},
        "cell_data": {name: [array(values) for values in blocks] for name, blocks in mesh.cell_data.items()},
    }


def series(file):
    root = xml.etree.ElementTree.parse(file).getroot()
    assert root.tag == "VTKFile" and root.get("type") == "Collection", root.attrib
    return [[float(entry.get("timestep")), entry.get("file")] for entry in root.iter("DataSet")]


if sys.argv[1] == "--series":
    print(json.dumps(series(sys.argv[2])))
else:
    print(json.dumps({file: frame(file) for file in sys.argv[1:]}))
