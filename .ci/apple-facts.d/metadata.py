"""Reads PyObjC's metadata of a framework: the file `_metadata.py` of a package, as data. Nothing of it is executed."""
import ast


class FactsError(Exception):
    """What keeps the facts from being compared. Its text is a sentence for people."""


class Metadata:
    """What PyObjC records of one framework or of several."""

    def __init__(self):
        self.constants = {}  # name: encoding, which is empty for an object
        self.values = {}  # name: number or string that is known without the framework
        self.aliases = {}  # name: the name that it stands for
        self.types = {}  # name: 'int' or 'str', what the type is behind its name
        self.structures = {}  # name: names of the fields
        self.functions = {}  # name: encoding
        self.selectors = {}  # (class, selector): what is recorded of its result and arguments
        self.initializers = {}  # class: selectors
        self.cf_types = set()
        self.protocols = b""  # the binaries, which hold the names of the protocols

    def add(self, other):
        """Adds what another framework has."""
        for name in ("constants", "values", "aliases", "types", "structures", "functions", "selectors"):
            getattr(self, name).update(getattr(other, name))
        for name, selectors in other.initializers.items():
            self.initializers.setdefault(name, set()).update(selectors)
        self.cf_types |= other.cf_types
        self.protocols += other.protocols

    def has_constant(self, name):
        return name in self.constants or name in self.values or name in self.aliases

    def value(self, name):
        """The number or string of a constant, or None where the framework alone knows it."""
        return self.values.get(name, self.values.get(self.aliases.get(name)))

    def has_class(self, name):
        return name in self.initializers or any(owner == name for owner, _ in self.selectors)

    def has_protocol(self, name):
        return b"\0" + name.encode() + b"\0" in self.protocols


# A choice that PyObjC makes by the machine, and which alternative holds for a phone: 64 bits, little endian, arm64.
CHOICES = {"sel32or64": 1, "littleOrBig": 0, "selAorI": 0}
OPAQUE = ("objc.createOpaquePointerType", "objc.createStructType", "NewType", "objc.informal_protocol")
IGNORED = ("misc", "protocols", "expressions", "formal_protocols", "r")


def read(text, origin):
    """Reads the text of a `_metadata.py`. `origin` names it in errors."""
    try:
        statements = ast.parse(text).body
    except SyntaxError as error:
        raise FactsError(f"{origin}: line {error.lineno} is not Python.") from None
    reader = _Reader(origin)
    for statement in statements:
        reader.read(statement)
    if not reader.found.constants and not reader.found.values:
        raise FactsError(f"{origin} has neither constants nor enumerations.")
    return reader.found


class _Reader:
    def __init__(self, origin):
        self.origin = origin
        self.found = Metadata()

    def unknown(self, node, what):
        raise FactsError(f"{self.origin}:{node.lineno}: {what} that this reader does not know: {ast.unparse(node)[:120]}")

    def literal(self, node):
        try:
            return ast.literal_eval(node)
        except ValueError:
            self.unknown(node, "a value")

    def read(self, node):
        value = getattr(node, "value", None)
        if isinstance(node, (ast.Import, ast.ImportFrom)) or isinstance(node, ast.Expr) and isinstance(value, ast.Constant):
            return
        if isinstance(node, ast.If) and all(isinstance(each, ast.FunctionDef) for each in node.body + node.orelse):
            names = {each.name for each in node.body + node.orelse}
            if names <= set(CHOICES):
                return
        if isinstance(node, ast.FunctionDef) and node.name in CHOICES:
            return
        if isinstance(node, ast.Try) and not node.handlers and not node.orelse:
            for statement in node.body:
                self.read(statement)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self.assign(node.targets[0].id, value, node)
        elif isinstance(node, ast.Expr) and isinstance(value, ast.Call):
            self.call(ast.unparse(value.func), value)
        else:
            self.unknown(node, "a statement")

    def assign(self, name, value, node):
        if name == "constants":
            for entry in self.entries(value):
                constant, _, encoding = entry.partition("@")
                self.found.constants[constant] = encoding
        elif name == "enums":
            for entry in self.entries(value):
                self.found.values.update([self.enumeration(entry, node)])
        elif name == "aliases":
            self.found.aliases.update(self.literal(value))
        elif name == "functions":
            for function, entry in self.literal(value).items():
                self.found.functions[function] = entry[0]
        elif name == "cftypes":
            self.found.cf_types.update(entry[0] for entry in self.literal(value))
        elif name not in IGNORED:
            self.unknown(node, "an assignment")

    def entries(self, value):
        """The entries of `$first$second$`."""
        text = self.literal(value)
        if text and not (isinstance(text, str) and text[0] == text[-1] == "$"):
            self.unknown(value, "a list of names")
        return [entry for entry in text.split("$") if entry]

    def enumeration(self, entry, node):
        """The name and the number of `name@number`, or the text of `name@b'text'`."""
        name, separator, number = entry.partition("@")
        for parse in (int, float, lambda text: ast.literal_eval(text).decode("latin-1")):
            try:
                return name, parse(number)
            except (ValueError, SyntaxError, AttributeError):
                continue
        raise FactsError(f"{self.origin}:{node.lineno}: an enumeration that this reader does not know: {entry}")

    def call(self, function, node):
        arguments = node.args
        if function == "misc.update":
            if not isinstance(arguments[0], ast.Dict):
                self.unknown(node, "a call")
            for key, value in zip(arguments[0].keys, arguments[0].values):
                self.miscellaneous(self.literal(key), value)
        elif function == "r":
            owner, selector, record = (self.literal(each) for each in arguments)
            self.found.selectors[owner.decode(), selector.decode()] = record
        elif function == "objc.registerNewKeywordsFromSelector":
            owner, selector = (self.literal(each) for each in arguments)
            self.found.initializers.setdefault(owner, set()).add(selector.decode())
        elif function == "objc.registerNewKeywords":
            owner, _, name = (self.literal(each) for each in arguments)
            self.found.initializers.setdefault(owner, set()).add(name.replace("_", ":"))
        elif function != "objc._updatingMetadata":
            self.unknown(node, "a call")

    def miscellaneous(self, name, value):
        if isinstance(value, ast.Call):
            function = ast.unparse(value.func)
            if function in CHOICES:
                self.found.values[name] = self.literal(value.args[CHOICES[function]])
            elif function == "NewType":
                self.found.types[name] = ast.unparse(value.args[1])
            elif function == "objc.createStructType":
                self.found.structures[name] = self.literal(value.args[2])
            elif function not in OPAQUE:
                self.unknown(value, "a value")
        else:
            self.found.values[name] = self.literal(value)


def encodings(text):
    """The parts of a type encoding such as `i@o^@`: of the result, and of each argument."""
    parts, rest = [], text.decode() if isinstance(text, bytes) else text
    while rest:
        end = _end_of_encoding(rest)
        parts.append(rest[:end])
        rest = rest[end:]
    return parts


def _end_of_encoding(text):
    index = 0
    while index < len(text) and text[index] in "rnNoORV^":
        index += 1
    if index == len(text):
        raise FactsError(f"The type encoding {text} ends too early.")
    if text[index] in "{[(":
        depth = 0
        for end in range(index, len(text)):
            depth += (text[end] in "{[(") - (text[end] in "}])")
            if depth == 0:
                return end + 1
        raise FactsError(f"The type encoding {text} ends too early.")
    return index + (2 if text[index:].startswith("@?") else 1)


def kind(encoding):
    """What a value of an encoding is, as far as it is compared, or None."""
    text = (encoding.decode() if isinstance(encoding, bytes) else encoding).lstrip("rnNoORV")
    if text[:1] == "^":
        return "pointer"
    if text[:2] == "@?":
        return "block"
    kinds = {"v": "nothing", "Z": "Bool", "B": "Bool", "@": "object", "d": "float", "f": "float", "{": "structure"}
    return kinds.get(text[:1], "integer" if text[:1] in set("qQiIlLsS") else None)
