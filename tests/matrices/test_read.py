"""A matrix of a file: the same whatever the format, and every mistake has one message."""

from __future__ import annotations

import importlib
import os

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import io

from rths.errors import InputError
from rths.matrices.full import LARGEST
from rths.matrices.read import MOST_MATRIX_BYTES, READERS, read_matrix
from rths.quantity import MATRIX_FILE


def test_every_format_gives_the_same_numbers(written, stiffness):
    assert_array_equal(read_matrix("structure.stiffness", written(stiffness)), stiffness)


def test_a_matrix_of_zeros_has_its_size_in_every_format(written):
    assert_array_equal(
        read_matrix("structure.damping", written(np.zeros((3, 3)))), np.zeros((3, 3))
    )


def test_every_ending_that_a_plan_may_name_has_a_reader():
    assert tuple(READERS) == MATRIX_FILE.endings
    assert all(
        hasattr(importlib.import_module(f"rths.matrices.{m}"), "read") for m in READERS.values()
    )


def test_a_file_that_changed_is_read_anew(tmp_path):
    path = tmp_path / "K.npy"
    np.save(path, np.eye(2))
    assert_array_equal(read_matrix("f", str(path)), np.eye(2))
    np.save(path, 2 * np.eye(2))
    os.utime(path, ns=(1, 1))
    found = read_matrix("f", str(path))
    assert_array_equal(found, 2 * np.eye(2))
    with pytest.raises(ValueError, match="read-only"):
        found[0, 0] = 1.0


def test_the_only_variable_needs_no_name(tmp_path):
    io.savemat(tmp_path / "fe.mat", {"K": np.eye(2)})
    assert_array_equal(read_matrix("f", str(tmp_path / "fe.mat")), np.eye(2))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write files with every mistake; give their folder."""
    d, many = (
        tmp_path_factory.mktemp("mistakes"),
        {"M": np.eye(2), "K": np.eye(2), "stiffness": np.eye(3)},
    )
    io.savemat(d / "fe.mat", {**many, "z": np.eye(2) * 1j, "s": "text", "c": {"x": 1.0},
                              "e": np.zeros((0, 0)), "v": np.zeros((2, 2, 2))})  # fmt: skip
    io.savemat(d / "old.mat", {"K": np.eye(2)}, format="4")
    (d / "octave.mat").write_text("# Created by Octave\n# name: K\n# type: matrix\n 1\n")
    with h5py.File(d / "h.mat", "w") as file:
        file["z"] = np.zeros((2, 2), [("real", float), ("imag", float)])
        file["s"] = np.zeros((1, 4), np.uint16)
        file["s"].attrs["MATLAB_class"] = np.bytes_("char")
        file["e"] = np.zeros(2, np.uint64)
        file["e"].attrs["MATLAB_empty"] = 1
        file.create_group("c")
        file.create_dataset("huge", (10**6, 10**6), float, chunks=(100, 100))
        file.create_dataset("claims", (LARGEST, LARGEST), float, chunks=(100, 100))
        file["elsewhere"] = h5py.ExternalLink(str(d / "other.h5"), "K")
        sparse = file.create_group("wide")
        sparse.attrs["MATLAB_sparse"] = 10**9
        sparse["jc"] = np.zeros(3, np.uint64)
    np.savez(d / "fe.npz", **many)
    np.save(d / "nan.npy", np.array([[1.0, 0.0], [np.nan, 1.0]]))
    np.save(d / "objects.npy", np.array([[print, 1.0]], object))
    np.save(d / "text.npy", np.array([["1", "2"]]))
    np.save(d / "one.npy", np.array(3.0))
    head = np.lib.format.header_data_from_array_1_0(np.eye(2)) | {"shape": (10**9, 10**9)}
    with (d / "claims.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(file, head)
    (d / "empty.csv").touch()
    (d / "comment.csv").write_text("# nothing\n")
    (d / "ragged.csv").write_text("1,2\n3\n")
    (d / "words.csv").write_text("m1,m2\n1,2\n")
    (d / "long.csv").write_text("1\n" * (LARGEST + 1))
    (d / "head.mtx").write_text(
        "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n"
    )
    (d / "none.mtx").write_text("1 2 3\n")
    (d / "few.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1.0\n")
    (d / "out.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n")
    (d / "wide.mtx").write_text(
        "%%MatrixMarket matrix coordinate real general\n1000000 1000000 1\n1 1 1.0\n"
    )
    (d / "zip.npz").write_bytes(b"PK\x03\x04 no archive")
    with (d / "large.csv").open("wb") as file:
        file.truncate(MOST_MATRIX_BYTES + 1)  # a hole, no bytes on the disk
    os.mkfifo(d / "pipe.csv")
    (d / "folder.csv").mkdir()
    return d


@pytest.mark.parametrize(
    ("name", "problem", "remedy"),
    [
        ("fee.mat:K", "does not exist", "Did you mean 'fe.mat'"),
        ("fe.mat:k", "has no 'k'", "Did you mean 'K'"),
        ("fe.mat:stifness", "has no 'stifness'", "Did you mean 'stiffness'"),
        ("fe.mat:Q", "has no 'Q'", "It holds K, M"),
        ("fe.mat", "holds K, M", "Say which, as in 'fe.mat:K'"),
        ("fe.mat:z", "is complex", "real numbers"),
        ("fe.mat:s", "is text", "real numbers"),
        ("fe.mat:c", "is a structure", "real numbers"),
        ("fe.mat:e", "is empty (0x0)", "as many rows"),
        ("fe.mat:v", "no matrix of rows and columns (2x2x2)", "as many rows"),
        ("old.mat:K", "no MAT file of version 5", "save('fe.mat'"),
        ("octave.mat:K", "no MAT file of version 5", "save -v7"),
        ("h.mat:z", "is complex", "real"),
        ("h.mat:s", "is text", "real"),
        ("h.mat:e", "is empty", "real"),
        ("h.mat:c", "is a structure", "real"),
        ("h.mat:huge", "is 1000000x1000000, larger than", "Condense"),
        ("h.mat:claims", "claims 0.119 GiB", "copy or export it again"),
        ("h.mat:elsewhere", "has no 'elsewhere'", "It holds"),
        ("h.mat:wide", "larger than", "Condense"),
        ("fe.npz", "holds K, M, stiffness", "fe.npz:K"),
        ("fe.npz:C", "has no 'C'", "It holds K, M, stiffness"),
        ("nan.npy", "not finite, row 1, column 0", "element"),
        ("nan.npy:K", "holds one matrix", "'nan.npy' alone"),
        ("objects.npy", "is no array of numbers", "real"),
        ("text.npy", "no numbers but text", "real"),
        ("one.npy", "no matrix of rows and columns (a single number)", "rows"),
        ("claims.npy", "cannot be read as a .npy file", "again"),
        ("empty.csv", "is empty", "again"),
        ("comment.csv", "holds no numbers", "a line for each row"),
        ("ragged.csv", "has 1 number(s) in line 2 and 2 in the first row", "no headings"),
        ("words.csv", "has 'm1' in line 1", "no headings"),
        ("long.csv", "larger than", "Condense"),
        ("head.mtx", "is coordinate complex general", "%%MatrixMarket"),
        ("none.mtx", "no heading", "%%MatrixMarket"),
        ("few.mtx", "has 1 entries where its heading says 3", "again"),
        ("out.mtx", "cannot be read as a .mtx file", "again"),
        ("wide.mtx", "is 1000000x1000000, larger than", "Condense"),
        ("zip.npz", "cannot be read as a .npz file", "again"),
        ("large.csv", "has 256 MiB, more than 256", "condense"),
        ("pipe.csv", "pipe or a device", "Choose"),
        ("folder.csv", "is a directory", "inside"),
    ],
)
def test_a_mistake_names_field_value_and_remedy(files, name, problem, remedy):
    reference = str(files / name)
    with pytest.raises(InputError) as error:
        read_matrix("structure.mass", reference)
    assert error.value.field == "structure.mass"
    assert error.value.value == reference
    assert problem in error.value.problem
    assert remedy in error.value.remedy
    assert "\n" not in str(error.value)
