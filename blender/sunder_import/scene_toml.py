"""Reads the scene.toml of a run: TOML as sunder writes it, one key a line. Python has a reader of its own since
3.11; Blender before 4.1 brings 3.10.
"""

import re

from .errors import RunError

TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([\[\]{},=])|([^\s\[\]{},="#]+))')
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\"}


def parse_scene(text, path="scene.toml"):
    """A dict of tables; `[[name]]` gives a list of them."""
    scene = {}
    table = scene
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            if line.startswith("[["):
                table = {}
                _enter(scene, line[2 : line.index("]]")], lambda place, name: place.setdefault(name, []).append(table))
            elif line.startswith("["):
                table = {}
                _enter(scene, line[1 : line.index("]")], lambda place, name: place.__setitem__(name, table))
            else:
                tokens = _Tokens(line)
                key = tokens.key()
                tokens.expect("=")
                table[key] = tokens.value()
        except (ValueError, IndexError, KeyError, AttributeError, TypeError):
            what = f"cannot be read: {line[:60]}"
            raise RunError(f"{path}:{number}", what, "is it a scene that sunder wrote?") from None
    return scene


def _enter(scene, dotted, put):
    """Walks to the table that holds the last name; a list stands for its last table."""
    *outer, last = [name.strip().strip('"') for name in dotted.split(".")]
    place = scene
    for name in outer:
        place = place.setdefault(name, {})
        place = place[-1] if isinstance(place, list) else place
    put(place, last)


class _Tokens:
    def __init__(self, line):
        self.line, self.at = line, 0

    def next(self):
        match = TOKEN.match(self.line, self.at)
        if not match:
            raise ValueError
        self.at = match.end()
        return match.group(match.lastindex)

    def peek(self):
        at = self.at
        token = self.next()
        self.at = at
        return token

    def expect(self, token):
        if self.next() != token:
            raise ValueError

    def key(self):
        token = self.next()
        return _text(token) if token.startswith('"') else token

    def value(self):
        token = self.next()
        if token == "[":
            return self.items("]", self.value)
        if token == "{":
            return dict(self.items("}", self.pair))
        if token.startswith('"'):
            return _text(token)
        if token in ("true", "false"):
            return token == "true"
        return _number(token)

    def pair(self):
        key = self.key()
        self.expect("=")
        return key, self.value()

    def items(self, end, one):
        result = []
        while self.peek() != end:
            result.append(one())
            if self.peek() != end:
                self.expect(",")
        self.next()
        return result


def _text(token):
    def plain(match):
        code = match.group(1)
        return chr(int(code[1:], 16)) if code[0] in "uU" else ESCAPES[code]

    return re.sub(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", plain, token[1:-1])


def _number(token):
    try:
        return int(token)
    except ValueError:
        return float(token)
