#!/usr/bin/env python3
"""Writes what programs include as CUDA's headers: the files of `include` and those that the tables
describe, and the lists of calls and errors that Heddle's own sources include. README.md explains
the notation of the tables.

generate.py HEADERS LISTS  writes headers into one folder and lists into the other
generate.py --list         prints the names of all headers, then of all lists
"""
import pathlib
import re
import sys

SDK = pathlib.Path(__file__).resolve().parent
RUNTIME, DRIVER = "heddle/enumerations.h", "heddle/driver_enumerations.h"
SHARED = "heddle/shared_driver_structures.h"
# The headers that declare the calls that Heddle supports.
DECLARED = {"runtime": ("cuda_runtime_api.h", "heddle/graph_calls.h"), "driver": ("cuda.h",)}
CALL = {"runtime": "HEDDLE_CALL", "driver": "HEDDLE_DRIVER"}
RESULT = {"runtime": "cudaError_t", "driver": "CUresult"}
# The element and real types that the first letters of a library's call stand for.
ELEMENT = {"S": ("float", "float"), "D": ("double", "double"), "C": ("cuComplex", "float"),
           "Z": ("cuDoubleComplex", "double"), "H": ("__half", "__half")}


def expand(pattern):
    """'[SD]gemm(|Ex)': Sgemm, SgemmEx, Dgemm, DgemmEx."""
    found = re.search(r"\[(\w+)\]|\(([^()]*)\)", pattern)
    if not found:
        return [pattern]
    choices = found[1] or found[2].split("|")
    return [name for choice in choices
            for name in expand(pattern[:found.start()] + choice + pattern[found.end():])]


def spell(pattern, word):
    """The name for which the word stands. Capitals of the driver API: SetReadMostly is
    SET_READ_MOSTLY."""
    if word.startswith("!"):
        return word[1:]
    if re.match("[A-Z].*_[*]$", pattern) and re.match("[A-Z][^_]*[a-z][^_]*$", word):
        word = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", word)
        word = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", word).upper()
    return pattern.replace("*", word)


def valued(words):
    """(word, value) of 'One=1 Two'."""
    value = -1
    for word in words:
        word, _, given = word.partition("=")
        value = int(given, 0) if given else value + 1
        yield word, value


def text_of(api):
    return "\n".join((SDK / "include" / name).read_text() for name in DECLARED[api])


class Tables:
    def __init__(self):
        self.headers, self.lists = {}, {}  # lines by file
        self.absent, self.present = [], set()  # calls of libraries
        for table in sorted((SDK / "tables").glob("*.txt")):
            self.table = table.name
            text = re.sub(r"^#.*\n|^\n", "", table.read_text(), flags=re.M)
            for statement in re.split(r"\n(?=\S)", text.rstrip("\n")):
                head, colon, rest = statement.partition(":")
                verb, _, head = (head if colon else statement).partition(" ")
                try:
                    getattr(self, "read_" + verb)(head, rest)
                except Exception as error:
                    sys.exit(f"sdk/tables/{self.table}: {error!r} in\n{statement}")
        for api in DECLARED:
            self.add_declared(api)
        self.add_absent()

    def start(self, name):
        return self.headers.setdefault(
            name, [f"// Generated from sdk/tables/{self.table}.", "#pragma once"])

    def list(self, name, line):
        self.lists.setdefault(name, []).append(line)

    # Headers.
    def read_header(self, name, _):
        self.lines = self.start(name)

    def read_include(self, names, _):
        self.lines += ["#include " + (n if n[0] == "<" else f'"{n}"') for n in names.split()]

    def read_text(self, line, rest):
        self.lines += (line + (":" + rest if rest else "")).replace("\n  ", "\n").split("\n")

    def read_forward(self, target, names):
        for name in names.split():
            name, _, guard = name.partition("=")
            if not guard and name.endswith(".h") and "/" not in name:
                guard = f"__{name[:-2].upper()}_H__"
            self.start(name).extend(([f"#define {guard}"] if guard else []) +
                                    [f'#include "{target}"'])

    def read_standard(self, _, names):
        """cuda::std is std, with what the standard of the compilation lacks."""
        for name in names.split():
            name, *older = name.split("+")
            self.start("cuda/std/" + name).extend(
                [f"#include <{name}>", '#include "heddle/scoped_atomics.h"'] +
                [f'#include "heddle/older_{part}.h"' for part in older])

    def read_targets(self, name, targets):
        for target in targets.split():
            for condition, test in ("PROVIDES", ">="), ("IS_EXACTLY", "=="):
                macro = f"#define NV_{condition}_SM_{target}"
                self.start(name).extend([f"#if HEDDLE_TARGET_ARCH {test} {target}0", macro + " 1",
                                         "#else", macro + " 0", "#endif"])

    def read_absent(self, heads, rest):
        """All calls of a library: those without a signature are refused when they are called."""
        library, _, status = heads.partition(" = ")
        heads, _, patterns = rest.partition(":")
        result, _, pattern = heads.strip().rpartition(" ")
        if '"heddle/absent.h"' not in " ".join(self.lines):
            self.lines.append('#include "heddle/absent.h"')
        self.absent += [(self.lines, f'HEDDLE_ABSENT("{library}", {result}, {status or 0}, ', name)
                        for word in patterns.split() for name in expand(spell(pattern, word))]

    def add_absent(self):
        for lines, start, name in self.absent:
            if name not in self.present:
                lines.append(f"{start}{name})")

    def read_calls(self, heads, declarations):
        """Calls of a library, as sdk/libraries implements them: each is declared here and forwards
        to the function of the same name without prefix and types."""
        library, heads = heads.split(" ", 1)
        result, pattern = heads.rsplit(" ", 1)
        prefix, suffix = pattern.split("*")
        lines = self.lines
        lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif"]
        for choice, stem, parameters in re.findall(
                r"(\([\w|]+\)|\[\w+\])?(\w+)\(([^()]*)\)", declarations):
            for start in expand(choice) if choice else [""]:
                letters = [c for c in start if c.upper() in "SDCZH" and c != "I"]
                letter = next((c.upper() for c in letters if c.upper() in "CZ"),
                              letters[0].upper() if letters else "")
                for wide in (False, True) if re.search(r"\bN\b", parameters) else (False,):
                    types = dict(zip("TR", ELEMENT.get(letter, ("", ""))),
                                 N="int64_t" if wide else "int")
                    types["U"] = types["R" if start in ("Cs", "Zd") else "T"]
                    typed = re.sub(r"\b[TRUN]\b(?= |\*)", lambda t: types[t[0]],
                                   " ".join(parameters.split()))
                    base = prefix + start + stem + ("_64" if wide else "")
                    name = prefix + start + stem + suffix + ("_64" if wide else "")
                    names = [re.search(r"(\w+)(?:\[\])?$", p)[1] for p in typed.split(",")
                             if p and p != "void"]
                    self.present.add(base)
                    lines.append(f"{result} {name}({typed or 'void'});")
                    if name != base:
                        lines.append(f"#define {base} {name}")
                    function = re.sub("(?<=[a-z0-9])([A-Z])", r"_\1", stem).lower()
                    self.list(f"libraries/{library}_calls.inc",
                              f'extern "C" {result} {name}({typed}) '
                              f'{{ return {function}({", ".join(names)}); }}')
        lines += ["#ifdef __cplusplus", "}", "#endif"]

    # Enumerations and constants.
    def read_enum(self, heads, words):
        sides = [side.split() for side in heads.split("=")]
        names = [[], []]
        for word, value in valued(words.split()):
            left, bar, right = word.partition("|")
            for side, own in enumerate((left, right if bar else left)):
                if own and side < len(sides):
                    names[side].append(f"  {spell(sides[side][-1], own)} = {value},")
                    if side == 0 and "_STATUS_" in sides[0][-1]:
                        self.list(f"libraries/{sides[0][1]}.inc",
                                  f"HEDDLE_STATUS({spell(sides[0][-1], own)})")
        for (tag, *alias, _), lines, body in zip(sides, (self.lines, self.start(DRIVER)), names):
            tag = "" if tag == "-" else " " + tag
            lines += [f"{'typedef ' if alias else ''}enum{tag} {{"] + body
            lines[-1] = lines[-1][:-1]
            lines.append(f"}}{' ' + alias[0] if alias else ''};")

    def read_struct(self, heads, body):
        for pair in heads.split(" and"):
            (tag, *aliases), (name,) = (side.split() for side in pair.split("="))
            base = name.removesuffix("_v1")
            for lines, tag, aliases, side in (
                    (self.lines, tag, aliases, 1),
                    (self.start(SHARED), base + "_st", dict.fromkeys((name, base)), 2)):
                members = re.sub(r"<([^|>]*)\|([^>]*)>", lambda found: found[side], body)
                lines.append(f"{'typedef ' if aliases else ''}struct {tag} {{{members}\n}} "
                             f"{', '.join(aliases)};")

    def read_constants(self, pattern, words):
        self.lines += [f"#define {spell(pattern, w)} {v if v >= 0 else f'({v})'}"
                       for w, v in valued(words.split())]

    def read_names(self, heads, words):
        new, old = heads.split(" = ")
        self.lines += [f"#define {spell(new, w)} {spell(old, w)}" for w in words.split()]

    def read_errors(self, _, rest):
        enums = {"cudaError": [], "cudaError_enum": []}
        for line in re.sub(r"\n {4}", "", rest).strip().split("\n"):
            value, runtime, driver, text = (line.split(None, 3) + [""])[:4]
            if runtime != "-":
                name = "cudaSuccess" if value == "0" else "cudaError" + runtime
                enums["cudaError"].append(f"  {name} = {value}")
                if text:
                    self.list("objects/errors.inc", f'HEDDLE_ERROR({name}, "{text}")')
            if driver != "-":
                name = "CUDA_SUCCESS" if value == "0" else "CUDA_ERROR_" + driver
                enums["cudaError_enum"].append(f"  {name} = {value}")
                self.list("driver/errors.inc", f"HEDDLE_ERROR({name})")
        for header, start, tag, end in ((RUNTIME, "enum", "cudaError", "};"),
                                        (DRIVER, "typedef enum", "cudaError_enum", "} CUresult;")):
            self.start(header).append(f"{start} {tag} {{\n" + ",\n".join(enums[tag]) + "\n" + end)

    # Calls.
    def add_declared(self, api):
        """Every call that a header declares has a definition."""
        calls = re.findall(r"^(?:const |struct )?\w+\*? (cu\w+)\(", text_of(api), flags=re.M)
        listed = self.lists[f"abi/{api}_calls.inc"]
        known = {re.split(r"\W", line)[1] for line in listed if "VARIANT" not in line}
        listed[:0] = [f"{CALL[api]}({call})" for call in sorted(set(calls) - known)]

    def read_forwarded(self, _, names):
        declared = dict(re.findall(r"^CUresult (\w+)\(([^()]*)\)", text_of("driver"), flags=re.M))
        for name in names.split():
            name, _, target = name.partition("=")
            target = target or "cuda" + re.sub(r"_v\d$", "", name)[2:]
            parameters = " ".join(declared[name].split())
            passed = ", ".join(f"As{{{p}}}" for p in re.findall(r"(?<!,) (\w+)(?:,|$)", parameters))
            self.list("driver/forwarded_calls.inc",
                      f"CUresult {name}({parameters}) "
                      f"{{ return driver([&] {{ return {target}({passed}); }}); }}")

    def read_nodes(self, _, names):
        """Calls that add nodes of a type to graphs, or change their parameters. The place of a new
        node is one value; what follows the parameters, such as a context, is not used."""
        kinds = (("GraphAdd*Node", 5, "add_{}_node({{{}, {}, {}, {}}}, {})"),
                 ("Graph*NodeSetParams", 2, "set_{}_node({}, {})"),
                 ("GraphExec*NodeSetParams", 3, "set_{}_node({}, {}, {})"))
        for api, start in ("runtime", "cuda"), ("driver", "cu"):
            declared = dict(re.findall(rf"^{RESULT[api]} (\w+)\(([^()]*)\)", text_of(api), re.M))
            for name in names.split():
                for pattern, count, made in kinds:
                    call = start + pattern.replace("*", name)
                    parameters = " ".join(declared[call].split()).split(", ")
                    passed = [re.search(r"\w+$", p)[0] for p in parameters[:count]]
                    parameters[count:] = [p.split()[0] for p in parameters[count:]]
                    self.list(f"{api}/node_calls.inc",
                              f"{RESULT[api]} {call}({', '.join(parameters)}) "
                              f"{{ return {made.format(api, *passed)}; }}")

    def read_further(self, api, names):
        for name in names.split():
            self.list(f"abi/{api}_calls.inc", f"{CALL[api]}({name})")

    def read_changed(self, versions, names):
        for name in names.split():
            older = f"heddle_{name.removesuffix('_v2')}_"
            of11, of12 = (older + v if v != "13" else name for v in versions.split())
            self.list("abi/runtime_calls.inc", f"HEDDLE_CHANGED({name}, {of11}, {of12})")

    def read_variants(self, heads, names):
        api, suffix = heads.split()
        macro = {"runtime": "HEDDLE_VARIANT", "driver": "HEDDLE_DRIVER_VARIANT"}[api]
        for name in names.split():
            self.list(f"abi/{api}_calls.inc", f"{macro}({name}, {suffix})")

    def read_refused(self, heads, declarations):
        api, _, needs = heads.partition(" ")
        lines = self.start(f"heddle/refused_{api}_calls.h")
        lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif"]
        macro = {"runtime": "HEDDLE_REFUSED", "driver": "HEDDLE_REFUSED_DRIVER"}[api]
        for name, parameters in re.findall(r"(\w+)(\([^()]*\))?", declarations):
            self.list(f"{api}/refused_calls.inc", f'{macro}({name}, "{needs}")')
            if parameters:
                parameters = " ".join(parameters.split())
                lines.append(f"{RESULT[api]} {name}{parameters};")
                if name.endswith("_v2"):
                    lines.append(f"#define {name[:-3]} {name}")
        lines += ["#ifdef __cplusplus", "}", "#endif"]

    def read_since(self, version, names):
        """Types of pointers to the driver's functions, by the version of their signature."""
        for name in names.split():
            self.start("heddle/driver_versions.h").append(
                f"typedef decltype(&{name}) PFN_{name}_v{version}, PFN_{name};")

    def read_signatures(self, version, names):
        for name in names.split():
            call = re.sub(r"_v\d$", "", name)
            self.list("driver/signatures.inc", f"HEDDLE_SIGNATURE({call}, {version}, {name})")


def own_headers():
    return sorted(p for p in (SDK / "include").rglob("*") if p.is_file() and p.name[0] != ".")


def write(folder, name, text):
    path = folder / name
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    tables = Tables()
    own = {str(p.relative_to(SDK / "include")): p for p in own_headers()}
    for name in own.keys() & tables.headers.keys():
        sys.exit(f"sdk/include/{name} is described in a table, too")
    if sys.argv[1:] == ["--list"]:
        print(";".join(sorted(own.keys() | tables.headers.keys())))
        print(";".join(sorted(tables.lists)))
        return
    headers, lists = (pathlib.Path(folder) for folder in sys.argv[1:])
    for name, path in own.items():
        write(headers, name, path.read_text())
    for folder, files in ((headers, tables.headers), (lists, tables.lists)):
        for name, lines in files.items():
            write(folder, name, "\n".join(lines) + "\n")
    names = own.keys() | tables.headers.keys()
    for path in headers.rglob("*"):  # a header may have had another name
        if path.is_file() and str(path.relative_to(headers)) not in names:
            path.unlink()


if __name__ == "__main__":
    main()
