"""Zeros, controllability, sparsity, explanations, scenes and pages; and what the library says of itself."""
from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _core
from ._progress import shown
from ._result import Result


class Zeros(Result):
    """The zeros from inputs to outputs: `s` (rad/s), with `multiplicity`, a bound `error` on |s − exact|, and how many
    of each are `transmission` zeros, modes that no input moves (`input_decoupling`), or that no output shows
    (`output_decoupling`).

    All modes that no input moves are in `unmoved`, those that no output shows in `unshown`. `certified` says whether
    it is proved that these are all of them, everywhere or in `region`; if not, `reasons` say why.

    >>> found = read_model("cases/cart_pole").linearize("nearest").zeros(outputs=["position"])
    >>> found
    <Zeros of cart_pole: 2 from u to position; certified>
    >>> found.s.real.round(4)
    array([-4.4294,  4.4294])
    """

    name: str
    inputs: list[str]
    outputs: list[str]
    s: np.ndarray
    error: np.ndarray
    multiplicity: list[int]
    transmission: list[int]
    input_decoupling: list[int]
    output_decoupling: list[int]
    unmoved: np.ndarray
    unshown: np.ndarray
    solver: str
    region: str
    normal_rank: int
    certified: bool
    reasons: list[str]
    warnings: list[str]

    def __init__(self, handle: _core.ZerosReport) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def __len__(self) -> int:
        return len(self.s)

    def __repr__(self) -> str:
        proof = "certified" if self.certified else "NOT CERTIFIED: " + "; ".join(self.reasons)
        where = f" {self.region}" if self.region else ""
        return (
            f"<Zeros of {self.name}: {len(self)}{where} from {', '.join(self.inputs)} to {', '.join(self.outputs)}; "
            f"{proof}>"
        )


class Controllability(Result):
    """Which inputs move a mode, and which outputs show it: rows of `input_participation` and `output_participation`
    (0 to 1) belong to the modes `s`, columns to `inputs` and `outputs`.

    Of the `multiplicity` of each, no input moves `unmoved`, and no output shows `unshown`; `undecided` says where
    rounding hides it. `distance_to_unmoved` and `distance_to_unshown` tell by how large a relative change of the data
    that would come about. `hankel` are the Hankel singular values, where all modes are asymptotically stable.

    >>> reach = read_model("cases/cart_pole").linearize("nearest").controllability(["u"], ["angle"])
    >>> reach
    <Controllability of cart_pole: no input moves 0 of 4 modes, no output shows 2; u → angle>
    >>> reach.unshown  # the angle does not tell where the cart is
    [2, 0, 0]
    """

    name: str
    inputs: list[str]
    outputs: list[str]
    solver: str
    s: np.ndarray
    error: np.ndarray
    multiplicity: list[int]
    shape: np.ndarray
    input_participation: np.ndarray
    output_participation: np.ndarray
    unmoved: list[int]
    unshown: list[int]
    undecided: list[bool]
    distance_to_unmoved: np.ndarray
    distance_to_unshown: np.ndarray
    energy_to_move: np.ndarray
    energy_shown: np.ndarray
    count: int
    all_modes: bool
    hankel: np.ndarray
    no_gramians: str
    warnings: list[str]

    def __init__(self, handle: _core.ControllabilityReport) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def __repr__(self) -> str:
        doubt = f"; UNDECIDED: {sum(self.undecided)}" if any(self.undecided) else ""
        return (
            f"<Controllability of {self.name}: no input moves {sum(self.unmoved)} of {self.count} modes, no output shows "
            f"{sum(self.unshown)}{doubt}; {', '.join(self.inputs)} → {', '.join(self.outputs)}>"
        )


class Sparsity(Result):
    """How sparse the matrices of each method are, and which method suits the system: `suits`, with `advice`.

    `entries` and `densities` are those of M_r, M_q, M_p, and of the matrices MCS, RCS and UCS that are factored.

    >>> report = read_model("cases/four_bar", set={"N": 20}).linearize().sparsity()
    >>> report.suits, report.entries["M_q"]
    ('mcs', 122)
    """

    name: str
    dof: int
    suits: str
    advice: list[str]
    entries: dict[str, int]
    densities: dict[str, float]
    pictures: list[str]

    def __init__(self, handle: _core.SparsityReport, pictures: list[str]) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())
        self.pictures = pictures

    def __repr__(self) -> str:
        return f"<Sparsity of {self.name}: {' '.join(self.advice[:1])}>"


class ExplanationBlock(NamedTuple):
    """A topic in words: sentences with numbers, and the command that shows more."""

    topic: str
    title: str
    sentences: list[str]
    more: str


class Explanation(Result):
    """Why results are what they are: `blocks` of sentences with the numbers that decide.

    >>> why = read_model("cases/five_bar_parallelogram").explain("singular")
    >>> why.blocks[0].topic, len(why["singular"].sentences) > 0
    ('singular', True)
    """

    name: str
    blocks: list[ExplanationBlock]

    def __init__(self, handle: _core.ExplanationReport) -> None:
        super().__init__(handle)
        self.name = handle.name
        self.blocks = [ExplanationBlock(*block) for block in handle.facts()]

    def __getitem__(self, topic: str) -> ExplanationBlock:
        topics = [block.topic for block in self.blocks]
        if topic not in topics:
            _core.refuse_name("topic", topic, topics)
        return self.blocks[topics.index(topic)]

    def __repr__(self) -> str:
        return f"<Explanation of {self.name}: {', '.join(block.topic for block in self.blocks)}>"

    def _repr_html_(self) -> str:
        return "".join(
            f"<p><b>{escape(block.title)}</b></p><p>{escape(' '.join(block.sentences))}</p>"
            f"<p><code>{escape(block.more)}</code></p>"
            for block in self.blocks
        )


class Scene(Result):
    """The geometry of a mechanism and the motions of its modes: the document stillpoint.scene/1.

    >>> scene = read_model("cases/crank_rocker").scene(modes=1)
    >>> scene
    <Scene of crank_rocker: 3 frames, 5 elements, 1 motions>
    >>> scene.write("/dev/null")
    """

    name: str

    def __init__(self, handle: _core.SceneReport) -> None:
        super().__init__(handle)
        self.name = handle.name

    def to_gltf(self, mode: Optional[int] = None) -> str:
        """A glTF 2.0 file in which one mode moves: this one, or the first."""
        self._require_handle("the glTF file")
        return str(self._handle.gltf(mode))

    def write(self, path: str | Path, mode: Optional[int] = None) -> None:
        """Writes the JSON, or glTF if the name ends in .gltf."""
        is_gltf = str(path).endswith(".gltf")
        Path(path).write_text(self.to_gltf(mode) if is_gltf else self.to_json(), encoding="utf-8")

    def __repr__(self) -> str:
        found = self.to_dict()
        sizes = ", ".join(f"{len(found[what])} {what}" for what in ("frames", "elements", "motions"))
        return f"<Scene of {self.name}: {sizes}>"


class Page:
    """A page that shows a mechanism, its modes moving, and the evidence: `html`. A notebook shows it.

    >>> page = read_model("cases/four_bar").report()
    >>> page
    <Page of four_bar: stable (conservative); certified>
    >>> page.write("/dev/null")
    """

    name: str
    html: str
    verdict: str
    certified: bool
    warnings: list[str]

    def __init__(self, handle: _core.Page, name: str) -> None:
        self.__dict__.update(handle.facts())
        self.html = handle.html
        self.name = name

    def write(self, path: str | Path) -> None:
        """Writes the page."""
        Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<Page of {self.name}: {self.verdict}; {'certified' if self.certified else 'NOT CERTIFIED'}>"

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="700" style="border:0"></iframe>'


class Installation(Result):
    """What the library runs on: `problems` that make results wrong, and `advice` about what is missing.

    >>> doctor().problems
    []
    """

    problems: list[str]
    advice: list[str]

    def __init__(self, handle: _core.InstallationReport) -> None:
        super().__init__(handle)
        self.problems, self.advice = list(handle.problems), list(handle.advice)

    def __repr__(self) -> str:
        return f"<Installation: {str(self).splitlines()[0]}>"


def doctor() -> Installation:
    """What the library runs on, with versions of BLAS, LAPACK and SuiteSparse, threads, and optional parts; three known
    answers are computed.

    >>> doctor().to_dict()["schema"]
    'stillpoint.doctor/1'
    """
    with shown() as show:
        return Installation(_core.doctor(show))


def model_schema() -> dict[str, Any]:
    """The JSON Schema of model files.

    >>> "mechanism" in model_schema()["properties"]
    True
    """
    return dict(json.loads(_core.model_schema()))


def model_manual() -> str:
    """The reference of model files, in Markdown.

    >>> "revolute" in model_manual()
    True
    """
    return _core.model_manual()


def starter_model() -> str:
    """A small commented model to start from.

    >>> model_from_text(starter_model()).modes().certified
    True
    """
    return _core.starter_model()
