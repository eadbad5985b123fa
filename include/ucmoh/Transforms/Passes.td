//===- Passes.td - The passes of UCMoH -------------------------*- tablegen -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// In reading order: the order in which --tensorize-with-cost-model runs them.

#ifndef UCMOH_TRANSFORMS_PASSES_TD
#define UCMOH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def WideSums : Pass<"ucmoh-wide-sums", "::mlir::func::FuncOp"> {
  let summary = "compute sums of bf16 and f16 in f32, and round them once";
  let description = [{
    Importers write a mean, a norm or a pooling as a reduction whose result has 16 bits,
    and is rounded after each step. Such a sum of bf16 stays where it is once it is 256
    times as large as what is added. PyTorch and ONNX Runtime add in f32. So does the
    program behind this pass: the reduction has a result of f32, which is rounded to the
    original type at its end. Products over a reduction are treated alike. Contractions
    stay as they are: an intrinsic has its own accumulators.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DropZeros : Pass<"ucmoh-drop-zeros", "::mlir::func::FuncOp"> {
  let summary = "leave out products of known zeros in convolutions";
  let description = [{
    A kernel element that meets nothing but the border of an image adds zeros, as most
    elements of a dilated kernel do whose steps are as long as the image. The pass
    drops such rows and columns of the kernel, and the border with them. Where at most
    half of the other products are with pixels, the result is cut into bands of rows and
    columns that meet pixels with the same elements of the kernel, and each crossing of
    two bands becomes a convolution without a border.

    PyTorch and ONNX export a transposed convolution as one of an image with zeros
    between its pixels. The pass makes it one convolution of the image itself for each
    phase of the result, with those kernel elements that meet pixels: for a stride of 2
    a quarter of the multiplications.

    A convolution that carries a `ucmoh.choice` stays as it is.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def IntegerProducts : Pass<"ucmoh-integer-products", "::mlir::func::FuncOp"> {
  let summary = "multiply the integers of dequantized operands";
  let description = [{
    Importers write a quantized network as products of floats: both operands were
    dequantized, `(integer - zero point) * scale`, from integers of 8 bits. Where no
    scale depends on a step of the reduction, the pass multiplies the integers, and
    scales the sum behind that: by one number, or by one for each channel or row.

    ```mlir
    %x = dequantize(%integers)               %sums = product of %integers and %weights
    %w = dequantize(%weights)         -->    %y = float(%sums) * scales
    %y = product of %x and %w
    ```

    Borders of zeros, zeros between pixels and slices become such of the integers. A
    product stays as it is if a zero point is not one integer for the whole operand, if
    its sums could exceed 32 bits, or if it carries a `ucmoh.choice`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def Layout : Pass<"ucmoh-layout", "::mlir::func::FuncOp"> {
  let summary = "put channels innermost in networks that have them outside of the image";
  let description = [{
    PyTorch and ONNX export convolutions and poolings whose images lie channel by
    channel (NCHW). The pass gives their tensors a layout with channels innermost
    (NHWC), in which a convolution is a product with long contiguous rows. The layout
    spreads to all ops between, so that no tensor inside of the network is copied.
    Transposes stand at the borders only: at the function's arguments and results,
    unless an elementwise op there reads one layout and writes the other, and where a
    reshape mixes channels with the image. Where the next reshape takes them apart
    again, dims are split first and merged last, so that one transpose is left. Weights
    keep their layout, because packing moves them anyway.

    A function changes if it has two convolutions or more. A single one stays as it
    is, unless its kernel would copy the image in either layout: because it steps
    over elements, or because rows of the image are short.

    An op that carries a `ucmoh.choice` keeps its layout, because the choice was made
    for it. So do functions of more than one block.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def Prepare : Pass<"ucmoh-prepare", "::mlir::func::FuncOp"> {
  let summary = "bring what surrounds contractions into a form that fuses";
  let description = [{
    The pass fuses chains of elementwise ops with each other, but never into a
    contraction. It takes elementwise ops that other tools fused into the body of
    a contraction out of it again, so that each operand is computed once, in the
    type that it has before it is extended. The extension of 8-bit operands and
    the subtraction of their zero points end up next to the contraction, which
    then reads the 8-bit values.

    Sums of 64 bits become sums of 32 bits where all users truncate them or where
    their range is known to fit. So do other integers of more than 32 bits inside
    elementwise ops.

    In quantized networks, a value that is quantized and dequantized stays the float
    that was rounded. A maximum over windows of dequantized values becomes one of
    integers. A costly function of 8 bits becomes a table, which depends on constants
    alone, and a lookup for each element.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def Extents : Pass<"ucmoh-extents", "::mlir::func::FuncOp"> {
  let summary = "turn contractions of dynamic extent into loops over pieces of static size";
  let description = [{
    A contraction with a dynamic number of rows, batches or images becomes loops over
    pieces. Each piece is a contraction of static size on slices of the operands,
    together with the elementwise op that its kernel can take in. Pieces have halving
    sizes. Where an extent is no multiple of a size, the last piece begins earlier and
    computes some rows a second time, or smaller pieces compute what is left.

    Where columns or the reduction are dynamic, as in attention, pieces are blocks
    whose rest is padded with zeros.

    `ucmoh.assume = array<i64: LEAST, MOST>` on an argument of the function, or on a
    contraction, promises a range for its dynamic extents. Sizes that no extent of
    the range needs are left out.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SumRows : Pass<"ucmoh-sum-rows", "::mlir::func::FuncOp"> {
  let summary = "multiply one row by a matrix that lies along its reduction as sums over its rows";
  let description = [{
    Where one token of a language model meets the keys of its cache, one row of f32 is
    multiplied by a matrix that changes from call to call and lies along its reduction.
    An intrinsic would need the matrix in another order, and to bring it there takes
    longer than the product. For a CPU the pass makes sums of it that read both operands
    as they lie, whatever moved their elements before, and nothing is chosen for them:
    the rest of the network vectorizes them. On a device the product stays one.

    A product that carries a `ucmoh.choice` stays as it is.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given">
  ];
}

def Groups : Pass<"ucmoh-groups", "::mlir::func::FuncOp"> {
  let summary = "compute groups of few channels in the lanes of vectors";
  let description = [{
    A convolution whose groups have fewer channels than a vector has lanes would leave
    most lanes empty as a product of matrices. Of one whose dims of groups and channels
    were split by reshapes, the pass makes one without these: each channel of the
    result is a lane, which reads the channels of its group in the image. Weights are
    laid out for lanes, which moves into `@NAME.pack`. --ucmoh-windows makes a kernel of
    the op, to which padding and elementwise ops join.

    Floats are multiplied one by one. All else needs an intrinsic that multiplies rows
    of several channels lane by lane, and adds what it multiplies; the op names it as
    `ucmoh.lanes`. Bytes are extended for an intrinsic that multiplies longer integers.
    An op that carries a `ucmoh.choice` or `ucmoh.winograd` stays as it is, and so do
    groups that fill vectors and images with another zero point than zero.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given">
  ];
}

def PlaceParts : Pass<"ucmoh-place-parts", "::mlir::func::FuncOp"> {
  let summary = "let kernels write into padded and concatenated tensors";
  let description = [{
    The result of a contraction, or of an elementwise op that joins it, is often copied
    into a larger tensor: an image with a border, or a concatenation. The pass makes a
    buffer of the larger tensor in front of the contraction (`bufferization.alloc_tensor`,
    for a pad with its border written) and inserts the result behind it. The kernel then
    writes there, and nothing is copied.

    A concatenation that is padded, and tensors that were inserted into one of these, go
    into one buffer. So do concatenations that begin with the same tensors, if each is
    read before the next tensor is computed. Parts that no kernel computes, or that
    others need as well, are inserted where the whole is needed. A pad stays if others
    than contractions read it, because kernels of windows leave the border out. Shapes
    must be static.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def Winograd : Pass<"ucmoh-winograd"> {
  let summary = "compute convolutions of 3 x 3 pixels with fewer products";
  let description = [{
    A convolution of f32, or of integers of 8 bits, with windows of 3 x 3 pixels, one
    pixel apart, and constant weights may be computed by Winograd's minimal
    filtering, F(2x2, 3x3): 2 x 2 results take 16 products of sums of pixels with sums
    of weights instead of 36 products. The products of all tiles are one contraction
    with a batch of 16, which `ucmoh-select` chooses a kernel for. The sums in front of
    it and behind are elementwise ops on slices, and the weights' sums move into
    `@NAME.pack`. The elementwise op that alone reads the result joins the sums behind.

    The cost model decides: it predicts the convolution and the products, of the whole
    image or of blocks of rows, and adds the time to write and read what lies between
    from the cache that it fits. `ucmoh.winograd = N : i64` on the convolution pins
    blocks of N rows of tiles; 0 leaves it alone. Convolutions that carry a choice, or
    have one in the file `choices`, are left alone, and so is everything on devices.

    Sums of integers have 16 bits, and are exact. A result of f32 differs from that of
    other orders of the same sums by rounding; an infinite pixel makes it NaN.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given">,
    Option<"model", "model", "std::string", "\"auto\"", "as in ucmoh-select">,
    Option<"threads", "threads", "int64_t", "1", "threads that one kernel may use">,
    Option<"choices", "choices", "std::string", "\"\"",
           "JSONL file of choices, as in ucmoh-select: what has one is computed directly">];
}

def Blocks : Pass<"ucmoh-blocks"> {
  let summary = "compute the scores of an attention by blocks of rows that stay in cache";
  let description = [{
    Where a contraction reads rows that other ops compute, each for itself, from the
    result of another contraction, all of it may be computed batch by batch, and within
    a batch by blocks of rows. What lies between the contractions is then never written
    as a whole. Each block is made of contractions like any others, which
    `ucmoh-select` chooses kernels for.

    The cost model decides: it predicts both contractions for each size of a block and
    for the whole, and adds the time to read and write what lies between from where it
    fits. `ucmoh.rows = N : i64` on the second contraction pins the size of its blocks;
    0 leaves it alone. Contractions that carry a choice, or have one in the file `choices`,
    are left alone, and so are kernels of devices. Several threads share the batches, so
    that blocks are predicted for one of them, where that leaves none of them idle.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given">,
    Option<"model", "model", "std::string", "\"auto\"", "as in ucmoh-select">,
    Option<"threads", "threads", "int64_t", "1", "threads that share the batches">,
    Option<"choices", "choices", "std::string", "\"\"",
           "JSONL file of choices, as in ucmoh-select: what has one is computed as a whole">];
}

def VerifyBorders : Pass<"ucmoh-verify-borders"> {
  let summary = "refuse a border of open width that no operand gives";
  let description = [{
    MLIR verifies of a `tensor.pad` that its static widths are as many as its dims, not
    that each open one among them has an operand. Passes that ask for the width would
    read past the operands. Both pipelines begin with this pass, which reports an error
    at each such op.
  }];
}

def ResolveTarget : Pass<"ucmoh-resolve-target", "::mlir::ModuleOp"> {
  let summary = "note on the module which targets and which machine it is compiled for";
  let description = [{
    The pass finds the targets and the machine that the option `target` names, and
    sets the module's attribute `ucmoh.target`, a `#ucmoh.resolved`. Later passes
    read the attribute. A choice is therefore applied for the target and the machine
    that it was made for, and the files are parsed once.

    A pass whose own option `target` contradicts the attribute reports an error. So
    does a pass that finds another machine under the same name than the attribute
    records. Without the attribute, a pass uses its option. Without either, it uses
    this machine.

    A `#dlti.target_system_spec` of the module replaces numbers of the machine. The
    pass reads its device "CPU", or "GPU" for a target that is a device: the entries
    `L1_cache_size_in_bytes`, `L2_cache_size_in_bytes`, `L3_cache_size_in_bytes` and
    `num_cores`. Other entries have no effect.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "host, a target's name (several joined by +, optionally @machine), or a target file; "
           "a machine may be a file too: host@here.mlir">];
}

def Select : Pass<"ucmoh-select"> {
  let summary = "attach the best #ucmoh.choice to each contraction";
  let description = [{
    The pass enumerates the legal candidates of each contraction, scores them and
    attaches the best one as the attribute `ucmoh.choice`. An op that already has
    a legal choice keeps it. A choice that is not legal is replaced, with a
    warning. An op without a legal candidate is left alone. Remarks of category
    "ucmoh" say what was chosen, from how many candidates, or why nothing was.

    A file of choices overrides the model. Its first line for a workload counts,
    and a warning says if no line is for any workload of the module.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "what ucmoh-resolve-target would be given; sets the module's attribute">,
    Option<"model", "model", "std::string", "\"auto\"",
           "cost model: auto (embedded where it has seen the intrinsics, else analytic), "
           "embedded, analytic, random:SEED or FILE.safetensors">,
    Option<"threads", "threads", "int64_t", "1", "threads that one kernel may use">,
    Option<"choices", "choices", "std::string", "\"\"",
           "JSONL file {\"workload\": NAME, \"workload_hash\": DIGITS, \"choice\": \"#ucmoh.choice<...>\"} "
           "that overrides the model: ucmoh-candidates prints such lines">];
}

def SelectKnobs : Pass<"ucmoh-select-knobs", "::mlir::ModuleOp"> {
  let summary = "turn the knobs of someone's schedule of the transform dialect";
  let description = [{
    A `transform.tune.knob` whose name is `register_tile_m`, `register_tile_n`, `cache_tile_m`,
    `cache_tile_n` or `cache_tile_k` stands for that field of a `#ucmoh.choice`. The pass gives all
    such knobs of the module, together, the values of the best candidate that has values among their
    options, of those that read operands as they lie if there are any. The module's contractions
    must be alike. Knobs with other names, or with a value, stay as they are.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given">,
    Option<"model", "model", "std::string", "\"auto\"", "as in ucmoh-select">];
}

def Score : Pass<"ucmoh-score"> {
  let summary = "say what the cost model predicts for the kernels in the input";
  let description = [{
    The pass reads the program of each kernel: a `ucmoh.kernel`, or a function with loops around
    `ucmoh.load`, `ucmoh.compute` and `ucmoh.store`, whoever wrote it. A remark says how many
    seconds the model predicts for it on the target's machine. The IR stays as it is. What has no
    place in a program is an error at the op: a position that does not follow from the loops, or an
    intrinsic that the target lacks.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given">,
    Option<"model", "model", "std::string", "\"auto\"", "as in ucmoh-select">,
    Option<"features", "features", "std::string", "\"\"",
           "JSONL file for the features of each kernel, - for standard output">];
}

def NarrowWeights : Pass<"ucmoh-narrow-weights", "::mlir::func::FuncOp"> {
  let summary = "compute products with weights of 4 or 8 bits from these";
  let description = [{
    The pass takes products that have a choice, and whose weights are dequantized:
    integers that fit 8 bits, times a scale and plus an offset, which groups of
    steps of the reduction share. Without it, @NAME.pack would dequantize them, and
    a kernel would read floats.

    The integers are packed two or one to a byte, in panels of the choice's register
    tile. The kernel of a few rows unpacks each vector of them in registers, sums
    the products of a group, and scales the sum. That of more rows unpacks a block
    of a panel, scaled, to a buffer, from which register tiles read it. Where the
    choice's intrinsic multiplies integers, tiles sum the integers of a group.

    A product whose choice does not read packed weights of vectors is left to
    `ucmoh-tile`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect",
                           "::ucmoh::UCMoHDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: where the choice's intrinsic is">,
    Option<"check", "check", "bool", "false", "compare each kernel with plain loops, by ucmoh.check">];
}

def JoinReductions : Pass<"ucmoh-join-reductions", "::mlir::func::FuncOp"> {
  let summary = "mark the reductions of rows that kernels take into their store";
  let description = [{
    Where an op that carries a choice computes a matrix, a reduction of the matrix's
    rows gets the attribute `ucmoh.in_store`, true, if the kernel may compute it
    while it stores its results, and if that pays. `ucmoh-tile` applies it. Set
    beforehand, true or false, the attribute is left as it is.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect", "::mlir::linalg::LinalgDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: where to look up the intrinsics">];
}

def Tile : Pass<"ucmoh-tile", "::mlir::func::FuncOp"> {
  let summary = "turn ops that carry a choice into ucmoh.kernel loop nests around ucmoh.tile";
  let description = [{
    The pass applies the cache tiles, the order of loops and the packing of the
    choice. It moves elementwise consumers into the epilogue of the register tile.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect", "::mlir::linalg::LinalgDialect",
      "::mlir::tensor::TensorDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
      "::mlir::vector::VectorDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: where to look up the intrinsics">,
    Option<"check", "check", "bool", "false", "compare each kernel with plain loops, by ucmoh.check">];
}

def Tensorize : Pass<"ucmoh-tensorize", "::mlir::func::FuncOp"> {
  let summary = "expand each ucmoh.tile into ucmoh.load, compute and store";
  let description = [{
    Loops over the reduction carry the accumulators as values. Each step loads the
    fragments of one column and one row of the tile and executes the intrinsic
    for each pair. The epilogue runs on vectors before the result is stored.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
      "::mlir::vector::VectorDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
      "::mlir::gpu::GPUDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: where to look up the intrinsics">];
}

def ApproximateMath : Pass<"ucmoh-approximate-math"> {
  let summary = "expand exp, expm1, erf, tanh, log, log1p, sin and cos to polynomials (f32, few ulp)";
  let description = [{
    Calls of the math library handle one element at a time and would cost more
    than the contractions around them. Polynomials vectorize, inside kernels and
    outside. Narrower floats are widened to f32 before. exp is within 2 ulp
    (research/fit_exp.py), and 0 below 2^-125.5. erf is a quotient of two
    polynomials (research/fit_erf.py), which also takes over a division by a
    constant in front of it. sin and cos are within 1e-7 up to 2^17 quarter turns and
    within 4e-6 up to 2^21. Behind that floats lie a quarter of a radian apart and
    more, and results are within -1 and 1 only.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandPowers : Pass<"ucmoh-expand-powers"> {
  let summary = "expand math.fpowi to products";
  let description = [{
    LLVM has powers of scalars with i32 exponents only, and calls a library for
    them. The pass turns a constant exponent into products and any other one into
    math.powf. It widens floats of less than 32 bits before. It applies inside
    kernels and outside, so that the reference computes the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def BoundLookups : Pass<"ucmoh-bound-lookups", "::mlir::func::FuncOp"> {
  let summary = "keep the places of look-ups inside of their table";
  let description = [{
    A `tensor.extract` at places that are data, such as numbers of words, would read
    foreign memory where a place is none of the table's. The pass brings each place that
    is not known to lie inside (from positions, constants, minima and maxima, the type's
    width, or a promise `ucmoh.range` of an argument) to the nearest one that does.
    What is looked up in a table without elements is zero. Callers that can tell refuse
    such places before. A constant dim that a shape does not have is an error.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def HoistWeights : Pass<"ucmoh-hoist-weights", "::mlir::ModuleOp"> {
  let summary = "move what depends on weights alone into @NAME.pack";
  let description = [{
    A public function @NAME may have arguments marked `{ucmoh.weight}`, or
    constants. All pure ops that depend on nothing else, those in loops too, move to
    a new function @NAME.pack(weights...) -> (values...). @NAME then takes those values in place
    of the weights that it no longer uses. @NAME.pack runs once.

    A loop with a constant number of iterations may select weights by its number, as one over
    experts does. What its iterations make of these alone is made for all of them, unless it has
    more than twice as many elements as the weights, and the loop reads a slice of that.
  }];
}

def DistinctResults : Pass<"ucmoh-distinct-results", "::mlir::func::FuncOp"> {
  let summary = "return a copy of what is returned twice";
  let description = [{
    Two results of a function that callers give memory for, as the option
    `results-as-arguments` of --ucmoh-to-llvm has it, need a buffer each. Upstream's
    --buffer-results-to-out-params crashes where they are the same one.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def PlacePieces : Pass<"ucmoh-place-pieces", "::mlir::func::FuncOp"> {
  let summary = "let kernels write pieces where they belong";
  let description = [{
    A kernel in a loop over pieces of a dynamic extent writes to a buffer of its own,
    which is then inserted into the result. Where the piece is contiguous in the
    result, the pass lets the kernel write there, so that bufferization copies
    nothing. In loops over batches, marked `ucmoh.items`, and over rows, marked
    `ucmoh.rows`, it gives each step buffers of its own.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ResolveDims : Pass<"ucmoh-resolve-dims", "::mlir::func::FuncOp"> {
  let summary = "compute dims of results from what the results are computed from";
  let description = [{
    Loops over the pieces of a dynamic extent follow each other, and each result has the
    dims of what the first loop got. The pass asks there, and does what upstream does to
    resolve dims. Bufferization compares slices by the dims that they are in; it would
    look through all loops for each pair of slices.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::tensor::TensorDialect"];
}

def Instrument : Pass<"ucmoh-instrument", "::mlir::ModuleOp"> {
  let summary = "call the clock before and after each op marked ucmoh.op";
  let description = [{
    The pass works on bufferized code. It surrounds ops that carry the i64
    attribute `ucmoh.op` by calls of `@ucmoh_op_begin(i64)` and
    `@ucmoh_op_end(i64)`.

    In a function with the i64 attribute `ucmoh.ops` it does so with what is no
    contraction as well: with linalg ops, copies and loops, each as a whole.
    Their numbers begin with that attribute's value. The function's `ucmoh.rest`
    then has a name and a count for each number; equal names have the same one.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::arith::ArithDialect"];
}

def LowerChecks : Pass<"ucmoh-lower-checks", "::mlir::ModuleOp"> {
  let summary = "turn each ucmoh.check into a call of the runtime";
  let description = [{
    The pass works on bufferized code. A check becomes a call of
    `@ucmoh_check_TYPE(index of the check, actual, expected)`. The function's
    `ucmoh.checks` has what is known of each: the number of the contraction, the
    type of the result, the types of the operands, and whether it rounds.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def InlineKernels : Pass<"ucmoh-inline-kernels", "::mlir::ModuleOp"> {
  let summary = "put the bodies of kernels in their place";
  let description = [{
    The pass works on bufferized code and has to run before the deallocation of
    buffers. Deallocation frees the packing buffers of inlined kernels, and would
    take a kernel for a function. Outlined kernels become functions. So do kernels
    of a network that do the same, such as those of its repeated layers: one
    function is compiled once for all of them. Numbers in which they differ, such as
    the scales and zero points of quantized layers, become arguments; positions do
    not.
  }];
  let options = [
    Option<"outlineNetworks", "outline-networks", "bool", "false",
           "every kernel that is not the only one of its function becomes one itself, which can be compiled alone">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def Decompose : Pass<"ucmoh-decompose"> {
  let summary = "turn ops that stand for several loops into those";
  let description = [{
    The pass decomposes linalg.softmax, linalg.pack and linalg.unpack on tensors
    as upstream does, because neither bufferization nor the lowering to loops
    knows all of them. It turns a tensor.pad of static shape by a constant into a
    buffer (`bufferization.alloc_tensor`), fills of its border and a copy.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LowerCopies : Pass<"ucmoh-lower-copies"> {
  let summary = "turn copies between buffers of different layout into loops";
  let description = [{
    The pass works on bufferized code. A memref.copy into or out of a part of a
    buffer, such as the inside of a padded image, would become a call of a runtime
    function that copies element by element. The pass turns it into a linalg op
    over as few dims as the layouts allow, which becomes loops around contiguous
    runs. Runs of open length become calls of memcpy. An argument is copied to a
    result only where they do not lie in the same memory.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def SplitOpenDims : Pass<"ucmoh-split-open-dims"> {
  let summary = "compute the strides of several open dims that were one";
  let description = [{
    The pass works on bufferized code. A memref.expand_shape that splits a dim into
    several of open extent becomes a memref.reinterpret_cast, because upstream's
    lowering takes one such dim only.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def LowerFlags : Pass<"ucmoh-lower-flags"> {
  let summary = "load and store single bits as bytes";
  let description = [{
    The pass works on the LLVM dialect. An i1 in memory takes a byte, as the mask of
    an attention does. LLVM does not vectorize loads and stores of i1, and takes the
    elements of a vector of them for bits. The pass turns both into such of i8, with a
    comparison or an extension beside them, masked ones too.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def Windows : Pass<"ucmoh-windows", "::mlir::func::FuncOp"> {
  let summary = "turn depthwise convolutions and poolings into kernels";
  let description = [{
    The pass takes reductions over windows of an image, channel by channel, whose
    channels are innermost. Each becomes a `ucmoh.kernel` of kind "windows": a block
    of the result stays in registers while its windows are reduced. A `ucmoh.choice`
    of the op says how large the block is; without one, half of the registers hold
    it. The kernel starts from the bias, reads the image without a padded copy, and does the elementwise
    work on the result.

    Padding joins only where an element of it leaves the sum or the maximum as it
    is, such as zeros in a sum of products.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect",
                           "::ucmoh::UCMoHDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: whose registers vectors have">,
    Option<"check", "check", "bool", "false", "compare each kernel with plain loops, by ucmoh.check">];
}

def GroupRest : Pass<"ucmoh-group-rest", "::mlir::func::FuncOp"> {
  let summary = "merge elementwise ops of a network that are no contraction";
  let description = [{
    The pass takes linalg ops of known shape on tensors that no kernel computes:
    normalizations, activation functions, quantization, masks, pooling. It merges
    elementwise ops with what uses them where no element is computed twice, and
    removes results that nothing uses and dims of extent 1. A division or an
    exponential of a row does not move into the loop over the row's elements.

    Sums of floats may be computed in any order afterwards (`reassoc`). The maximum of
    a softmax ignores NaN (`nnan`), which shows in the sum of the exponentials.

    Contractions that have no kernel get the mark `ucmoh.plain`: they neither merge
    nor join rows, and only `ucmoh-vectorize-rest` changes them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseRest : Pass<"ucmoh-fuse-rest", "::mlir::func::FuncOp"> {
  let summary = "compute ops that share rows row by row";
  let description = [{
    A group ends with one op and consists of it and of ops before it whose elements
    each step of its outer loops needs for itself: all steps of a softmax or of a
    normalization. The pass puts loops over rows around a group, so that what is
    between its ops stays in the L1 cache. Results of the group that others use are
    written as well. A reduction of what an elementwise op computes for others too
    becomes part of that op. The loops carry the mark `ucmoh.rows`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def JoinRest : Pass<"ucmoh-join-rest", "::mlir::func::FuncOp"> {
  let summary = "compute what reads the same in one loop";
  let description = [{
    The pass works on bufferized code, after equal views have become one. Elementwise
    linalg ops that follow each other, iterate over the same space and read a buffer in
    common become one op with several results, if nothing that one of them writes is
    read or written by the other: halves of rows in a rotary embedding, which both read
    both halves. It also removes copies of buffers to themselves.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def ShareRest : Pass<"ucmoh-share-rest", "::mlir::ModuleOp"> {
  let summary = "let threads share what is no contraction";
  let description = [{
    The pass works on bufferized code. Loops marked `ucmoh.rows`, and linalg ops outside of
    such loops, become an scf.parallel over one part for each thread, where a thread saves
    more time than it takes to start the others. How long that takes follows from the
    machine's numbers: lines of the cache are sent from core to core, as slowly as from
    memory. Where an extent is open, an `scf.if` asks at run time whether it has steps
    enough. Loops over batches, marked `ucmoh.items`, are shared as a whole if their
    number is known and steps write to nothing that another one does; what threads would
    share inside of them becomes loops. It does nothing for fewer than two threads.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: whose numbers say what pays">,
    Option<"threads", "threads", "int64_t", "1", "parts of a loop">];
}

def PlaceRows : Pass<"ucmoh-place-rows", "::mlir::func::FuncOp"> {
  let summary = "allocate the buffers of loops over rows once";
  let description = [{
    The pass works on bufferized code, before the deallocation of buffers. Buffers
    that loops marked `ucmoh.rows` allocate in each step move in front of them, but
    stay in a loop that threads share: each thread has its own. Those of few bytes,
    such as a row's sum, move to the stack.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def VectorizeRest : Pass<"ucmoh-vectorize-rest", "::mlir::ModuleOp"> {
  let summary = "turn linalg ops on buffers into loops that LLVM vectorizes";
  let description = [{
    The innermost loop becomes the one that accesses memory in order. A reduction
    over it carries its value from iteration to iteration instead of storing it. An
    annotation tells LLVM how many elements a vector has, which follows from the
    registers of the target, and how many vectors are computed side by side. Loops
    whose vectors would have to be gathered element by element are not annotated.

    Arithmetic on bf16 becomes such on f32 and integers where the target has no
    intrinsic for bf16: LLVM calls a function for each rounding.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: whose registers vectors have">];
}

def OutlineRest : Pass<"ucmoh-outline-rest", "::mlir::ModuleOp"> {
  let summary = "turn the loops of a network into functions";
  let description = [{
    Each outermost loop of a function that has eight of them or more becomes a
    function. Where a loop over pieces of a dynamic extent holds several, these do
    instead. Loops that are equal but for numbers they compute with become one, which
    is compiled once; LLVM takes more than linear time for a function with very many
    loops. A function's attribute `ucmoh.distinct` says which of its arguments
    nothing else overlaps that matters, as `ucmoh-lower-distinct` tells LLVM.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def LowerDistinct : Pass<"ucmoh-lower-distinct", "::mlir::ModuleOp"> {
  let summary = "tell LLVM which arguments do not overlap";
  let description = [{
    The pass works on the LLVM dialect, where an argument of a function is a pointer
    to a buffer. Those that `ucmoh.distinct` names become `noalias`: in the function
    that called, LLVM knew from where buffers were allocated.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ThreadStacks : Pass<"ucmoh-thread-stacks"> {
  let summary = "move the stack buffers of OpenMP loops to the beginning of each thread";
  let description = [{
    The pass runs after --convert-scf-to-openmp, which leaves these buffers inside
    the loop in scopes of their own.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::omp::OpenMPDialect"];
}

def Lower : Pass<"ucmoh-lower", "::mlir::ModuleOp"> {
  let summary = "put the bodies of a target's file in place of the ucmoh ops";
  let description = [{
    The pass inlines the kernels that are left and then replaces each ucmoh.load,
    compute, store and zero by a clone of the intrinsic's body. Bodies may hold ops
    whose effects are unknown to buffer deallocation, so deallocation has to run
    before.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
      "::mlir::vector::VectorDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
      "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: where to look up the intrinsics">];
}

def ExpandFloats : Pass<"ucmoh-expand-floats"> {
  let summary = "expand conversions from and to f8 to arithmetic on the bits, and to few bits to more";
  let description = [{
    LLVM has no f8E4M3FN and f8E5M2. The pass turns arith.extf from them and
    arith.truncf to them, of scalars and vectors, into integer arithmetic. It
    rounds to the nearest value, ties to even. A value that is too large becomes
    infinity, or NaN where the type has no infinity.
    --arith-emulate-unsupported-floats turns arithmetic on f8 into such
    conversions and has to run before.

    arith.fptosi to fewer than 32 bits becomes one to 32 bits, whose last bits
    are the result, unless constants limit the float to what the integer holds:
    importers convert to unsigned bytes by it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def AttachDevice : Pass<"ucmoh-attach-device", "::mlir::ModuleOp"> {
  let summary = "tell each gpu.module how the target's device compiles it";
  let description = [{
    The pass runs after --gpu-kernel-outlining. It sets the target attribute that
    the target's file gives, which --convert-to-llvm{dynamic} and
    --gpu-module-to-binary read. It copies constants that a kernel reads to memory
    that the device can see. Kernels get names of letters, digits and `_`, which is what
    assemblers take. No later pass needs a target, so it removes the
    module's attribute `ucmoh.target`.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: whose device it is">];
}

def SharedMemorySymbols : Pass<"ucmoh-shared-memory-symbols"> {
  let summary = "let a launch say how much shared memory a kernel has";
  let description = [{
    The pass works on a gpu.module in the LLVM dialect. Shared memory whose size
    the launch gives is a global without elements. As a global of the module it
    would have a size of its own beside that of the launch, so the pass makes it
    external.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AssembleKernels : Pass<"ucmoh-assemble-kernels", "::mlir::ModuleOp"> {
  let summary = "note what the device's assembler says of each kernel";
  let description = [{
    The pass runs after --gpu-module-to-binary, while gpu.launch_func still
    launches the kernels. It passes each kernel's text to the program `assembler`.
    The registers of a thread, the bytes spilled and the bytes of shared memory
    become a remark of category "ucmoh" and the attribute `ucmoh.needs` of the
    gpu.binary. So does the message of an assembler that refuses a kernel. Without
    the program nothing happens.
  }];
  let options = [
    Option<"assembler", "assembler", "std::string", "\"ptxas\"",
           "the program's path, or its name on PATH; takes ptxas' options">];
}

def LowerLaunches : Pass<"ucmoh-lower-launches", "::mlir::ModuleOp"> {
  let summary = "lower launches of kernels of a device, if there are any";
  let description = [{
    The pass is --gpu-to-llvm in modules with kernels of a device, and does nothing
    in others.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

#endif // UCMOH_TRANSFORMS_PASSES_TD
