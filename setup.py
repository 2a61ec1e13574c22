"""Build the compiled kernel, where possible. Everything else is configured in pyproject.toml.

The environment variable BONMUN_KERNEL controls the build:

    (not set)   compile the kernel; if that fails, print one line and install bonmun without it
    required    compile it, or fail
    no          do not compile it: the wheel works on every machine
    sanitize    compile it with the checks of ASan and UBSan, which make it slow, or fail (`make sanitize`)
"""

from __future__ import annotations

import hashlib
import os
import platform
import runpy
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

KERNEL = Path("src/bonmun/kernel")
SOURCES = runpy.run_path(str(KERNEL / "sources.py"))
KERNEL_SETTING = os.environ.get("BONMUN_KERNEL", "")
IS_SANITIZED = KERNEL_SETTING == "sanitize"
CHOICES = ("", "required", "no", "sanitize")
BUILDING = {"bdist_wheel", "build", "build_ext", "editable_wheel"}

# Baseline instructions only, so that a wheel runs on any machine of its kind. -g0: no debug symbols, for faster builds.
RELEASE_FLAGS = ["-O2", "-g0", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden"]
SANITIZER_FLAGS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
SANITIZED_FLAGS = [
    "-O1",
    "-g",
    "-fno-omit-frame-pointer",
    "-fno-wrapv",
    *SANITIZER_FLAGS,
]  # an overflow is an error, too
MSVC_FLAGS = ["/O2", "/std:c11"]
DIRECTIVES = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}

# Records what the kernel was built from. All modules are installed, or none: if this one can be imported, all can.
BUILD_MODULE = """#include <Python.h>

static int fill(PyObject *module) {
    return PyModule_AddStringConstant(module, "DIGEST", "%s") || PyModule_AddStringConstant(module, "MODULES", "%s");
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_build", "What the kernel was built from.", 0, NULL, slots};

PyMODINIT_FUNC PyInit__build(void) { return PyModuleDef_Init(&definition); }
"""


def find_obstacle() -> str:
    """Return why the kernel cannot be built for this Python and this machine; empty if it can."""
    if KERNEL_SETTING == "no":
        return "BONMUN_KERNEL=no is set"
    if sys.implementation.name != "cpython":
        return f"it supports CPython only, and this is {platform.python_implementation()}"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "it has not been tested on free-threaded Python"
    if sys.byteorder != "little":
        return "it has not been tested on big-endian machines"
    return ""


def report_missing_kernel(reason: str) -> None:
    """Report in one line that there is no kernel, or fail if it is required."""
    if KERNEL_SETTING in ("required", "sanitize"):
        raise SystemExit(
            f"bonmun: the compiled kernel was not built: {reason}. BONMUN_KERNEL={KERNEL_SETTING} requires it."
        )
    print(
        f"bonmun: the compiled kernel was not built: {reason}. bonmun works without it but is slower.", file=sys.stderr
    )


def describe(problem: Exception) -> str:
    """Return a short description of an error."""
    lines = str(problem).strip().splitlines() or [type(problem).__name__]
    return lines[0].rstrip(".")


def remove_modules(folder: Path) -> None:
    """Remove all modules compiled for this Python, including those of earlier builds."""
    for path in folder.glob(f"_*{sysconfig.get_config_var('EXT_SUFFIX')}"):
        path.unlink()


class CannotCompile(Exception):
    """A module cannot be compiled."""


class BuildKernel(build_ext):
    """Compiles all modules of the kernel in parallel; if one fails, none is installed."""

    def finalize_options(self) -> None:
        """Use all cores; compiled modules are reused by content, not by modification time."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or 1
        self.force = True

    def run(self) -> None:
        """Compile the kernel; if anything fails, bonmun is installed without it."""
        try:
            super().run()
        except Exception as problem:  # any error: a missing kernel must never fail the installation
            remove_modules(Path(self.build_lib, "bonmun", "kernel"))
            if self.inplace or self.editable_mode:
                remove_modules(KERNEL)
            self.extensions = []
            report_missing_kernel(describe(problem))

    def build_extension(self, extension: Extension) -> None:
        """Compile a module, or reuse one that was compiled from the same sources."""
        folder = Path("build", "kernel", f"{sys.implementation.cache_tag}-{self.plat_name}{'-checked' * IS_SANITIZED}")
        folder.mkdir(parents=True, exist_ok=True)
        built = Path(self.get_ext_fullpath(extension.name))
        cached, key_file = folder / built.name, folder / f"{built.name}.key"
        msvc = self.compiler.compiler_type == "msvc"
        extension.extra_compile_args = MSVC_FLAGS if msvc else SANITIZED_FLAGS if IS_SANITIZED else RELEASE_FLAGS
        if extension.name.endswith("._network") and not (msvc or IS_SANITIZED):
            # Only its loops gain from -O3. On ARM, GCC would schedule all loads of a loop before the multiplications,
            # which needs more registers than there are.
            extension.extra_compile_args = [*RELEASE_FLAGS, "-O3", "-fno-schedule-insns"]
        extension.extra_link_args = SANITIZER_FLAGS if IS_SANITIZED else []
        extension.include_dirs = [str(KERNEL)]
        key = make_key(extension)
        if not (cached.is_file() and key_file.is_file() and key_file.read_text() == key):
            extension.sources = [str(write_c(extension, folder))]
            self.compile(extension)
            key_file.unlink(missing_ok=True)
            shutil.copyfile(built, cached)
            key_file.write_text(key)
        built.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(cached, built)

    def compile(self, extension: Extension) -> None:
        """Run the compiler and the linker, which print their own errors."""
        try:
            super().build_extension(extension)
        except Exception as problem:  # compilers raise errors of many modules
            raise CannotCompile(f"no C compiler could compile {extension.name}") from problem


class BuildClean(build):
    """Builds in an empty folder, so that files deleted from the sources do not end up in a wheel."""

    def run(self) -> None:
        """Empty the folder only if it belongs to the build."""
        if Path(self.build_lib).resolve().is_relative_to(Path(self.build_base).resolve()):
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


def make_key(extension: Extension) -> str:
    """Return a hash of everything that a compiled module depends on."""
    shared = [path for path in SOURCES["find_sources"](KERNEL) if path.suffix != ".pyx"]
    parts = [Path(each).read_bytes() for each in (*extension.sources, *shared, "setup.py")]
    parts += [os.environ.get(name, "").encode() for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS")]
    parts += [sys.version.encode(), find_cython_version().encode()]
    if extension.name.endswith("._build"):
        parts.append(write_build_module().encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def find_cython_version() -> str:
    """Return the version of Cython without importing it."""
    from importlib.metadata import version

    return version("cython")


def write_build_module() -> str:
    """Return the C source of the module that records what the kernel was built from."""
    names = " ".join(path.stem for path in sorted(KERNEL.glob("*.pyx")))
    return BUILD_MODULE % (SOURCES["digest_sources"](KERNEL), names)


def write_c(extension: Extension, folder: Path) -> Path:
    """Translate a module to C with Cython, in a separate process, so that several run in parallel."""
    target = folder / f"{extension.name.rpartition('.')[2]}.c"
    if extension.name.endswith("._build"):
        target.write_text(write_build_module())
        return target
    options = [f"--directive={name}={value}" for name, value in DIRECTIVES.items()]
    command = [sys.executable, "-m", "cython", "-3", *options, "--module-name", extension.name]
    if subprocess.run([*command, "-o", str(target), extension.sources[0]]).returncode:
        raise CannotCompile(f"Cython cannot compile {extension.sources[0]}")
    return target


if KERNEL_SETTING not in CHOICES:
    raise SystemExit(f"BONMUN_KERNEL={KERNEL_SETTING} is invalid; use required, no or sanitize, or unset it.")
names = [path.stem for path in sorted(KERNEL.glob("*.pyx"))]
modules = [Extension(f"bonmun.kernel.{name}", [str(KERNEL / f"{name}.pyx")]) for name in names]
modules += [Extension("bonmun.kernel._build", [])] if names else []
if reason := find_obstacle():
    modules = []
    if BUILDING & set(sys.argv):  # not only a query for name and version
        if "editable_wheel" in sys.argv:
            remove_modules(KERNEL)
        report_missing_kernel(reason)
setup(ext_modules=modules, cmdclass={"build": BuildClean, "build_ext": BuildKernel})
