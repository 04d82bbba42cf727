"""Compares the declarations of the stubs with PyObjC's metadata."""
import ast
import re

from metadata import FactsError, encodings, kind
from report import NOT_ON_MACOS, SWIFT, UNLISTED, UNLISTED_CLASS, Report

SCALARS = {"Bool", "integer", "float", "nothing"}


def compare(module, stubs, facts, rows, is_shared_alone=False):
    """Compares the stubs of a module. With `is_shared_alone`, only the types that the rows name as shared with macOS."""
    comparison = _Comparison(module, stubs, facts, rows, is_shared_alone)
    for declaration in stubs.declarations:
        if declaration.module == module and declaration.is_public and not declaration.of_stub:
            comparison.visit(declaration)
    return comparison.report


class _Comparison:
    def __init__(self, module, stubs, facts, rows, is_shared_alone):
        self.stubs, self.facts, self.rows, self.is_shared_alone = stubs, facts, rows, is_shared_alone
        self.report = Report(module)
        self.last_case = {}  # enumeration: the value of its last case

    def absent(self, name, reason):
        self.report.absent.setdefault(reason, []).append(name)

    def visit(self, declaration):
        name, owner = declaration.signature, self.stubs.types.get(declaration.owner)
        root = declaration.name.partition(".")[0]
        if root == "AppleDevice" or root.startswith("_") or declaration.kind in ("extension", "import"):
            return
        value = self.case_value(declaration) if declaration.kind == "case" else None
        reason = self.rows.reason(name)
        if reason:
            return self.absent(name, reason)
        if self.is_shared_alone:
            if not (self.rows.is_shared(declaration.name) or self.rows.is_shared(declaration.owner)):
                return self.absent(name, NOT_ON_MACOS)
        elif self.stubs.is_unavailable(declaration):
            return self.absent(name, NOT_ON_MACOS)
        if declaration.is_async:
            return self.absent(name, SWIFT)
        if declaration.kind in ("struct", "enum", "class", "protocol"):
            return self.visit_type(declaration)
        if declaration.kind == "typealias":
            return self.visit_alias(declaration)
        if not declaration.owner:
            return self.visit_global(declaration)
        if declaration.kind == "case":
            return self.visit_constant(declaration, owner, value)
        if owner is None:
            return self.visit_member(declaration, "class")  # an extension of a class of Foundation
        if owner.kind in ("struct", "enum"):
            return self.visit_member_of_value(declaration, owner)
        return self.visit_member(declaration, owner.kind)

    # Types

    def visit_type(self, declaration):
        name = declaration.name
        if declaration.kind == "protocol":
            return self.report.require("protocols", name, self.facts.has_protocol(name), "the framework has no such protocol")
        if declaration.kind == "class" and set(declaration.inherits) <= {"Sendable"}:
            return self.report.require(
                "types", name, f"{name}Ref" in self.facts.cf_types, "the framework has no such CF type")
        if declaration.kind == "class":
            if not self.facts.has_class(_objective_c_class(name)):
                return self.absent(name, UNLISTED_CLASS)
            return self.report.require("types", name, True, "")
        fields = self.facts.structures.get(name)
        if fields is not None:
            ours = [each.name.rpartition(".")[2] for each in self.stubs.declarations
                    if each.owner == name and each.kind in ("var", "let") and each.value is None and not each.is_static]
            return self.report.compare("types", name, ours, fields, "the list of fields")
        raw = self.stubs.raw_type(declaration)
        objective_c = self.rows.type(name)[0] if raw else None
        if not raw or objective_c is None:
            return self.absent(name, SWIFT)
        self.report.compare("types", name, raw, self.facts.types.get(objective_c), f"the type behind {objective_c}")

    def visit_alias(self, declaration):
        if declaration.name.startswith("CF"):
            return self.report.require(
                "types", declaration.name, f"{declaration.name}Ref" in self.facts.cf_types, "the framework has no such CF type")
        self.absent(declaration.name, UNLISTED)

    # Constants

    def visit_global(self, declaration):
        name = declaration.name
        if declaration.kind == "func":
            return self.visit_function(declaration)
        objective_c = self.rows.name(name) or name
        self.report.require("names", name, self.facts.has_constant(name), "the framework has no such constant")
        self.compare_value(declaration, objective_c, _number(declaration.value) if declaration.value else None)

    def compare_value(self, declaration, objective_c, ours):
        theirs = self.facts.value(objective_c)
        if theirs is None or not self.facts.has_constant(objective_c):
            return
        if ours is None:
            ours = _string(declaration.value) if declaration.value else "no number"
        if ours is None:
            raise FactsError(f"{declaration.place}: The value of {declaration.name} cannot be read.")
        self.report.compare("values", declaration.name, ours, theirs, f"the value of {objective_c}")

    def visit_constant(self, declaration, owner, value):
        """A case of an enumeration, or a constant of a type with raw values."""
        name = declaration.name.rpartition(".")[2]
        prefix = self.rows.type(owner.name)[1]
        explicit = self.rows.name(declaration.name)
        candidates = [explicit] if explicit else [prefix + each for each in _capitalized(name)]
        found = next((each for each in candidates if self.facts.has_constant(each)), None)
        self.report.require(
            "names", declaration.name, found, f"the framework has no constant {' or '.join(candidates)}")
        if found:
            self.compare_value(declaration, found, value)

    def visit_member_of_value(self, declaration, owner):
        raw = self.stubs.raw_type(owner)
        argument = _raw_argument(declaration, owner)
        if declaration.is_static and raw and declaration.kind in ("let", "var") and argument is not None:
            number = None if raw == "str" else _number(argument)
            if raw != "str" and number is None:
                number = self.union(argument, owner)
            return self.visit_constant(declaration, owner, number)
        self.absent(declaration.signature, SWIFT)

    def union(self, tokens, owner):
        """The number of `[.first, .second]`."""
        members = [each.text for each in tokens if each.kind == "name"]
        total = 0
        for member in members:
            found = [each for each in self.stubs.declarations if each.name == f"{owner.name}.{member}"]
            argument = _raw_argument(found[0], owner) if found else None
            number = None if argument is None else _number(argument)
            if number is None:
                return None
            total |= number
        return total if members else None

    def case_value(self, declaration):
        """The raw value of a case, which without one is one more than that before it."""
        owner = self.stubs.types[declaration.owner]
        if self.stubs.raw_type(owner) != "int":
            return None
        value = self.last_case.get(owner.name, -1) + 1 if declaration.value is None else _number(declaration.value)
        if value is None:
            raise FactsError(f"{declaration.place}: The value of {declaration.name} cannot be read.")
        self.last_case[owner.name] = value
        return value

    # Functions

    def visit_function(self, declaration):
        name = declaration.name
        encoding = self.facts.functions.get(name)
        self.report.require("functions", name, encoding is not None, "the framework has no such function")
        if encoding is None:
            return
        result, *arguments = encodings(encoding)
        ours = [self.stubs.kind(each, "") for each in [declaration.type] + declaration.parameters]
        theirs = [kind(each) for each in [result] + arguments]
        if len(ours) != len(theirs):
            return self.report.compare("functions", name, len(ours) - 1, len(theirs) - 1, "the number of arguments")
        self.report.compare(
            "functions", name, [each if other in SCALARS or each in SCALARS else "" for each, other in zip(ours, theirs)],
            [each if other in SCALARS or each in SCALARS else "" for each, other in zip(theirs, ours)],
            "what is given and returned")

    # Members of classes and protocols

    def visit_member(self, declaration, owner_kind):
        if declaration.kind == "let" or declaration.kind == "var":
            return self.visit_property(declaration, owner_kind)
        if declaration.kind == "init":
            return self.visit_initializer(declaration)
        if owner_kind == "protocol" and not declaration.in_protocol:
            return None  # what stands for an optional requirement
        explicit = self.rows.name(declaration.signature)
        candidates = [explicit] if explicit else _selectors(declaration)
        record, selector = self.find(declaration, owner_kind, candidates)
        name = declaration.signature
        if record is None and explicit and explicit in self.facts.initializers.get(_objective_c_class(declaration.owner), ()):
            return self.report.require("selectors", name, True, "")
        parameters = [self.stubs.function(each, declaration.owner) for each in declaration.parameters]
        kinds = [self.stubs.kind(each, declaration.owner) for each in [declaration.type] + declaration.parameters]
        if record is None and not explicit and owner_kind != "protocol" and not any(parameters) and "Bool" not in kinds:
            return self.absent(name, UNLISTED)
        self.report.require(
            "selectors", name, record is not None, f"the framework has no method {' or '.join(candidates)}")
        if record is None:
            return None
        if owner_kind == "protocol":
            self.report.compare(
                "selectors", name, declaration.signature not in self.stubs.defaults, record.get("required"),
                f"whether {selector} is required")
        self.compare_record(declaration, selector, record, kinds, parameters)

    def find(self, declaration, owner_kind, candidates):
        """What PyObjC records of the first of these selectors that it has, and the selector."""
        if owner_kind == "protocol":
            owners = ["NSObject"]
        else:
            owners = [_objective_c_class(each) for each in self.stubs.ancestors(declaration.owner) or [declaration.owner]]
        for selector in candidates:
            for owner in owners:
                if (owner, selector) in self.facts.selectors:
                    return self.facts.selectors[owner, selector], selector
        return None, None

    def compare_record(self, declaration, selector, record, kinds, parameters):
        name = declaration.signature
        if "type" in record.get("retval", {}):
            self.report.compare("selectors", name, kinds[0], kind(record["retval"]["type"]), f"the result of {selector}")
        elif kinds[0] == "Bool":
            self.report.compare("selectors", name, "Bool", "something else", f"the result of {selector}")
        arguments = {index - 2: each for index, each in record.get("arguments", {}).items()}
        for index, function in enumerate(parameters):
            argument, subject = arguments.get(index, {}), f"argument {index + 1} of {selector}"
            block = argument.get("callable")
            if bool(function) != bool(block):
                self.report.compare(
                    "blocks", name, "a block" if function else "no block", "a block" if block else "no block", subject)
            elif function:
                self.compare_block(name, subject, function, block, declaration.owner)
            elif "type" in argument and kind(argument["type"]) in SCALARS | {"object"}:
                self.report.compare("selectors", name, kinds[index + 1], kind(argument["type"]), subject)

    def compare_block(self, name, subject, function, block, owner):
        # The first argument of a block is the block.
        theirs = [kind(block["arguments"][index]["type"]) for index in sorted(block["arguments"])][1:]
        theirs += [kind(block["retval"]["type"])]
        ours = [self.stubs.kind(each, owner) for each in function.arguments + [function.result]]
        self.report.compare("blocks", name, _function(ours), _function(theirs), subject)

    def visit_initializer(self, declaration):
        name, labels = declaration.signature, declaration.labels
        if not labels or labels == ["coder"]:
            return self.absent(name, "it is inherited, or Apple's type has it without saying so")
        explicit = self.rows.name(name)
        candidates = [explicit] if explicit else _selectors(declaration)
        owner = _objective_c_class(declaration.owner)
        found = next((each for each in candidates if each in self.facts.initializers.get(owner, ())), None)
        self.report.require("selectors", name, found, f"the framework has no initializer {' or '.join(candidates)}")
        record, selector = self.find(declaration, "class", candidates)
        parameters = [self.stubs.function(each, declaration.owner) for each in declaration.parameters]
        if record is not None:
            kinds = [None] + [self.stubs.kind(each, declaration.owner) for each in declaration.parameters]
            self.compare_record(declaration, selector, {"arguments": record.get("arguments", {})}, kinds, parameters)
        elif any(parameters):
            self.report.require("blocks", name, False, "the framework's initializer takes no block")

    def visit_property(self, declaration, owner_kind):
        name = declaration.name.rpartition(".")[2]
        if name.endswith("Notification") and declaration.is_static:
            constant = _objective_c_class(declaration.owner) + name[0].upper() + name[1:]
            return self.report.require(
                "names", declaration.name, self.facts.has_constant(constant), f"the framework has no constant {constant}")
        getter = self.rows.name(declaration.name) or name
        record, _ = self.find(declaration, owner_kind, [getter])
        type = self.stubs.kind(declaration.type, declaration.owner) or _kind_of_value(declaration.value)
        if record is None and owner_kind != "protocol" and type != "Bool":
            return self.absent(declaration.name, UNLISTED)
        self.report.require("selectors", declaration.name, record is not None, f"the framework has no property {getter}")
        if record is None:
            return None
        theirs = record.get("retval", {}).get("type")
        if theirs is not None:
            self.report.compare("selectors", declaration.name, type, kind(theirs), "its type")
        noun = getter[2:] if re.match("is[A-Z]", getter) else getter[0].upper() + getter[1:]
        setter, _ = self.find(declaration, owner_kind, [f"set{noun}:"])
        # Of a protocol's property, the setter may be that of another protocol.
        if owner_kind != "protocol" or declaration.is_settable:
            self.report.compare(
                "selectors", declaration.name, declaration.is_settable, setter is not None, "whether it can be set")


def _objective_c_class(name):
    return name.replace(".", "")


def _function(kinds):
    return f"({', '.join(map(str, kinds[:-1]))}) -> {kinds[-1]}"


def _capitalized(name):
    """A name as it follows a prefix: `userCancel` as UserCancel, `rsaSignature` and `usb` as RSASignature and USB."""
    word = re.match("[a-z]*", name).group()
    return list(dict.fromkeys([name[:1].upper() + name[1:], word.upper() + name[len(word):]]))


def _selectors(declaration):
    """The selectors that Swift imports under the name of a method."""
    base = declaration.name.rpartition(".")[2]
    labels = [each for each in declaration.labels]
    if not labels:
        return [base]
    rest = "".join(f"{each}:" for each in labels[1:])
    if declaration.kind == "init":
        return [f"initWith{each}:{rest}" for each in _capitalized(labels[0])]
    if labels[0] == "_":
        return [f"{base}:{rest}"]
    return [f"{base}{between}{each}:{rest}" for between in ("", "With") for each in _capitalized(labels[0])]


def _raw_argument(declaration, owner):
    """The tokens between the brackets of `Self(rawValue: …)` or `Name(…)`, or those of `[…]`."""
    value = declaration.value or []
    texts = [each.text for each in value]
    if texts[:1] == ["["]:
        return value
    if len(texts) < 4 or texts[0] not in ("Self", owner.name.rpartition(".")[2]) or texts[1] != "(" or texts[-1] != ")":
        return None
    return value[4:-1] if texts[2:4] == ["rawValue", ":"] else value[2:-1]


def _number(tokens):
    """The number of an expression such as `1 << 6`, or None."""
    text = " ".join(each.text.replace("_", "") for each in tokens)
    if not re.fullmatch(r"[-0-9a-fA-FxX.<|() ]+", text):
        return None
    try:
        return _calculated(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError):
        return None


def _calculated(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_calculated(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
        return _calculated(node.left) << _calculated(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _calculated(node.left) | _calculated(node.right)
    raise ValueError


def _string(tokens):
    """The text of the only string among tokens, or None."""
    strings = [each.text for each in tokens or [] if each.kind == "string"]
    return strings[0][1:-1] if len(strings) == 1 and "\\" not in strings[0] else None


def _kind_of_value(tokens):
    """What a property is that has no type and a value instead."""
    return "Bool" if tokens and tokens[0].text in ("true", "false") and len(tokens) == 1 else "object"
