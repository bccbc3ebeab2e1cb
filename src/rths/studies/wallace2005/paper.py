"""What the paper is about, what comes out here, and where the two differ."""

from rths.studies.study import Paper

PAPER = Paper(
    key="wallace2005",
    title="Delay differential equation models for real-time dynamic substructuring",
    source="M. I. Wallace, J. Sieber, S. A. Neild, D. J. Wagg, B. Krauskopf, 2005, DETC2005-85010",
    says=(
        "A mass of 2.2 kg on a spring and a dashpot is computed; a second spring of 2250 N/m is "
        "the specimen, moved by an actuator that is 9.4 ms late. The late force makes a delay "
        "differential equation of the test. Its stability is lost at 6.77 ms, so that the test as "
        "it is must fail.",
        "A polynomial fitted to the last targets and read ahead (forward prediction) brings the "
        "test back. It may look too far ahead, up to about 40 ms for the second order and 23 ms "
        "for the third, but not too short: over-compensation adds damping.",
    ),
    gives=(
        "All stability results follow to the printed digits, from closed forms and from certified "
        "roots of the delay equation. The virtual rig grows, decays and tracks as theory says.",
        "Beyond the paper: the saturating spring of its last section settles on a limit cycle, "
        "whose amplitude the describing function gives within 2 %.",
    ),
    corrections=(
        "Eq. (3): the right side is c r' + k r.",
        "Eq. (11): the added term is 2 n pi/omega, not n pi/omega. Odd multiples of pi solve the "
        "equation for -p only.",
        "Eq. (12) inverted has a second branch for p < 1, which restabilises.",
        "The curves of Fig. 5 do not meet exactly without prediction: a least-squares fit does not "
        "pass through its newest point (1.2018, 1.2075 and 1.2077 1/s).",
    ),
    missing=(
        "The sampling time of the prediction is not printed; 1 ms matches both upper ends.",
        "The adaptation law (gains 75, 5, 2 of Fig. 9) is not in this paper. Fig. 9 is drawn with "
        "the adaptive forward prediction of this package, whose law is its own.",
        "Figs 7 to 9 are experiments; here they are virtual tests without noise and friction.",
    ),
)
