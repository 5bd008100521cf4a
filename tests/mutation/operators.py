"""The faults: what may be changed in a file, one change at a time.

Changed are comparisons, `and`, `or`, `not`, arithmetic, numbers, `True` and `False`, `min` and `max`, `any` and `all`,
conditions, `break` and `continue`; calls made for their effect, `raise`, returned values, fields that `replace` sets
and the order that `sorted` makes are taken away. Left alone are texts, annotations, decorators, calls that write to the
log, and tables of more than `TABLE` numbers, which are measured and not reasoned.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TABLE = 8

_COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_LOGS = re.compile(r"_?log(ger)?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change.

    Attributes:
        file: the source.
        line: 1-based, where the change begins.
        start: offset in characters of the text replaced.
        end: of its end.
        text: what stands there instead.
    """

    file: Path
    line: int
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        """The changed source."""
        return source[: self.start] + self.text + source[self.end :]

    def change(self, source: str) -> tuple[str, str]:
        """The changed lines, before and after, without their indentation; they name the mutant while lines move."""
        begin = source.rfind("\n", 0, self.start) + 1
        end = source.find("\n", self.end) % (len(source) + 1)
        return source[begin:end].strip(), (source[begin : self.start] + self.text + source[self.end : end]).strip()


def mutants(file: Path) -> list[Mutant]:
    """All of a file, in the order of their lines; a few do not compile."""
    source = file.read_text(encoding="utf-8")
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    found = sorted(set(finder.found))
    return [Mutant(file, source.count("\n", 0, start) + 1, start, end, text) for start, end, text in found]


def compiles(mutant: Mutant) -> bool:
    """Whether Python reads it at all: `continue` outside of a loop is no mutant."""
    try:
        compile(mutant.apply(mutant.file.read_text(encoding="utf-8")), str(mutant.file), "exec")
    except SyntaxError:
        return False
    return True


class _Finder(ast.NodeVisitor):
    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[tuple[int, int, str]] = []
        # Columns of the syntax tree count bytes.
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def _span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        self.found.append((*self._span(node), text))

    def _between(self, left: ast.expr, right: ast.expr, old: str, *new: str) -> None:
        """Replace the operator that stands between two expressions, past brackets and comments."""
        begin, end = self._span(left)[1], self._span(right)[0]
        gap = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), self.source[begin:end])
        pattern = re.escape(old) if not old[0].isalpha() else r"\b" + r"\s+".join(old.split()) + r"\b"
        if place := re.search(pattern, gap):
            self.found += [(begin + place.start(), begin + place.end(), text) for text in new]

    # What is left alone.

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Defaults and body, without annotations and decorators."""
        for part in [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]:
            self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - named by ast

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """The body alone."""
        for part in node.body:
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The value alone, and nothing of the name of a type."""
        named = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
        if node.value is not None and not named:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Nothing of texts."""

    def _visit_display(self, node: ast.Tuple | ast.List | ast.Set | ast.Dict) -> None:
        numbers = (part for part in ast.walk(node) if isinstance(part, ast.Constant) and _is_number(part.value))
        if sum(1 for _ in numbers) <= TABLE:
            self.generic_visit(node)

    visit_Tuple = visit_List = visit_Set = visit_Dict = _visit_display  # noqa: N815 - named by ast

    # What is changed.

    def visit_Compare(self, node: ast.Compare) -> None:
        """Another comparison: its boundary moved, or its contrary."""
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            old, new = _COMPARISONS[type(operator)]
            self._between(left, right, old, *new)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """`and` for `or`."""
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, old, new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Another arithmetic."""
        if type(node.op) in _ARITHMETIC:
            self._between(node.left, node.right, *_ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """The same, in place."""
        if type(node.op) in _ARITHMETIC:
            self._between(node.target, node.value, *(text + "=" for text in _ARITHMETIC[type(node.op)]))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """No `not`, no minus."""
        if isinstance(node.op, ast.Not | ast.USub):
            start, end = self._span(node.operand)
            self._replace(node, f"({self.source[start:end]})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """`True` for `False`, and one more."""
        if isinstance(node.value, bool):
            self._replace(node, str(not node.value))
        elif isinstance(node.value, int | float):
            self._replace(node, repr(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        """`min` for `max`, `any` for `all`; as it came instead of sorted; a field that is not replaced."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _TWINS:
            self._replace(node.func, _TWINS[name])
        elif name == "sorted" and node.args:
            start, end = self._span(node.args[0])
            self._replace(node, f"list({self.source[start:end]})")
        elif name == "replace":
            for keyword in node.keywords:
                self._leave_out(keyword)
        self.generic_visit(node)

    def _leave_out(self, keyword: ast.keyword) -> None:
        """Nothing of a named argument, with the comma after it."""
        start, end = self._span(keyword)
        after = re.match(r"\s*,[ ]?", self.source[end:])
        self.found.append((start, end + after.end() if after else end, ""))

    def visit_Expr(self, node: ast.Expr) -> None:
        """No call made for its effect; texts that stand alone are documentation."""
        if _LOGS.match(self.source[self._span(node)[0] :]):
            return
        if isinstance(node.value, ast.Call | ast.Await):
            self._replace(node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """No refusal; what it would have said is text."""
        self._replace(node, "pass")

    def visit_Return(self, node: ast.Return) -> None:
        """No answer; callers cannot tell it from `False` or 0."""
        if node.value is not None:
            if not (isinstance(node.value, ast.Constant) and not node.value.value):
                self._replace(node.value, "None")
            self.visit(node.value)

    def visit_Break(self, node: ast.Break) -> None:
        """Go on."""
        self._replace(node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        """Stop."""
        self._replace(node, "break")

    def _visit_condition(self, node: ast.If | ast.While | ast.IfExp) -> None:
        test = node.test
        if isinstance(test, ast.Name) and test.id == "TYPE_CHECKING":
            return
        if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
            start, end = self._span(test)
            self._replace(test, f"not ({self.source[start:end]})")
        self.generic_visit(node)

    visit_If = visit_While = visit_IfExp = _visit_condition  # noqa: N815 - named by ast


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def function_lines(source: str) -> set[int]:
    """The lines within bodies of functions, 1-based: those that run when they are called and not on import."""
    return set(_function_lines(ast.parse(source)))


def _function_lines(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            end = node.body[-1].end_lineno
            assert end is not None
            yield from range(node.body[0].lineno, end + 1)
