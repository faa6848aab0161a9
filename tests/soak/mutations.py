"""Small mistakes in Python sources, one at a time, for `tests.soak.mutants`."""

import ast
import copy
from collections.abc import Iterator
from typing import NamedTuple

# What an operator is mistaken for.
OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
# Errors whose last argument is the number of a rule; their other words are not pinned.
CITING = frozenset({"IllegalMove", "InvalidDeal"})
# Names of variables that hold nothing but words of errors.
WORDS = frozenset({"message", "expected"})
# Parts of a node that are no code to mutate.
NOT_CODE = frozenset({"annotation", "returns", "ctx", "type_comment", "type_params"})


class Site(NamedTuple):
    """Where a mistake can be made: a field of a node, and what it should hold instead."""

    parent: ast.AST
    field: str
    place: int | None
    new: ast.AST | None
    line: int
    function: str

    def make(self) -> None:
        """Make the mistake."""
        if self.place is None:
            setattr(self.parent, self.field, self.new)
        else:
            rest = [] if self.new is None else [self.new]
            getattr(self.parent, self.field)[self.place : self.place + 1] = rest


def sites(node: ast.AST, function: str = "", owner: str = "") -> Iterator[Site]:
    """Yield every mistake below a node, with the outermost function it lies in."""
    for field, value in ast.iter_fields(node):
        if field in NOT_CODE:
            continue
        inside = function
        if isinstance(node, ast.FunctionDef) and field == "body":
            inside = function or owner + node.name
        within = f"{owner}{node.name}." if isinstance(node, ast.ClassDef) else owner
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or is_left_out(child):
                continue
            line = getattr(child, "lineno", getattr(node, "lineno", 0))
            for new in replacements(child, node, field):
                yield Site(node, field, index, new, line, inside)
            if isinstance(child, ast.Raise):
                yield from cited(child, inside)
            else:
                yield from sites(child, inside, within)


def is_left_out(node: ast.AST) -> bool:
    """Return whether tests do not pin this on purpose, or it is not run at all."""
    match node:
        case ast.JoinedStr() | ast.Assert() | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.FunctionDef(name="__repr__"):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in WORDS or name == "__slots__"
        case ast.Expr(value=ast.Constant()) | ast.keyword(arg="strict"):
            return True
        # They are about speed, not about results.
        case ast.Call(func=ast.Name(id="mypyc_attr" | "lru_cache")):
            return True
    return False


def cited(node: ast.Raise, function: str) -> Iterator[Site]:
    """Yield a wrong number for the rule that an error names."""
    match node.exc:
        case ast.Call(func=ast.Name(id=name), args=[_, *_, ast.Constant(value=str()) as rule]):
            if name in CITING:
                index = len(node.exc.args) - 1
                yield Site(node.exc, "args", index, ast.Constant("0.0"), rule.lineno, function)


def replacements(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.AST | None]:
    """Yield what a node can be mistaken for; None where it is left out of a list."""
    for other in OPERATORS.get(type(node), ()):
        yield other()
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Call(func=ast.Name(id=name) as func, args=args, keywords=keywords):
            if name in NAMES:
                kept = [] if NAMES[name] == "list" else keywords
                yield ast.Call(ast.Name(NAMES[name], func.ctx), args, kept)
        case ast.Call(func=ast.Attribute(value=value, attr="copy"), args=[]):
            yield value
        case ast.Subscript(value=value, slice=ast.Slice(lower=None, upper=None)):
            yield value
        case ast.Slice(lower=lower, upper=upper, step=step):
            if lower is not None:
                yield ast.Slice(None, upper, step)
            if upper is not None:
                yield ast.Slice(lower, None, step)
    yield from left_out_parts(node, parent, field)
    yield from other_statements(node)
    if field == "test" and not isinstance(node, (ast.Compare, ast.UnaryOp)):
        yield ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type]


def left_out_parts(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.AST | None]:
    """Yield a condition with one part less."""
    if isinstance(parent, ast.comprehension) and field == "ifs":
        yield None
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            rest = [value for value in node.values if value is not part]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def other_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a statement can be mistaken for."""
    match node:
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Return(value=None):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript() | ast.Tuple()]):
            yield ast.Pass()
        case ast.Return(value=ast.expr() as value):
            # What counts as false already would only be another word for it.
            if not isinstance(value, ast.Constant) or value.value:
                yield ast.Return(ast.Constant(None))
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def mutated(source: str, number: int) -> ast.Module:
    """Return a module with the mistake of that number in it."""
    tree = ast.parse(source)
    site = list(sites(tree))[number]
    # A replacement shares nodes with what it replaces.
    site._replace(new=copy.deepcopy(site.new)).make()
    return ast.fix_missing_locations(tree)


def changed_line(source: str, number: int) -> tuple[str, str]:
    """Return the first line that a mistake changes, as it was and as it is then."""
    before = ast.unparse(ast.parse(source)).splitlines()
    after = ast.unparse(mutated(source, number)).splitlines()
    for old, new in zip(before, after, strict=False):
        if old != new:
            return old.strip(), new.strip()
    return before[-1].strip(), "(nothing)"
