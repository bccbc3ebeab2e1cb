"""What of OpenSees has no counterpart here: refused by name, with the nearest that has one."""

from __future__ import annotations

from collections.abc import Mapping

from rths.errors import InputError

NEAREST_MATERIAL = {
    "Concrete02": "Concrete01, which leaves the tension out",
    "Concrete04": "Concrete01, which leaves the tension out",
    "Concrete06": "Concrete01, which leaves the tension out",
    "Concrete07": "Concrete01, which leaves the tension out",
    "ConcreteCM": "Concrete01, which leaves the tension out",
    "ENT": "ElasticPPGap with a gap of 0 and a large strength below 0",
    "Hardening": "Steel01, or ElasticPP without hardening",
    "Hysteretic": "Steel02, or BoucWen, without the pinching",
    "HystereticSM": "Steel02, or BoucWen, without the pinching",
    "IMKBilin": "Steel02, without the deterioration",
    "IMKPeakOriented": "Steel02, without the deterioration",
    "Bilin": "Steel02, without the deterioration",
    "ModIMKPeakOriented": "Steel02, without the deterioration",
    "Pinching4": "BoucWen, without pinching and damage",
    "ReinforcingSteel": "Steel02",
    "SteelMPF": "Steel02",
    "Steel4": "Steel02",
    "Dodd_Restrepo": "Steel02",
    "RambergOsgoodSteel": "Steel02 with a lower R0",
    "Parallel": "a zeroLength with several materials in one direction",
    "Series": "two zeroLength elements with a node between them",
    "Viscous": "a specimen spring_dashpot in the plan",
    "ViscousDamper": "a specimen of the plan",
    "InitStrainMaterial": "the material inside it",
    "InitStressMaterial": "the material inside it",
    "Fatigue": "the material inside it, which never breaks",
    "MinMax": "the material inside it, which never breaks",
    "BWBN": "BoucWen",
    "SelfCentering": "Steel01 beside an ElasticPPGap",
}
NEAREST_ELEMENT = {
    "ElasticTimoshenkoBeam2d": "elasticBeamColumn, which leaves the shear out",
    "ModElasticBeam2d": "elasticBeamColumn, with zeroLength springs at its ends",
    "DispBeamColumn2dInt": "dispBeamColumn",
    "DispBeamColumnNL2d": "dispBeamColumn with corotational geometry",
    "TimoshenkoBeamColumn2d": "dispBeamColumn, which leaves the shear out",
    "ForceBeamColumnCBDI2d": "forceBeamColumn, several to a member",
    "ForceBeamColumnWarping2d": "forceBeamColumn",
    "ElasticForceBeamColumn2d": "elasticBeamColumn",
    "GradientInelasticBeamColumn2d": "forceBeamColumn",
    "MixedBeamColumn2d": "forceBeamColumn",
    "BeamWithHinges2d": "forceBeamColumn, or elasticBeamColumn with zeroLength hinges",
    "ZeroLengthSection": "zeroLength with a material for each direction",
    "CoupledZeroLength": "zeroLength with a material for each direction",
    "TwoNodeLink": "zeroLength between nodes at one place, or truss",
    "Joint2D": "zeroLength springs for the panel, with equalDOF",
    "BeamColumnJoint2d": "zeroLength springs for the panel, with equalDOF",
    "TrussSection": "truss",
    "CorotTrussSection": "corotTruss",
    "InertiaTruss": "mass at the nodes",
    "ElastomericBearingBoucWen2d": "zeroLength with a BoucWen, or the bearing as the specimen",
    "ElastomericBearingPlasticity2d": "zeroLength with a Steel01, or the bearing as the specimen",
    "SingleFPSimple2d": "the bearing as the specimen",
}


def refuse(field: str, name: str, problem: str, nearest: str) -> InputError:
    """Say that a thing cannot be taken over, and what is nearest to it."""
    return InputError(field, name, problem, f"Nearest: {nearest}.")


def refuse_kind(field: str, name: str, known: Mapping[str, object], what: str) -> InputError:
    """Refuse a kind of material, section or element that has no counterpart."""
    table = NEAREST_ELEMENT if what == "element" else NEAREST_MATERIAL
    nearest = table.get(name, f"one of {', '.join(known)}")
    return refuse(field, name, f"is no {what} that can be taken over", nearest)
