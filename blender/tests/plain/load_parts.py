"""Makes the parts of the add-on that know nothing of Blender importable without it."""

import pathlib
import sys
import types

TESTS = pathlib.Path(__file__).resolve().parents[1]
package = types.ModuleType("sunder_import")
package.__path__ = [str(TESTS.parent / "sunder_import")]
sys.modules.setdefault("sunder_import", package)
sys.path.insert(0, str(TESTS))
