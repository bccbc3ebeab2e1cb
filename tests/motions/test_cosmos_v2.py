"""COSMOS V2: the step that fits, all channels, and nothing of a damaged file."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.motions import cosmos_v2
from rths.motions.motion import read_motion


def test_cosmos_takes_the_step_of_the_corrected_series(write_cosmos, wave):
    values = np.tile(wave, 30)
    series = read_motion(write_cosmos(values, raw=0.02))
    assert series.step == 0.005
    assert_allclose(series.values, 0.01 * values, atol=1e-9)


def test_cosmos_prefers_the_corrected_step_where_the_rounded_duration_fits_both(write_cosmos, wave):
    assert read_motion(write_cosmos(wave, raw=0.02, seconds=0)).step == 0.005


def test_cosmos_falls_back_on_the_step_of_the_raw_series(write_cosmos, wave):
    values = np.tile(wave, 30)
    path = write_cosmos(values, raw=0.02, step_ms=-999.0, seconds=12)
    assert read_motion(path).step == 0.02


def test_cosmos_columns_may_touch_and_channels_come_together(write_cosmos, wave):
    values = np.tile(wave, 30)
    series = read_motion(write_cosmos(values, channels=3, width=7))
    assert series.values.shape == (630, 3)
    assert_allclose(series.values, 0.01 * np.outer(values, [1, 2, 3]), atol=1e-9)


def test_cosmos_whose_step_contradicts_its_duration_is_refused(write_cosmos, wave):
    with pytest.raises(InputError, match="value 62") as refused:
        read_motion(write_cosmos(np.tile(wave, 30), seconds=100))
    assert refused.value.value == 100


@pytest.mark.parametrize("keep", [0.35, 0.5, 0.6])
def test_a_cosmos_file_cut_short_is_refused(write_cosmos, wave, keep):
    path = write_cosmos(np.tile(wave, 30))
    text = path.read_text()
    path.write_text(text[: int(keep * text.index("velocity pts"))])
    with pytest.raises(InputError, match="again"):
        read_motion(path)


def test_cosmos_with_text_among_the_numbers_or_in_another_unit_is_refused(write_cosmos, wave):
    path = write_cosmos(np.tile(wave, 30))
    text = path.read_text()
    path.write_text(text.replace(f"{wave[9]:10.4f}", "    ******"))
    with pytest.raises(InputError, match="is not a number"):
        read_motion(path)
    path.write_text(text.replace("cm/sec2", "counts"))
    with pytest.raises(InputError, match="not known"):
        read_motion(path)
    path.write_text("Corrected accelerogram of another kind\n1 2 3\n")
    assert not cosmos_v2.is_format(path)
    with pytest.raises(InputError, match="heading"):
        cosmos_v2.read(path)
