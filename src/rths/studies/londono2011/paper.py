"""What the paper is about, what comes out here, and where the two differ."""

from rths.studies.study import Paper

PAPER = Paper(
    key="londono2011",
    title="On the assessment of passive devices for structural control via real-time dynamic "
    "substructuring",
    source="J. M. Londoño, G. Serino, D. J. Wagg, S. A. Neild, A. J. Crewe, "
    "Structural Control and Health Monitoring 19(8), doi 10.1002/stc.464",
    says=(
        "A damper as the specimen behaves unlike a spring: a linear one has lobes of stability, a "
        "nonlinear one with a small exponent behaves like friction, and then any delay, however "
        "short, leaves a fast limit cycle.",
        "Closed forms give the cycle of friction: switching point, period, peak velocity, and the "
        "zone in which fast oscillation begins. An adaptive filter predicts the command. In the "
        "laboratory only a share SR of the force was measured and the rest computed; SR = 0.5 ran, "
        "SR = 1 did not.",
    ),
    gives=(
        "Lobes and cycles follow, and simulations of both damper laws reach the closed forms.",
        "Why SR = 0.5 ran has a reason: up to one half the computed share, which has no delay, "
        "exceeds the late one and stops the oscillation. In the virtual frame the oscillation "
        "starts when a ramp of SR passes one half.",
    ),
    corrections=(
        "Eq. (4), the adaptation: the sign of the error, the buffer in the gradient and the factor "
        "(1 - mu) are wrong. As printed it diverges after 172 samples; the leak alone is worse "
        "than no compensation.",
        "Eq. (11): only odd n belong to a positive p. Eq. (14) is spurious for positive damping.",
        "The centre of rotation of the switching lines is (-p_s u, 0), printed (0, -p_s u).",
        "Eqs (31)-(34) and (35)-(36) use one symbol for two points.",
        "Eq. (38): for a force on the first mass L = (-1, 0, 0)'; the printed 3 x 2 matrix acts on "
        "the others.",
        "The printed C gives 2 % in all three modes, not 3 %, and is modal, not Rayleigh damping. "
        "C_23 is printed as -3.508 and -3.504.",
    ),
    missing=(
        "Earthquakes 0187 and 0535, the backlash and the actuator are not specified. El Centro "
        "and a dead time stand in their place: orderings hold, absolute numbers cannot.",
        "The length x_0 of the example is not printed; p_s = 2 makes it 0.05 m.",
    ),
)
