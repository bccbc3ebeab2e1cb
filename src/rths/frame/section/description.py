"""Sections as a model file describes them: elastic, of fibres, or a wide flange.

    patch: n fibres of equal height between two y       A_i = b (y_2 - y_1)/n                   (1)
    layer: n bars evenly between two y                  A_i = A                                  (2)

y is measured from the axis of the element, upwards seen from its first node to its second (to the
left of that direction). A moment M > 0 compresses the fibres with y > 0.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np

from rths.description import describe
from rths.errors import InputError
from rths.frame.section.shapes import find_shape
from rths.quantity import Metres, Positive, PositiveMetres, Range, SquareMetres

Fibre = tuple[float, float, str]
"""y, area and name of the material."""
FIELD = tuple[Metres, SquareMetres, str]
Fibres = Annotated[int, Range("1", "a whole number", low=1, high=1000, whole=True)]
"""Number of fibres of one part: each of them costs time in every step."""


@describe
class Section:
    """Base of all sections."""

    role: ClassVar[str] = "section"
    kind: ClassVar[str]

    def elastic_stiffness(self) -> tuple[float, float]:
        """Give EA and EI of the part without fibres."""
        return 0.0, 0.0

    def fibres(self) -> list[Fibre]:
        """Give the fibres."""
        return []

    def __post_init__(self) -> None:
        """Refuse a section that cannot carry anything."""


@describe
class ElasticSection(Section):
    """A section that stays elastic."""

    kind = "elastic"
    example = {"modulus": 200e9, "area": 0.01, "inertia": 1e-4}

    modulus: Positive
    """Young's modulus E, Pa."""
    area: SquareMetres
    """Area A, m²."""
    inertia: Positive
    """Second moment of area I, m⁴."""

    def elastic_stiffness(self) -> tuple[float, float]:
        """Give EA and EI."""
        return self.modulus * self.area, self.modulus * self.inertia


@describe
class Patch:
    """Fibres of equal height (1)."""

    kind: ClassVar[str] = "patch"

    material: str
    """Name of the material."""
    y: tuple[Metres, Metres]
    """Lower and upper edge, m."""
    width: PositiveMetres
    """Width b, m."""
    count: Fibres
    """Number of fibres n over the height."""

    def fibres(self) -> list[Fibre]:
        """Give the fibres of (1)."""
        low, high = self.y
        if not low < high:
            problem, remedy = "has no height", "Give the lower edge first, then the upper one."
            raise InputError("patches.y", self.y, problem, remedy)
        t = (high - low) / self.count
        return [(low + (i + 0.5) * t, self.width * t, self.material) for i in range(self.count)]


@describe
class Layer:
    """Bars between two places (2)."""

    kind: ClassVar[str] = "layer"

    material: str
    """Name of the material."""
    y: tuple[Metres, Metres]
    """Places of the first and the last bar, m."""
    area: SquareMetres
    """Area of a bar, m²."""
    count: Fibres
    """Number of bars n."""

    def fibres(self) -> list[Fibre]:
        """Give the fibres of (2)."""
        places = np.linspace(*self.y, self.count)
        return [(float(y), self.area, self.material) for y in places]


@describe
class FibreSection(Section):
    """Fibres, patches and layers, as many as wanted of each."""

    kind = "fibres"
    example = {
        "patches": [{"material": "steel", "y": [-0.1, 0.1], "width": 0.1, "count": 4}],
        "layers": [{"material": "steel", "y": [0.12, 0.12], "area": 5e-4, "count": 2}],
    }

    single: tuple[FIELD, ...] = ()
    """Fibres one by one: y in m, area in m², name of the material."""
    patches: tuple[Patch, ...] = ()
    """Rectangles, each cut into fibres."""
    layers: tuple[Layer, ...] = ()
    """Rows of bars."""

    def __post_init__(self) -> None:
        """Refuse a section without fibres."""
        if not self.fibres():
            raise InputError(
                "section.single", None, "and patches and layers are empty", "Give some fibres."
            )

    def fibres(self) -> list[Fibre]:
        """Give all fibres."""
        parts: tuple[Patch | Layer, ...] = (*self.patches, *self.layers)
        return [*self.single, *(fibre for part in parts for fibre in part.fibres())]


@describe
class WideFlange(Section):
    """A rolled or welded I, bent about its strong axis; fibres in layers."""

    kind = "wide_flange"
    example = {"shape": "W14X120", "material": "steel"}

    material: str
    """Name of the material."""
    shape: str | None = None
    """Name of a shape of the tables, or the four sizes that follow."""
    depth: PositiveMetres | None = None
    """Depth over the flanges, m."""
    web: PositiveMetres | None = None
    """Thickness of the web, m."""
    flange_width: PositiveMetres | None = None
    """Width of a flange, m."""
    flange: PositiveMetres | None = None
    """Thickness of a flange, m."""
    web_fibres: Fibres = 10
    """Fibres over the height of the web."""
    flange_fibres: Fibres = 3
    """Fibres over the thickness of each flange."""

    def __post_init__(self) -> None:
        """Refuse a shape that is not known, or not given."""
        d, _, _, tf = self.sizes()
        if 2 * tf >= d:
            problem = f"of {tf:g} m, twice, fill the depth of {d:g} m"
            raise InputError("section.flange", self.flange, problem, "Check the sizes.")

    def sizes(self) -> tuple[float, float, float, float]:
        """Give depth, web, flange width and flange, m."""
        own = (self.depth, self.web, self.flange_width, self.flange)
        if self.shape is not None and any(v is not None for v in own):
            problem = "is given together with sizes"
            raise InputError("section.shape", self.shape, problem, "Give the one or the other.")
        if self.shape is not None:
            return find_shape(self.shape)
        d, tw, bf, tf = own
        if d is None or tw is None or bf is None or tf is None:
            remedy = "Give shape, or depth, web, flange_width and flange."
            raise InputError("section.shape", None, "is required", remedy)
        return d, tw, bf, tf

    def fibres(self) -> list[Fibre]:
        """Give the fibres: lower flange, web, upper flange."""
        d, tw, bf, tf = self.sizes()
        plates: list[tuple[tuple[float, float], float, int]] = [
            ((-d / 2, -d / 2 + tf), bf, self.flange_fibres),
            ((-d / 2 + tf, d / 2 - tf), tw, self.web_fibres),
            ((d / 2 - tf, d / 2), bf, self.flange_fibres),
        ]
        patches = [Patch(material=self.material, y=y, width=b, count=n) for y, b, n in plates]
        return [fibre for patch in patches for fibre in patch.fibres()]


SECTIONS: dict[str, type[Any]] = {s.kind: s for s in (ElasticSection, FibreSection, WideFlange)}
"""All sections by the name that a model file uses."""
