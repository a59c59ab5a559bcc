#!/usr/bin/env python3
"""Writes one CUDA source that contains several programs, each in a namespace with its name.

join_programs.py OUTPUT SOURCE...

nvcc takes most of its time for CUDA's headers. Here it reads them once: the joined source includes
all headers of the programs first, so that their own includes are empty. The first argument of the
joined program names the program that runs.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r"^#include (<[^>]+>|\"check.h\")", re.MULTILINE)
# Only a function main in the global namespace returns 0 where it has no return.
MAIN = re.compile(r"^int main\(([^)]*)\) \{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)


def namespace(source, text):
    body, mains = MAIN.subn(r"int main(\1) {\n\2  return 0;\n}\n", text)
    if mains != 1:
        sys.exit(f"{source}: error: not one main that begins with 'int main(' and ends with '}}'")
    return f'namespace {source.stem} {{\n#line 1 "{source}"\n{body}}}\n'


def main():
    output, *names = sys.argv[1:]
    texts = {pathlib.Path(name): pathlib.Path(name).read_text() for name in names}
    headers = ["<cstring>"]
    for text in texts.values():
        headers += INCLUDE.findall(text)
    # Some headers are included only where they exist.
    joined = "".join(f"#if __has_include({header})\n#include {header}\n#endif\n"
                     for header in dict.fromkeys(headers))
    joined += "".join(namespace(source, text) for source, text in texts.items())
    calls = ""
    for source, text in texts.items():
        parameters = "1, arguments" if MAIN.search(text)[1] else ""
        calls += (f'  if (!std::strcmp(arguments[1], "{source.stem}"))\n'
                  f"    return {source.stem}::main({parameters});\n")
    joined += f"int main(int, char** arguments) {{\n{calls}  return 2;\n}}\n"
    pathlib.Path(output).write_text(joined)


main()
