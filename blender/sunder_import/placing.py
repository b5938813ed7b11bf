"""From the run's coordinates (metres, y up) to the scene's."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Placing:
    scale: float = 1.0  # units of the scene per metre
    z_up: bool = True

    def directions(self, vectors):
        """Turned, not scaled. A quarter turn about x: y becomes z, z becomes -y."""
        vectors = np.asarray(vectors, np.float64)
        if not self.z_up:
            return vectors
        x, y, z = np.moveaxis(vectors, -1, 0)
        return np.stack([x, -z, y], axis=-1)

    def positions(self, vectors):
        return self.scale * self.directions(vectors)

    def rotation(self, quaternion):
        """Of w, x, y, z: the axis turns as every direction does."""
        return (quaternion[0], *self.directions(quaternion[1:]))
