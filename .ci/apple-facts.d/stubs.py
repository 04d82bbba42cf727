"""Reads the declarations of a Swift source: what a type has, and not what its functions do.

It knows the Swift in which the stubs are written, and stops at anything else, so that nothing is passed over. All branches of
`#if` are read.
"""
import re
from dataclasses import dataclass, field

from metadata import FactsError

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<doc>///[^\n]*)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>\#(if|elseif|else|endif)[^\n]*)
  | (?P<number>0x[0-9A-Fa-f_]+|0b[01_]+|\d[\d_]*(\.\d[\d_]*)?)
  | (?P<name>`\w+`|\$\d+|[^\W\d]\w*)
  | (?P<arrow>->)
  | (?P<symbol>\.\.\.|\.\.<|<<|>>|&&|\|\||\?\?|[=!+\-*/]=|===|[-+*/%&|^~<>=!?.,:;@\#\\(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)
MODIFIERS = {
    "public", "open", "package", "internal", "fileprivate", "private", "final", "static", "nonisolated", "override",
    "convenience", "required", "weak", "unowned", "lazy", "mutating", "dynamic", "optional", "prefix", "indirect",
}
TYPES = ("struct", "enum", "class", "actor", "protocol", "extension")


@dataclass
class SwiftType:
    """A type as it is written, without attributes, `any` and `some`."""

    text: str
    arguments: list = None  # the arguments' types, where it is a function
    result: "SwiftType" = None


@dataclass
class Declaration:
    module: str
    place: str  # file and line
    kind: str  # the keyword
    name: str  # with the types around it
    owner: str  # the type around it, or ''
    is_public: bool = False
    is_static: bool = False
    is_async: bool = False
    of_stub: bool = False  # Apple's type has no such member
    in_protocol: bool = False  # a requirement
    unavailable: set = field(default_factory=set)  # systems
    labels: list = field(default_factory=list)
    parameters: list = field(default_factory=list)
    type: SwiftType = None
    value: list = None  # the tokens of what it is initialized with, or of its getter
    is_settable: bool = False
    inherits: list = field(default_factory=list)

    @property
    def signature(self):
        return f"{self.name}({''.join(f'{label}:' for label in self.labels)})" if self.kind in ("func", "init") else self.name


@dataclass
class Token:
    kind: str
    text: str
    line: int


def tokens(text, origin):
    """The tokens of a source, without comments; a comment of documentation is a token."""
    found, index, line = [], 0, 1
    while index < len(text):
        if text[index] == '"':
            end = _end_of_string(text, index, f"{origin}:{line}")
            kind, piece = "string", text[index:end]
        else:
            match = TOKEN.match(text, index)
            if not match:
                raise FactsError(f"{origin}:{line}: a character that the reader of Swift does not know: {text[index]}")
            kind, piece = match.lastgroup, match.group()
        if kind not in ("space", "comment", "directive"):
            found.append(Token(kind, piece.strip("`") if kind == "name" else piece, line))
        line += piece.count("\n")
        index += len(piece)
    return found


def _end_of_string(text, start, place):
    delimiter = '"""' if text.startswith('"""', start) else '"'
    index = start + len(delimiter)
    while index < len(text):
        if text.startswith(delimiter, index):
            return index + len(delimiter)
        if text.startswith("\\(", index):
            depth, index = 1, index + 2
            while depth and index < len(text):
                if text[index] == '"':
                    index = _end_of_string(text, index, place)
                    continue
                depth += (text[index] == "(") - (text[index] == ")")
                index += 1
        else:
            index += 2 if text[index] == "\\" else 1
    raise FactsError(f"{place}: a string without an end.")


def read(text, module, origin):
    """Returns the declarations of a source, those within types included."""
    reader = _Reader(tokens(text, origin), module, origin)
    reader.read_members(_Scope("", True, set(), None))
    return reader.found


@dataclass
class _Scope:
    """What surrounds a declaration."""

    name: str
    is_public: bool
    unavailable: set
    kind: str
    of_stub: bool = False


@dataclass
class _Head:
    """What comes before the keyword of a declaration."""

    words: set
    unavailable: set
    of_stub: bool
    sets_privately: bool


class _Reader:
    def __init__(self, tokens, module, origin):
        self.tokens, self.module, self.origin = tokens, module, origin
        self.index = 0
        self.found = []

    # Tokens

    @property
    def text(self):
        return self.tokens[self.index].text if self.index < len(self.tokens) else ""

    @property
    def line(self):
        return self.tokens[min(self.index, len(self.tokens) - 1)].line

    def take(self, expected=None):
        if self.index >= len(self.tokens) or expected is not None and self.text != expected:
            self.fail(f"expected {expected or 'more'}, found {self.text or 'the end'}")
        self.index += 1
        return self.tokens[self.index - 1].text

    def take_name(self):
        if self.index < len(self.tokens) and self.tokens[self.index].kind != "name":
            self.fail(f"expected a name, found {self.text}")
        return self.take()

    def take_if(self, text):
        if self.text == text:
            self.index += 1
            return True
        return False

    def fail(self, what):
        raise FactsError(f"{self.origin}:{self.line}: Swift that the reader does not know: {what}")

    def take_balanced(self):
        """Takes what is between brackets, and returns the tokens with the brackets."""
        start, depth = self.index, 0
        while True:
            depth += (self.text in ("(", "[", "{")) - (self.text in (")", "]", "}"))
            self.take()
            if depth == 0:
                return self.tokens[start:self.index]

    # Declarations

    def read_members(self, scope):
        while self.index < len(self.tokens) and self.text != "}":
            self.read_declaration(scope)

    def read_declaration(self, scope):
        head = self.read_head(scope)
        place = f"{self.origin}:{self.line}"
        keyword = self.take()
        if keyword == "class" and self.text in ("func", "var", "subscript"):
            head.words.add("static")
            keyword = self.take()
        # A requirement and a case are as public as what they belong to.
        is_public = scope.is_public and (
            bool(head.words & {"public", "open"}) or scope.kind == "protocol" or keyword in ("case", "extension"))
        declaration = Declaration(
            self.module, place, keyword, "", scope.name, is_public, "static" in head.words, of_stub=head.of_stub,
            in_protocol=scope.kind == "protocol", unavailable=head.unavailable)
        if keyword == "import":
            while self.index < len(self.tokens) and self.line == self.tokens[self.index - 1].line:
                self.take()
        elif keyword in TYPES:
            self.read_type(declaration, scope)
        elif keyword in ("func", "init", "subscript"):
            self.read_function(declaration, scope)
        elif keyword in ("var", "let"):
            self.read_variables(declaration, scope, head.sets_privately)
        elif keyword == "case":
            self.read_cases(declaration, scope)
        elif keyword in ("typealias", "associatedtype"):
            declaration.name = self.qualified(scope, self.take_name())
            self.skip_generics()
            if self.take_if("="):
                declaration.type = self.read_swift_type()
            self.found.append(declaration)
        elif keyword == "deinit":
            self.take_balanced()
        else:
            self.fail(f"a declaration that begins with {keyword}")

    def read_head(self, scope):
        """Reads comments of documentation, attributes and modifiers."""
        head = _Head(set(), set(scope.unavailable), scope.of_stub, False)
        while True:
            if self.index < len(self.tokens) and self.tokens[self.index].kind == "doc":
                head.of_stub = head.of_stub or "Only of the stub" in self.take()
                continue
            if self.take_if("@"):
                name = self.take_name()
                arguments = [each.text for each in self.take_balanced()] if self.text == "(" else []
                if name == "available" and "unavailable" in arguments:
                    head.unavailable.add(arguments[1])
                continue
            if self.text not in MODIFIERS:
                return head
            word = self.take()
            if self.text == "(":
                if "set" in [each.text for each in self.take_balanced()]:
                    head.sets_privately = True
                    continue
            head.words.add(word)

    def qualified(self, scope, name):
        return f"{scope.name}.{name}" if scope.name else name

    def read_type(self, declaration, scope):
        name = self.take_name()
        while self.take_if("."):
            name += "." + self.take_name()
        declaration.name = self.qualified(scope, name)
        self.skip_generics()
        if self.take_if(":"):
            while True:
                declaration.inherits.append(self.read_swift_type().text)
                if not self.take_if(","):
                    break
        self.skip_where()
        self.found.append(declaration)
        self.take("{")
        self.read_members(_Scope(
            declaration.name, declaration.is_public, declaration.unavailable, declaration.kind, declaration.of_stub))
        self.take("}")

    def skip_generics(self):
        if self.text != "<":
            return
        depth = 0
        while True:
            depth += {"<": 1, ">": -1}.get(self.text, 0)
            self.take()
            if depth == 0:
                return

    def skip_where(self):
        if self.take_if("where"):
            while self.text and self.text != "{":
                self.take()

    def read_function(self, declaration, scope):
        name = declaration.kind if declaration.kind != "func" else self.take()
        while declaration.kind == "func" and self.text in ("=", "<", ">") and not name.isidentifier():
            name += self.take()
        if declaration.kind == "init" and self.text in ("?", "!"):
            self.take()
        declaration.name = self.qualified(scope, name)
        self.skip_generics()
        self.take("(")
        while self.text != ")":
            self.read_parameter(declaration)
            if not self.take_if(","):
                break
        self.take(")")
        while self.text in ("async", "throws", "rethrows"):
            declaration.is_async |= self.take() == "async"
        declaration.type = self.read_swift_type() if self.take_if("->") else SwiftType("Void")
        self.skip_where()
        if self.text == "{":
            self.take_balanced()
        self.found.append(declaration)

    def read_parameter(self, declaration):
        while self.take_if("@"):
            self.take_name()
        label = self.take_name()
        if self.text != ":":
            self.take_name()
        self.take(":")
        declaration.labels.append(label)
        declaration.parameters.append(self.read_swift_type())
        self.take_if("...")
        if self.take_if("="):
            while self.text not in (",", ")"):
                self.take_balanced()

    def read_variables(self, declaration, scope, sets_privately):
        if self.text == "(":
            self.take_balanced()
            self.take("=")
            self.read_expression()
            return
        declaration.name = self.qualified(scope, self.take_name())
        if self.take_if(":"):
            declaration.type = self.read_swift_type()
        declaration.is_settable = declaration.kind == "var" and not sets_privately
        if self.take_if("="):
            declaration.value = self.read_expression()
        if self.text == "{" and declaration.value is None:
            body = self.take_balanced()[1:-1]
            words = _words_at_depth_zero(body)
            if not words & {"didSet", "willSet"}:
                declaration.is_settable = "set" in words and not sets_privately
                declaration.value = body
        self.found.append(declaration)

    def read_expression(self):
        """Takes an expression, which ends at the end of a line or of what surrounds it."""
        start = self.index
        while self.index < len(self.tokens):
            if self.text in (")", "]", "}", ",", ";"):
                break
            if self.index > start and self.line > self.tokens[self.index - 1].line and not self.continues():
                break
            # A stored variable with observers.
            if self.text == "{" and self.tokens[self.index + 1].text in ("didSet", "willSet"):
                self.take_balanced()
                return self.tokens[start:self.index]
            self.take_balanced()
        return self.tokens[start:self.index]

    def continues(self):
        return self.text in (".", "?", ":", "??", "&&", "||", "+", "-", "|") or \
            self.tokens[self.index - 1].text in ("=", "(", "[", ",", "+", "-", "|", "&&", "||", "??", "?", ":")

    def read_cases(self, declaration, scope):
        while True:
            name, value = self.take_name(), None
            if self.text == "(":
                self.take_balanced()
            if self.take_if("="):
                value = self.read_expression()
            self.found.append(Declaration(
                self.module, declaration.place, "case", self.qualified(scope, name), scope.name, declaration.is_public, True,
                of_stub=declaration.of_stub, unavailable=declaration.unavailable, value=value))
            if not self.take_if(","):
                return

    # Types

    def read_swift_type(self):
        while True:
            if self.take_if("@"):
                self.take_name()
            elif self.text in ("any", "some", "inout", "borrowing", "consuming", "sending"):
                self.take()
            else:
                break
        type = self.read_postfix(self.read_primary())
        while self.take_if("&"):
            type = SwiftType(f"{type.text} & {self.read_swift_type().text}")
        return type

    def read_primary(self):
        if self.text == "(":
            return self.read_tuple_or_function()
        if self.take_if("["):
            text = self.read_swift_type().text
            if self.take_if(":"):
                text += ": " + self.read_swift_type().text
            self.take("]")
            return SwiftType(f"[{text}]")
        if not re.match(r"\w", self.text):
            self.fail(f"a type that begins with {self.text}")
        text = self.take()
        while True:
            if self.text == "<":
                start = self.index
                self.skip_generics()
                text += "".join(each.text for each in self.tokens[start:self.index])
            elif self.text == "." and re.match(r"\w", self.tokens[self.index + 1].text):
                self.take()
                text += "." + self.take()
            else:
                return SwiftType(text)

    def read_tuple_or_function(self):
        elements = []
        self.take("(")
        while self.text != ")":
            # A label, or `_` and a label.
            while self.tokens[self.index].kind == "name" and \
                    (self.tokens[self.index + 1].text == ":" or self.text == "_"):
                self.take()
                self.take_if(":")
            elements.append(self.read_swift_type())
            self.take_if("...")
            if not self.take_if(","):
                break
        self.take(")")
        while self.text in ("async", "throws"):
            self.take()
        if self.take_if("->"):
            return SwiftType("function", elements, self.read_swift_type())
        if len(elements) == 1:
            return elements[0]
        return SwiftType("(" + ", ".join(each.text for each in elements) + ")" if elements else "Void")

    def read_postfix(self, type):
        while self.text in ("?", "!"):
            self.take()
        return type


def _words_at_depth_zero(tokens):
    words, depth = set(), 0
    for token in tokens:
        if depth == 0:
            words.add(token.text)
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
    return words
