"""The scenes of O'Brien & Hodgins 1999: what the paper shows, and what of it a run must show."""
import math
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class PaperScene:
    name: str
    figure: str
    shows: str  # in a few words
    caption: str
    minutes: int  # of computation for a simulated second, Table 1's average
    edge: float  # m
    toughness: float  # N
    layers: int  # of tets through the wall; 0: as suits the edge
    frames: list  # of the strip
    judge: Callable  # run -> (whether it is as described, what was seen)
    bodies: int = 1
    drawn: int = 0  # which of the seeds: the scene's own
    tougher: str = ""  # the scene that must fall into fewer big pieces with the same seed and edge
    looks: list = field(default_factory=list)
    camera: dict = field(default_factory=dict)
    area_scale: float = 1
    area_unit: str = "m^2"


def big(made):
    return made["info"]["pieces"]["big"]


def judge_glass(made):
    """Small pieces near the weight, and further out cracks whose planes hold the line to it."""
    middle = (0.2, 0.15)
    near_area = far_area = off_radial = 0.0
    for c in made["cracks"]:
        x, z = c["rest"][0] - middle[0], c["rest"][2] - middle[1]
        r = math.hypot(x, z)
        if r < 0.6:
            near_area += c["area"]
        elif r > 0.9:
            far_area += c["area"]
            off_radial += c["area"] * abs(c["normal"][0] * x + c["normal"][2] * z) / r
    density = (near_area / 0.6**2) / max(far_area / (16 / math.pi - 0.9**2), 1e-9)
    across = off_radial / max(far_area, 1e-9)
    small = made["info"]["pieces"]["all"] - big(made)
    seen = (f"{small} small pieces, {density:.0f} times as much crack under the weight as further out, where cracks lie "
            f"{math.degrees(math.asin(min(1, across))):.0f} degrees off the radius; {big(made)} sectors")
    return small >= 10 and density > 5 and across < 0.5 and big(made) >= 3, seen


def standing(made):
    """Share that is less than 5 cm from where it was built, in big pieces."""
    pieces = made["info"]["pieces"]
    return sum(share for share, moved in zip(pieces["shares"], pieces["moved"]) if moved < 0.05)


def quarters(made):
    return len({(c["rest"][0] > 0, c["rest"][1] > 0.7) for c in made["cracks"]})


def judge_wall_light(made):
    area = made["info"]["totals"]["crack_area"]
    seen = f"{100 * standing(made):.0f} % stands, with {area:.1f} m^2 of cracks in {quarters(made)} of its quarters"
    return standing(made) > 0.9 and area > 1 and quarters(made) == 4, seen


def judge_wall_heavy(made):
    seen = f"{made['info']['pieces']['all']} pieces, {big(made)} of them big; {100 * standing(made):.0f} % stands"
    return big(made) >= 10 and standing(made) < 0.6, seen


def judge_bowl(least, most):
    def judge(made):
        area = 1e4 * made["info"]["totals"]["crack_area"]
        n = big(made)
        seen = f"cracked, in one piece ({area:.0f} cm^2)" if n == 1 and area > 0 else f"{n} big pieces ({area:.0f} cm^2)"
        more = made.get("tougher") is None or n > big(made["tougher"])
        return least <= n <= most and more and area > 0, seen

    return judge


def judge_bowl_edge(made):
    cracks = made["cracks"]
    first = sum(c["position"][1] for c in cracks[:5]) / max(1, len(cracks[:5]))
    highest = max((c["rest"][1] for c in cracks), default=0)
    seen = (f"the first five cracks lie {100 * first:.1f} cm above the ground, the last {100 * (highest - 0.05):.0f} cm up the side; "
            f"{big(made)} big pieces")
    return first < 0.06 and highest > 0.25 and 3 <= big(made) <= 14, seen


def judge_the_end(made):
    seen = f"6 letters become {made['info']['pieces']['all']} pieces, {big(made)} of them big"
    return 9 <= big(made) <= 40, seen


def half_edge(scene, seed):
    """Overrides. Toughness is a force: it goes with the area that a node stands for, a quarter, or half where walls keep their layers."""
    sets = [f"seed={seed}"]
    for body in range(scene.bodies):
        sets.append(f"body.{body}.edge={scene.edge / 2}")
        sets.append(f"body.{body}.material.toughness={scene.toughness / (2 if scene.layers else 4)}")
    return sets


SCENES = [
    PaperScene("glass", "1", "crushed under the weight, radial cracks further out", "the area under the weight is crushed into many small fragments; further away radial cracks.", 273,
               0.18, 10140, 1, [1, 3, 6, 31], judge_glass, looks=[("cracks", "All cracks")]),
    PaperScene("wall-light", "9, first row", "a network of cracks",
               "the wall develops a network of cracks as it absorbs most of the ball's energy; pictures 133.3 ms apart.", 399, 0.19,
               6030, 2, [1, 9, 17, 25, 33, 49], judge_wall_light, camera={"camera": "wall"},
               looks=[("mesh", "Figure 10 b: the mesh at the end, put together again"),
                      ("reassembled", "Figure 10 c: the wall put together again, cracks emphasised"),
                      ("cracks", "Figure 10 d: cracks inside")]),
    PaperScene("wall-heavy", "9, second row", "shattered by 50 times the mass", "the ball has fifty times the mass, the wall shatters; pictures 66.6 ms apart.",
               1098, 0.19, 6030, 2, [1, 5, 9, 13, 17, 37], judge_wall_heavy, camera={"camera": "wall"},
               looks=[("mesh", "Figure 10 b: the mesh at the end, put together again"),
                      ("reassembled", "Figure 10 c: the wall put together again, cracks emphasised"),
                      ("cracks", "Figure 10 d: cracks inside")]),
] + [
    PaperScene(f"bowl-{i + 1}", f"11, {'abcd'[i]}", ["a few cracks", "more pieces", "and more", "many small pieces"][i],
               ["the first bowl develops only a few cracks.", "less tough than the first.", "less tough again.",
                "the weakest breaks into many pieces."][i], [109, 115, 127, 156][i], 0.018, [52.9, 39.6, 33.1, 13.2][i], 1,
               [13, 17, 25, 73], judge_bowl(*[(1, 1), (2, 4), (3, 8), (10, 60)][i]), drawn=1,
               tougher=f"bowl-{i}" if i > 0 else "", area_scale=1e4, area_unit="cm^2")
    for i in range(4)
] + [
    PaperScene("bowl-edge", "13", "fails where it strikes, then a few large pieces", "it fails along the leading edge where it strikes, develops vertical cracks, then breaks into several "
               "large pieces; pictures 13 ms apart.", 347, 0.023, 106, 1, [1, 7, 10, 13, 16, 37], judge_bowl_edge, area_scale=1e4,
               area_unit="cm^2"),
    PaperScene("the-end", "14", "letters break on each other", "several breakable objects that were dropped from a height.", 4665, 0.02, 73.6, 0,
               [1, 6, 12, 24, 61], judge_the_end, bodies=2, area_scale=1e4, area_unit="cm^2"),
]
