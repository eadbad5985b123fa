"""Scatters, scans and sorts of torch-mlir's own dialect, which linalg lacks, as loops over elements.

A scatter and a scan take each element in its turn. A sort counts for each element how many others belong before it, and
puts it in the place of that number: that is one op of linalg, which is computed in vectors. Where only few of the
sorted elements are wanted, as by a TopK, each element is compared with the last of the few so far, and inserted.
"""
from .arrays import package

DIALECT = "tm_tensor."
FEW = 4  # times fewer elements are wanted of a sort that inserts them
FORMS = ("scatter", "scan", "sort")  # those with a form here


def expand(text):
    """A module, in its generic form, without those ops. The others of torch-mlir's dialect stay."""
    ir = package("torch_mlir.ir")
    with ir.Context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
        found = []

        def visit(each):
            found.append(each)
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)
        for each in found:
            if each.name.startswith(DIALECT) and each.name.removeprefix(DIALECT) in FORMS:
                Expansion(each).replace()
        return module.operation.get_asm()


class Expansion:
    """One op, taken apart."""

    def __init__(self, op):
        self.op, self.ir = op, package("torch_mlir.ir")
        self.arith, self.scf, self.tensor, self.linalg = (package(f"torch_mlir.dialects.{name}")
                                                          for name in ("arith", "scf", "tensor", "linalg"))
        self.operands = list(op.operands)

    def replace(self):
        """Puts loops in the place of the op."""
        with self.ir.InsertionPoint(self.op):
            results = getattr(self, self.op.name.removeprefix(DIALECT))()
        for old, new in zip(self.op.results, results):
            old.replace_all_uses_with(new)
        self.op.erase()

    def scatter(self):
        """Each update, a window of elements, is joined with what lies from the place on that a row of a table has.

        What has a place outside of the result is left out: no memory beside it is touched.
        """
        updates, table, original = self.operands
        places = [int(each) for each in self.op.attributes["dimension_map"]]

        def update(indices, state):
            target = [None] * (original.type.rank - len(indices) + 1) + indices[1:]
            for column, dim in enumerate(places):
                begin = self.to_index(self.extract(table, [indices[0], self.index(column)]))
                target[dim] = self.arith.AddIOp(begin, target[dim]).result if target[dim] else begin
            is_inside = self.bound(target, places, original)
            here = self.extract(state[0], target)
            (value,) = self.body([self.extract(updates, indices), here])
            return [self.insert(self.arith.SelectOp(is_inside, value, here).result, state[0], target)]

        return self.nest(self.extents(updates), [original], update)

    def bound(self, indices, dims, value):
        """Whether the indices of these dims are inside of a value; those that are not become 0."""
        arith, bounds = self.arith, self.extents(value)
        is_inside = self.constant(self.ir.IntegerType.get_signless(1), 1)
        for dim in dims:
            fits = arith.CmpIOp(arith.CmpIPredicate.ult, indices[dim], bounds[dim][1]).result
            indices[dim] = arith.SelectOp(fits, indices[dim], self.index(0)).result
            is_inside = arith.AndIOp(is_inside, fits).result
        return is_inside

    def scan(self):
        """Each element is joined with the result in front of it, along one dim."""
        source, target, total = self.operands
        dim, is_inclusive = self.number("dimension"), bool(self.op.attributes["inclusive"].value)
        one, zero = self.index(1), self.index(0)
        bounds = self.extents(source)

        def first(indices, state):
            others = [*indices[:dim], *indices[dim + 1:]]
            value = self.extract(source, indices) if is_inclusive else self.extract(total, others)
            return [self.insert(value, state[0], indices)]

        def following(indices, state):
            before = [self.minus_one(index) if at == dim else index for at, index in enumerate(indices)]
            value = self.extract(source, indices if is_inclusive else before)
            (value,) = self.body([self.extract(state[0], before), value])
            return [self.insert(value, state[0], indices)]

        head = self.arith.MinUIOp(one, bounds[dim][1]).result  # there may be no element
        (start,) = self.nest([(zero, head) if at == dim else each for at, each in enumerate(bounds)], [target], first)
        (done,) = self.nest([(one, each[1]) if at == dim else each for at, each in enumerate(bounds)], [start],
                            following)
        return [done, self.total(done, dim, is_inclusive) if len(self.op.results) > 1 else total]

    def total(self, done, dim, is_inclusive):
        """Returns what is left behind the last element: a tensor without the dim."""
        source, _, total = self.operands
        bounds = self.extents(source)
        last = self.minus_one(bounds[dim][1])
        if source.type.shape[dim] == 0:
            return total

        def copy(indices, state):
            place = [*indices[:dim], last, *indices[dim:]]
            value = self.extract(done, place)
            if not is_inclusive:
                (value,) = self.body([value, self.extract(source, place)])
            return [self.insert(value, state[0], indices)]

        return self.nest([*bounds[:dim], *bounds[dim + 1:]], [total], copy)[0]

    def sort(self):
        """Tensors that are put in order together, along one dim. Whichever comes first of equal ones stays first."""
        dim, few = self.number("dimension"), self.wanted()
        if few and few * FEW <= self.operands[0].type.get_dim_size(dim):
            return self.first_of_sorted(dim, few)
        places = self.places()

        def put(indices, state):
            place = self.to_index(self.extract(places, indices))
            target = [place if at == dim else index for at, index in enumerate(indices)]
            return [self.insert(self.extract(old, indices), new, target) for old, new in zip(self.operands, state)]

        return self.nest(self.extents(self.operands[0]), list(self.operands), put)

    def wanted(self):
        """How many of the sorted elements are read at most; None if not only a beginning of them is, or extents are open."""
        dim, slices = self.number("dimension"), [use.owner for result in self.op.results for use in result.uses]
        if not self.operands[0].type.has_static_shape or any(each.name != "tensor.extract_slice" for each in slices):
            return None
        begins, steps = ([list(each.attributes[name])[dim] for each in slices] for name in ("static_offsets", "static_strides"))
        ends = [each.results[0].type.get_dim_size(dim) if each.results[0].type.rank == self.operands[0].type.rank else 0
                for each in slices]
        return max(ends, default=0) if not any(begins) and all(step == 1 for step in steps) and all(ends) else None

    def first_of_sorted(self, dim, count):
        """The first so many elements in order, at the beginning of a tensor."""
        bounds = self.extents(self.operands[0])

        def take(indices, state):
            values = [self.extract(each, indices) for each in self.operands]
            last = [self.index(count - 1) if at == dim else index for at, index in enumerate(indices)]
            is_early = self.arith.CmpIOp(self.arith.CmpIPredicate.ult, indices[dim], self.index(count)).result
            belongs = self.arith.OrIOp(is_early, self.is_before(values, state, last)).result
            choice = self.scf.IfOp(belongs, [each.type for each in state], has_else=True)
            with self.ir.InsertionPoint(choice.then_block):
                self.scf.YieldOp(self.insert_in_order(values, state, indices, dim, count))
            with self.ir.InsertionPoint(choice.else_block):
                self.scf.YieldOp(state)
            return list(choice.results)

        return self.nest(bounds, list(self.operands_apart()), take)

    def operands_apart(self):
        """Tensors to put results into, beside the operands, which are still read."""
        return [self.empty(each, each.type.element_type) for each in self.operands]

    def is_before(self, values, state, place):
        """Whether new elements belong in front of those that have that place so far."""
        there = [self.extract(each, place) for each in state]
        in_order = self.body([each for pair in zip(there, values) for each in pair])[0]
        return self.arith.XOrIOp(in_order, self.constant(in_order.type, 1)).result

    def insert_in_order(self, values, state, indices, dim, count):
        """Moves what belongs behind new elements one place on, from the last place down, and puts these in between."""
        arith, loop = self.arith, self.scf.ForOp(self.index(0), self.index(count), self.index(1), state)
        with self.ir.InsertionPoint(loop.body):
            state, here = list(loop.inner_iter_args), arith.SubIOp(self.index(count - 1), loop.induction_variable).result
            is_first = arith.CmpIOp(arith.CmpIPredicate.eq, here, self.index(0)).result
            before = arith.SelectOp(is_first, here, self.minus_one(here)).result
            place, place_before = ([each if at == dim else index for at, index in enumerate(indices)]
                                   for each in (here, before))
            is_free = arith.CmpIOp(arith.CmpIPredicate.uge, here, indices[dim]).result
            is_filled_before = arith.CmpIOp(arith.CmpIPredicate.ult, before, indices[dim]).result
            moves = arith.AndIOp(self.is_before(values, state, place_before), is_filled_before).result
            moves = arith.AndIOp(moves, arith.XOrIOp(is_first, self.constant(is_first.type, 1)).result).result
            goes_here = arith.OrIOp(is_free, self.is_before(values, state, place)).result
            changed = []
            for value, each in zip(values, state):
                new = arith.SelectOp(goes_here, value, self.extract(each, place)).result
                new = arith.SelectOp(moves, self.extract(each, place_before), new).result
                changed.append(self.insert(new, each, place))
            self.scf.YieldOp(changed)
        return list(loop.results)

    def places(self):
        """How many elements belong in front of each, as a tensor of i32."""
        ir, first, dim = self.ir, self.operands[0], self.number("dimension")
        rank, number = first.type.rank, ir.IntegerType.get_signless(32)
        dims = [ir.AffineDimExpr.get(at) for at in range(rank + 1)]
        own = ir.AffineMap.get(rank + 1, 0, dims[:rank])
        other = ir.AffineMap.get(rank + 1, 0, [dims[rank] if at == dim else dims[at] for at in range(rank)])
        kinds = [ir.Attribute.parse(f"#linalg.iterator_type<{kind}>") for kind in ["parallel"] * rank + ["reduction"]]
        counts = self.linalg.fill(self.constant(number, 0), outs=[self.empty(first, number)])
        maps = [own] * len(self.operands) + [other] * len(self.operands) + [own]
        count = self.linalg.GenericOp([counts.type], [*self.operands, *self.operands], [counts],
                                      ir.ArrayAttr.get([ir.AffineMapAttr.get(each) for each in maps]),
                                      ir.ArrayAttr.get(kinds))
        block = count.regions[0].blocks.append(*[each.type.element_type for each in self.operands] * 2, number)
        with ir.InsertionPoint(block):
            self.count(list(block.arguments), dim, rank)
        return count.results[0]

    def count(self, arguments, dim, rank):
        """One more for an element that belongs in front: an earlier one in order, a later one out of order."""
        arith, size = self.arith, len(self.operands)
        own, other, before = arguments[:size], arguments[size:-1], arguments[-1]
        here, there = (self.linalg.IndexOp(at).result for at in (dim, rank))

        def in_order(first, second):
            return self.body([each for pair in zip(first, second) for each in pair])[0]

        true = self.constant(self.ir.IntegerType.get_signless(1), 1)
        is_earlier = arith.CmpIOp(arith.CmpIPredicate.ult, there, here).result
        is_later = arith.CmpIOp(arith.CmpIPredicate.ugt, there, here).result
        out_of_order = arith.XOrIOp(in_order(own, other), true).result
        comes_first = arith.OrIOp(arith.AndIOp(is_earlier, in_order(other, own)).result,
                                  arith.AndIOp(is_later, out_of_order).result).result
        self.linalg.YieldOp([arith.AddIOp(before, arith.ExtUIOp(before.type, comes_first).result).result])

    def body(self, arguments):
        """Computes what the op's region gives for these elements."""
        block = self.op.regions[0].blocks[0]
        values = dict(zip(block.arguments, arguments))
        *steps, end = block.operations
        for step in steps:
            copy = step.operation.clone()
            for at, operand in enumerate(step.operation.operands):
                copy.operands[at] = values.get(operand, operand)
            values.update(zip(step.operation.results, copy.results))
        return [values.get(operand, operand) for operand in end.operation.operands]

    def nest(self, bounds, state, body, indices=()):
        """Loops over all indices within bounds that hand a state, a list of tensors, on; the last state."""
        if len(indices) == len(bounds):
            return body(list(indices), state)
        loop = self.scf.ForOp(*bounds[len(indices)], self.index(1), state)
        with self.ir.InsertionPoint(loop.body):
            self.scf.YieldOp(self.nest(bounds, list(loop.inner_iter_args), body, (*indices, loop.induction_variable)))
        return list(loop.results)

    def number(self, name):
        """The value of an integer attribute."""
        return self.ir.IntegerAttr(self.op.attributes[name]).value

    def constant(self, kind, value):
        """An integer."""
        return self.arith.ConstantOp(kind, value).result

    def index(self, value):
        """A constant index."""
        return self.constant(self.ir.IndexType.get(), value)

    def extents(self, value):
        """From 0 to the extent of each dim."""
        return [(self.index(0), self.tensor.DimOp(value, self.index(at)).result if value.type.is_dynamic_dim(at)
                 else self.index(value.type.get_dim_size(at))) for at in range(value.type.rank)]

    def empty(self, like, kind):
        """A tensor of the same shape and of another type."""
        return self.tensor.EmptyOp([each[1] if like.type.is_dynamic_dim(at) else like.type.get_dim_size(at)
                                    for at, each in enumerate(self.extents(like))], kind).result

    def minus_one(self, index):
        """The index before."""
        return self.arith.SubIOp(index, self.index(1)).result

    def to_index(self, number):
        """An integer as an index."""
        return self.arith.IndexCastOp(self.ir.IndexType.get(), number).result

    def extract(self, value, indices):
        """One element."""
        return self.tensor.ExtractOp(value, indices).result

    def insert(self, element, value, indices):
        """The tensor with one other element."""
        return self.tensor.InsertOp(element, value, indices).result
