"""Matrices of a small frame, and files of them as other programs write them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy import io, sparse

K = np.array([[3750.0, -1500.0, 0.0], [-1500.0, 2500.0, -1000.0 / 3], [0.0, -1000.0 / 3, 1000.0]])


def _sparse_73(group: h5py.Group, A: np.ndarray) -> None:
    """What MATLAB writes for a sparse matrix, in columns."""
    columns = sparse.csc_matrix(A)
    group.attrs["MATLAB_sparse"], group.attrs["MATLAB_class"] = (
        np.uint64(len(A)),
        np.bytes_("double"),
    )
    group["jc"] = columns.indptr.astype(np.uint64)
    if columns.nnz:
        group["ir"], group["data"] = columns.indices.astype(np.uint64), columns.data


def _mat73(path: Path, A: np.ndarray, thin: bool) -> str:
    with h5py.File(path, "w", userblock_size=512) as file:
        if thin:
            _sparse_73(file.create_group("K"), A)
        else:
            file["K"] = A.T
    return f"{path}:K"


def _mat5(path: Path, A: np.ndarray, thin: bool, packed: bool = False) -> str:
    given = sparse.csc_matrix(A) if thin else A
    io.savemat(path, {"K": given, "note": "a frame"}, do_compression=packed)
    return f"{path}:K"


def _npz(path: Path, A: np.ndarray) -> str:
    np.savez(path, K=A, other=np.zeros(3))
    return f"{path}:K"


def _npz_sparse(path: Path, A: np.ndarray, form: str) -> str:
    sparse.save_npz(path, sparse.csr_matrix(A).asformat(form))
    return str(path)


def _npy(path: Path, A: np.ndarray) -> str:
    np.save(path, np.asfortranarray(A))
    return str(path)


def _csv(path: Path, A: np.ndarray, separator: str) -> str:
    np.savetxt(path, A, delimiter=separator, fmt="%.17g", header="stiffness, N/m")
    return str(path)


def _mtx(path: Path, A: np.ndarray, thin: bool, symmetry: str) -> str:
    io.mmwrite(path, sparse.coo_matrix(A) if thin else A, symmetry=symmetry, precision=17)
    return str(path)


WRITERS: dict[str, Callable[[Path, np.ndarray], str]] = {
    "mat 5": lambda d, A: _mat5(d / "fe.mat", A, False),
    "mat 5 packed": lambda d, A: _mat5(d / "fe.mat", A, False, True),
    "mat 5 sparse": lambda d, A: _mat5(d / "fe.mat", A, True),
    "mat 7.3": lambda d, A: _mat73(d / "fe.MAT", A, False),
    "mat 7.3 sparse": lambda d, A: _mat73(d / "fe.mat", A, True),
    "npy": lambda d, A: _npy(d / "K.npy", A),
    "npz": lambda d, A: _npz(d / "fe.npz", A),
    "npz csr": lambda d, A: _npz_sparse(d / "K.npz", A, "csr"),
    "npz csc": lambda d, A: _npz_sparse(d / "K.npz", A, "csc"),
    "npz coo": lambda d, A: _npz_sparse(d / "K.npz", A, "coo"),
    "csv": lambda d, A: _csv(d / "K.csv", A, ","),
    "csv of semicolons": lambda d, A: _csv(d / "K.csv", A, ";"),
    "csv of blanks": lambda d, A: _csv(d / "K.csv", A, " "),
    "mtx sparse general": lambda d, A: _mtx(d / "K.mtx", A, True, "general"),
    "mtx sparse symmetric": lambda d, A: _mtx(d / "K.mtx", A, True, "symmetric"),
    "mtx full general": lambda d, A: _mtx(d / "K.mtx", A, False, "general"),
    "mtx full symmetric": lambda d, A: _mtx(d / "K.mtx", A, False, "symmetric"),
}


@pytest.fixture(params=WRITERS)
def written(request, tmp_path):
    """Write a symmetric matrix in each format; give what a plan says to name it."""
    return lambda A: WRITERS[request.param](tmp_path, A)


@pytest.fixture(scope="session")
def stiffness():
    return K
