"""Writes the C source of partan._core: declarations.py HEADERS OUTPUT.c

HEADERS is the folder of the public headers, the only place where the interface is declared: what cffi needs to know is
read from them. The compiler then compares every declaration with the headers themselves.
"""

import re
import sys
from pathlib import Path

import cffi

HERE = Path(__file__).resolve().parent

# Functions of Python that the library calls. Each is defined where it is used, by ffi.def_extern().
CALLBACKS = """
extern "Python" {
    void partan_on_log(void *, partan_log_level, const char *);
    int partan_on_progress(void *, const partan_progress *);
    void partan_on_trace(void *, const partan_trace_row *);
    int partan_on_path_point(void *, size_t, partan_model *);
    int partan_on_tune_point(void *, const partan_tune_point *);
    void partan_on_lasso_cv_point(void *, size_t, const partan_lasso_cv_point *);
    int partan_on_matrix_point(void *, const partan_matrix_point *);
}
"""


def headers_in_order(folder: Path) -> list[Path]:
    """All headers but the one that includes the others, each after those that it includes."""
    done: list[Path] = []

    def visit(header: Path) -> None:
        for name in re.findall(r'#include "partan/(\w+\.h)"', header.read_text()):
            visit(folder / name)
        if header not in done:
            done.append(header)

    visit(folder / "partan.h")
    return [header for header in done if header.name != "partan.h"]


def declarations(header: Path) -> str:
    """What a header declares, without comments, directives and macros."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'extern "C" \{', "", text)
    text = re.sub(r"^\}\s*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"PARTAN_DECLARE_INIT\((\w+)\)", r"void \1_init_sized(\1 *given, size_t size);", text)
    return text.replace("PARTAN_API ", "")


def main() -> None:
    """Writes the source."""
    folder, output = Path(sys.argv[1]), sys.argv[2]
    ffi = cffi.FFI()
    for header in headers_in_order(folder):
        ffi.cdef(declarations(header))
    ffi.cdef(CALLBACKS)
    ffi.cdef((HERE / "helpers.h").read_text())
    ffi.set_source("partan._core", '#include <partan/partan.h>\n#include "helpers.h"\n')
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
