"""The kernel: what setuptools compiles, where it can. All else that it needs to know stands in pyproject.toml.

BONMUN_KERNEL in the environment says what the build does about it:

    (not set)   compile it; where that cannot be done, say so in one line and install bonmun without it
    required    compile it, or fail
    no          do not compile it: the wheel is one for every machine
    sanitize    compile it, slow and with the checks of ASan and UBSan in it, or fail (`make sanitize`)
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
WANTED = os.environ.get("BONMUN_KERNEL", "")
CHECKING = WANTED == "sanitize"
CHOICES = ("", "required", "no", "sanitize")
BUILDING = {"bdist_wheel", "build", "build_ext", "editable_wheel"}

# Baseline instructions only: a wheel runs on any machine of its kind. -g0: no one debugs them, and it builds faster.
PLAIN = ["-O2", "-g0", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden"]
CHECKS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
CHECKED = ["-O1", "-g", "-fno-omit-frame-pointer", "-fno-wrapv", *CHECKS]  # an overflow is a fault, too
MSVC = ["/O2", "/std:c11"]
DIRECTIVES = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}

# Says what the kernel was built from. All modules or none are installed: where this one can be imported, all can.
MARK = """#include <Python.h>

static int fill(PyObject *module) {
    return PyModule_AddStringConstant(module, "DIGEST", "%s") || PyModule_AddStringConstant(module, "MODULES", "%s");
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_build", "What the kernel was built from.", 0, NULL, slots};

PyMODINIT_FUNC PyInit__build(void) { return PyModuleDef_Init(&definition); }
"""


def why_not() -> str:
    """Why there is no kernel for this Python and this machine, if there is none."""
    if WANTED == "no":
        return "BONMUN_KERNEL=no is set"
    if sys.implementation.name != "cpython":
        return f"it is for CPython only, and this is {platform.python_implementation()}"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "this is a free-threaded Python, on which it has not been tried"
    if sys.byteorder != "little":
        return "this is a big-endian machine, on which it has not been tried"
    return ""


def give_up(reason: str) -> None:
    """Say in one line that there is no kernel, or fail where one must be."""
    if WANTED in ("required", "sanitize"):
        raise SystemExit(f"bonmun: the compiled kernel was not built: {reason}. BONMUN_KERNEL={WANTED} asks for it.")
    print(f"bonmun: the compiled kernel was not built: {reason}. bonmun runs without it, slower.", file=sys.stderr)


def describe(problem: Exception) -> str:
    """What went wrong, in a few words."""
    lines = str(problem).strip().splitlines() or [type(problem).__name__]
    return lines[0].rstrip(".")


def remove_modules(folder: Path) -> None:
    """Remove all modules that were compiled for this Python, now or before."""
    for path in folder.glob(f"_*{sysconfig.get_config_var('EXT_SUFFIX')}"):
        path.unlink()


class CannotCompile(Exception):
    """One of the modules cannot be compiled."""


class BuildKernel(build_ext):
    """Compiles all modules of the kernel, side by side; if one cannot be compiled, there is none."""

    def finalize_options(self) -> None:
        """On all cores; what was compiled before is told by its content, not by the times of files."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or 1
        self.force = True

    def run(self) -> None:
        """Whatever goes wrong, bonmun itself can be installed."""
        try:
            super().run()
        except Exception as problem:  # any: a kernel is never worth an install that fails
            remove_modules(Path(self.build_lib, "bonmun", "kernel"))
            if self.inplace or self.editable_mode:
                remove_modules(KERNEL)
            self.extensions = []
            give_up(describe(problem))

    def build_extension(self, extension: Extension) -> None:
        """Compile one module, or take it as it was compiled from the same sources before."""
        folder = Path("build", "kernel", f"{sys.implementation.cache_tag}-{self.plat_name}{'-checked' * CHECKING}")
        folder.mkdir(parents=True, exist_ok=True)
        made = Path(self.get_ext_fullpath(extension.name))
        kept, noted = folder / made.name, folder / f"{made.name}.key"
        msvc = self.compiler.compiler_type == "msvc"
        extension.extra_compile_args = MSVC if msvc else CHECKED if CHECKING else PLAIN
        if extension.name.endswith("._network") and not (msvc or CHECKING):
            # its loops are numbers alone; others gain nothing by it. On ARM, GCC would load all that a loop reads
            # before it multiplies, which is more than there are registers
            extension.extra_compile_args = [*PLAIN, "-O3", "-fno-schedule-insns"]
        extension.extra_link_args = CHECKS if CHECKING else []
        extension.include_dirs = [str(KERNEL)]
        key = make_key(extension)
        if not (kept.is_file() and noted.is_file() and noted.read_text() == key):
            extension.sources = [str(write_c(extension, folder))]
            self.compile(extension)
            noted.unlink(missing_ok=True)
            shutil.copyfile(made, kept)
            noted.write_text(key)
        made.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kept, made)

    def compile(self, extension: Extension) -> None:
        """Run the compiler and the linker, whose output says what is wrong, if it is anything."""
        try:
            super().build_extension(extension)
        except Exception as problem:  # compilers fail in errors of many modules; the cause is kept
            raise CannotCompile(f"there is no C compiler that compiles {extension.name}") from problem


class BuildAfresh(build):
    """Builds in an empty folder: what was deleted from the sources since the last time is in no wheel."""

    def run(self) -> None:
        """Only a folder of the build's own is emptied."""
        if Path(self.build_lib).resolve().is_relative_to(Path(self.build_base).resolve()):
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


def make_key(extension: Extension) -> str:
    """All that a compiled module depends on, as one number."""
    shared = [path for path in SOURCES["find_sources"](KERNEL) if path.suffix != ".pyx"]
    parts = [Path(each).read_bytes() for each in (*extension.sources, *shared, "setup.py")]
    parts += [os.environ.get(name, "").encode() for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS")]
    parts += [sys.version.encode(), find_cython_version().encode()]
    if extension.name.endswith("._build"):
        parts.append(write_mark().encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def find_cython_version() -> str:
    """The version of Cython, which is not loaded for it."""
    from importlib.metadata import version

    return version("cython")


def write_mark() -> str:
    """The module that says what the kernel was built from."""
    names = " ".join(path.stem for path in sorted(KERNEL.glob("*.pyx")))
    return MARK % (SOURCES["digest_sources"](KERNEL), names)


def write_c(extension: Extension, folder: Path) -> Path:
    """Have Cython write a module in C, in a process of its own, so that several are written at once."""
    target = folder / f"{extension.name.rpartition('.')[2]}.c"
    if extension.name.endswith("._build"):
        target.write_text(write_mark())
        return target
    options = [f"--directive={name}={value}" for name, value in DIRECTIVES.items()]
    command = [sys.executable, "-m", "cython", "-3", *options, "--module-name", extension.name]
    if subprocess.run([*command, "-o", str(target), extension.sources[0]]).returncode:
        raise CannotCompile(f"Cython cannot read {extension.sources[0]}")
    return target


if WANTED not in CHOICES:
    raise SystemExit(f"BONMUN_KERNEL={WANTED}: it may be required, no, sanitize or nothing.")
names = [path.stem for path in sorted(KERNEL.glob("*.pyx"))]
modules = [Extension(f"bonmun.kernel.{name}", [str(KERNEL / f"{name}.pyx")]) for name in names]
modules += [Extension("bonmun.kernel._build", [])] if names else []
if reason := why_not():
    modules = []
    if BUILDING & set(sys.argv):  # and not only asking for a name and a version
        if "editable_wheel" in sys.argv:
            remove_modules(KERNEL)
        give_up(reason)
setup(ext_modules=modules, cmdclass={"build": BuildAfresh, "build_ext": BuildKernel})
