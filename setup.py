"""The kernel: what setuptools compiles, where it can. All else that it needs to know stands in pyproject.toml."""

from __future__ import annotations

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNEL = Path("src/bonmun/kernel")
OPTIONS = ["-O3", "-fno-math-errno", "-fno-trapping-math"]
DIRECTIVES = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}

setup(
    ext_modules=cythonize(
        [
            Extension(f"bonmun.kernel.{path.stem}", [str(path)], extra_compile_args=OPTIONS, optional=True)
            for path in sorted(KERNEL.glob("*.pyx"))
        ],
        language_level=3,
        compiler_directives=DIRECTIVES,
    )
)
