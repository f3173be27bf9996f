"""Tells what SciPy and NumPy load from a plant, in the words of told.h.

    tell.py entries FILE...            every entry; the files one after the other, an empty line between them
    tell.py system LOADER FILE...      poles, DC gain and frequency response, a line each; LOADER.load reads a .npz
"""

import importlib.util
import json
import pathlib
import struct
import sys

import numpy
import scipy.io
import scipy.signal
import scipy.sparse


# ----- Loading: {name: value} with texts as str and list, sparse matrices as SciPy's

SPARSE = ("data", "indices", "indptr", "shape")


def load_npz(path):
    file = numpy.load(path)
    entries = {}
    for name in file.files:
        stem, _, last = name.rpartition(".")
        if last in SPARSE:
            parts = [file[f"{stem}.{part}"] for part in SPARSE]
            entries[stem] = scipy.sparse.csc_matrix(tuple(parts[:3]), parts[3])
        elif file[name].dtype.kind == "U":
            entries[name] = file[name].tolist()
        else:
            entries[name] = file[name]
    return entries


def load_mat(path):
    content = scipy.io.loadmat(path, chars_as_strings=True)["stillpoint"]
    return of_mat_struct(content, "")


def of_mat_struct(content, prefix):
    entries = {}
    for field in content.dtype.names:
        value, name = content[field][0, 0], prefix + field
        if name == "utf8":
            continue
        if scipy.sparse.issparse(value):
            entries[name] = value
        elif value.dtype.names:
            entries.update(of_mat_struct(value, name + "."))
        elif value.dtype == object:
            entries[name] = [str(text[0]) if text.size else "" for text in value[:, 0]]
        elif value.dtype.kind == "U":
            entries[name] = str(value[0]) if value.size else ""
        else:
            is_vector = value.ndim == 2 and value.shape[1] == 1 and name not in ("A", "B", "C", "D", "E")
            entries[name] = value[:, 0] if is_vector else value
    return entries


def load_json(path):
    return of_json(json.loads(pathlib.Path(path).read_text("utf-8")), "")


def of_json(content, prefix):
    entries = {}
    for key, value in content.items():
        name = prefix + key
        if isinstance(value, dict) and "shape" in value:
            places = (value["rows"], value["columns"])
            entries[name] = scipy.sparse.csc_matrix((numpy.array(value["values"], float), places), value["shape"])
        elif isinstance(value, dict):
            entries.update(of_json(value, name + "."))
        elif isinstance(value, str) or (isinstance(value, list) and value and isinstance(value[0], str)):
            entries[name] = value
        elif name in ("modes.s", "check.response"):
            pairs = numpy.array(value, float)
            numbers = numpy.empty(pairs.shape[:-1], complex)
            numbers.real, numbers.imag = pairs[..., 0], pairs[..., 1]
            entries[name] = numbers if name == "modes.s" else numpy.moveaxis(numbers, 0, -1)
        elif name in ("A", "B", "C", "D", "E"):
            entries[name] = numpy.array(value, float).reshape(len(value), -1 if value else 0)
        else:
            is_texts = key in ("notes", "overrides") or key.endswith(("Name", "Unit"))
            entries[name] = value if is_texts else numpy.array(value, float)
    return entries


def load_folder(path):
    folder = pathlib.Path(path)
    entries = load_json(folder / "model.json")
    for file in folder.glob("*.mtx"):
        entries[file.stem] = scipy.io.mmread(file).tocsc()
    for name in "TS":
        entries.setdefault(name, scipy.sparse.csc_matrix((0, 0)))
    if entries["form"] in ("state-space", "modal"):
        for name in "ABCD":
            entries[name] = filled(entries[name])
        entries["E"] = numpy.zeros((0, 0))
    return entries


def filled(matrix):
    # toarray() adds to zero, in which -0 is lost.
    stored, full = matrix.tocoo(), numpy.zeros(matrix.shape)
    full[stored.row, stored.col] = stored.data
    return full


def load(path):
    for ending, loader in ((".npz", load_npz), (".mat", load_mat), (".json", load_json)):
        if path.endswith(ending):
            return loader(path)
    return load_folder(path)


# ----- Telling


def bits(value):
    return struct.pack(">d", value).hex()


def complex_bits(values):
    return [f"{bits(z.real)} {bits(z.imag)}" for z in values]


def words(name, value):
    if isinstance(value, (str, list)):
        texts = [value] if isinstance(value, str) else value
        return ["texts", len(texts)] + ['"' + text.encode().hex() for text in texts]
    if scipy.sparse.issparse(value):
        stored = value.tocoo()
        places = sorted((j, i, x) for i, j, x in zip(stored.row, stored.col, stored.data) if x != 0)
        return ["sparse", *value.shape] + [f"{i},{j},{bits(x)}" for j, i, x in places]
    if name == "check.response":
        return ["response", *value.shape] + complex_bits(value.ravel(order="F"))
    if value.ndim == 2 and name in ("A", "B", "C", "D", "E"):
        return ["full", *value.shape] + [bits(x) for x in value.ravel(order="F")]
    if value.dtype.kind == "c":
        return ["complex", value.size] + complex_bits(value.ravel())
    return ["vector", value.size] + [bits(x) for x in value.ravel()]


def tell_entries(*paths):
    sys.stdout.buffer.write(b"\n".join(entries_of(path) for path in paths))


def entries_of(path):
    lines = [" ".join(map(str, [name, *words(name, value)])) for name, value in load(path).items()]
    return ("\n".join(sorted(lines, key=str.encode)) + "\n").encode()


# ----- The system that the entries are


def first_order(plant):
    """A, B, C, D, E as full matrices."""
    full = {name: plant[name].toarray() if scipy.sparse.issparse(plant[name]) else plant[name]
            for name in "ABCDEFGMK" if name in plant}
    if str(plant["form"]) != "second-order":
        n = len(full["A"])
        return [full[name] for name in "ABCD"] + [full["E"] if full["E"].size else numpy.eye(n)]
    n = len(full["M"])
    zero, one = numpy.zeros((n, n)), numpy.eye(n)
    A = numpy.block([[zero, one], [-full["K"], -full["C"]]])
    B = numpy.vstack([numpy.zeros_like(full["B"]), full["B"]])
    return A, B, numpy.hstack([full["F"], full["G"]]), full["D"], numpy.block([[one, zero], [zero, full["M"]]])


def module_of(path):
    spec = importlib.util.spec_from_file_location("loader", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tell_system(loader, *paths):
    for path in paths:
        if path.endswith(".npz"):
            page = module_of(loader)
            plant = page.load(path)
            verified = page.verify(plant)
        else:
            plant, verified = load(path), 0
        print(json.dumps(system_of(plant) | {"verified": verified}))


def system_of(plant):
    A, B, C, D, E = first_order(plant)
    gain = D - C @ numpy.linalg.solve(A, B)
    worst = 0
    for k, omega in enumerate(plant["check.omega"]):
        expected = plant["check.response"][:, :, k]
        found = C @ numpy.linalg.solve(1j * omega * E - A, B) + D
        worst = max(worst, numpy.max(abs(found - expected) / abs(expected)))
    told = {"poles": None, "gain": gain.tolist(), "response_error": worst}
    if numpy.linalg.matrix_rank(E) == len(E):  # otherwise some poles are infinite, and rounding makes them large
        system = scipy.signal.StateSpace(numpy.linalg.solve(E, A), numpy.linalg.solve(E, B), C, D)
        poles = sorted(numpy.linalg.eigvals(system.A), key=lambda s: (s.imag, s.real))
        told["poles"] = [[s.real, s.imag] for s in poles]
    return told


if __name__ == "__main__":
    {"entries": tell_entries, "system": tell_system}[sys.argv[1]](*sys.argv[2:])
