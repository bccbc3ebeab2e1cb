"""Named wide-flange shapes: depth, web, flange width and flange thickness.

American shapes are those of the AISC tables (inches there), European ones of EN 10365 (mm there).
Fillets are left out: areas and moments of inertia are those of three plates.
"""

from __future__ import annotations

from rths.errors import InputError, suggest

INCH, MILLIMETRE = 0.0254, 0.001
AMERICAN = {
    "W8X31": (8.00, 0.285, 8.00, 0.435),
    "W10X49": (10.0, 0.340, 10.0, 0.560),
    "W12X65": (12.1, 0.390, 12.0, 0.605),
    "W14X120": (14.5, 0.590, 14.7, 0.940),
    "W14X257": (16.4, 1.18, 16.0, 1.89),
    "W14X311": (17.1, 1.41, 16.2, 2.26),
    "W18X35": (17.7, 0.300, 6.00, 0.425),
    "W18X40": (17.9, 0.315, 6.02, 0.525),
    "W21X44": (20.7, 0.350, 6.50, 0.450),
    "W24X55": (23.6, 0.395, 7.01, 0.505),
    "W24X94": (24.3, 0.515, 9.07, 0.875),
    "W27X84": (26.7, 0.460, 10.0, 0.640),
    "W30X116": (30.0, 0.565, 10.5, 0.850),
    "W33X118": (32.9, 0.550, 11.5, 0.740),
    "W36X150": (35.9, 0.625, 12.0, 0.940),
}
EUROPEAN = {
    "HEA300": (290.0, 8.5, 300.0, 14.0),
    "HEB200": (200.0, 9.0, 200.0, 15.0),
    "HEB300": (300.0, 11.0, 300.0, 19.0),
    "IPE200": (200.0, 5.6, 100.0, 8.5),
    "IPE300": (300.0, 7.1, 150.0, 10.7),
    "IPE400": (400.0, 8.6, 180.0, 13.5),
}


def find_shape(name: str) -> tuple[float, float, float, float]:
    """Give depth, web thickness, flange width and flange thickness of a shape, m."""
    key = name.upper().replace(" ", "").replace("×", "X")
    for table, unit in ((AMERICAN, INCH), (EUROPEAN, MILLIMETRE)):
        if key in table:
            d, tw, bf, tf = table[key]
            return d * unit, tw * unit, bf * unit, tf * unit
    known = [*AMERICAN, *EUROPEAN]
    raise InputError(
        "section.shape",
        name,
        "is not in the tables",
        f"{suggest(key, known)}Give the four sizes, or one of {', '.join(known)}.",
    )
