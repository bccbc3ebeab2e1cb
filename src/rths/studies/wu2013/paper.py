"""What the paper is about, what comes out here, and where the two differ."""

from rths.studies.study import Paper

PAPER = Paper(
    key="wu2013",
    title="Actuator dynamics compensation based on upper bound delay for real-time hybrid "
    "simulation",
    source="B. Wu, Z. Wang, O. S. Bursi, Earthquake Engineering and Structural Dynamics 42, 2013, "
    "1749-1765, doi 10.1002/eqe.2296",
    says=(
        "A prediction that is good by itself may be bad in the loop: with the integrator LSRT2 the "
        "third-order Hermite prediction is unstable for every small step, the second order has the "
        "largest stable range of four.",
        "Instead of an exact prediction the paper over-compensates: the specimen arrives too "
        "early, and the force is taken from where it had passed the target. J counts how often the "
        "target was met within the last interval; J = 1 is exact.",
    ),
    gives=(
        "The counts of J of the linear simulations, 35/3922/43 and 32/3875/93, follow exactly from "
        "the package's own loop. Characteristic polynomials agree with the printed ones.",
        "With an actuator that is a first-order lag of 16.6 ms the virtual tests show the ratios "
        "of the laboratory: over-compensation halves the error.",
    ),
    corrections=(
        "The limit 0.82 of Fig. A1 does not follow from (A.7): stable only for 0.344 to 0.762.",
        "(A.10): c_2 = a_0, printed c_2 = b_1.",
        "The limit -10.37 belongs to (A.13) times 4.",
        "The double eigenvalue 1 at dt = 0 is no evidence of instability: every convergent method "
        "for second-order equations has it.",
        "Section 4.2 says second order; its counts are those of the third.",
        "Eq. (11): with a lagging specimen the shift is x_m(t + tau).",
    ),
    missing=(
        "Section 5 gives no actuator model; absolute errors of the laboratory cannot be had.",
        "The conventional run of Fig. 8 is not larger than the reference with our record.",
        "The physical mass of section 5.4 is kept in the computed part.",
    ),
)
