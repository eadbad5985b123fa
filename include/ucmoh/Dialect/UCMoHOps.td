//===- UCMoHOps.td - Operations of the ucmoh dialect -----------*- tablegen -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DIALECT_UCMOHOPS_TD
#define UCMOH_DIALECT_UCMOHOPS_TD

include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "ucmoh/Dialect/UCMoHAttrs.td"

class UCMoH_Op<string mnemonic, list<Trait> traits = []> : Op<UCMoH_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Hardware as IR
//===----------------------------------------------------------------------===//

def TargetOp : UCMoH_Op<"target",
    [Symbol, SymbolTable, IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "a hardware target: a symbol table of intrinsics";
  let description = [{
    Each target is one file under `targets/`. `features` are the LLVM subtarget
    features that its intrinsics and look-ups need: `target=host` takes every target whose
    features the CPU has. `tuning` are further features, which only steer code
    generation, so that LLVM leaves the instructions as they were chosen.
    `registers` describes the register file that fragments live in: how many
    registers of how many bits one thread has.

    `permission` is a system call, its number and then its arguments, by which a
    process asks the operating system once for the use of the intrinsics'
    registers. A machine that refuses lacks the target. No other call is
    accepted than Linux's `arch_prctl(ARCH_REQ_XCOMP_PERM, COMPONENT)` of x86-64,
    `[158, 4131, COMPONENT]`.

    A target whose code runs on a device beside the host names how that code is
    compiled (`device`, a target attribute of the gpu dialect) and the library
    that starts it (`driver`, which is found when a program is run). The threads
    of a block share `shared_memory` bytes. Rows in it leave `row_padding` bytes
    free behind each multiple of twice as many, so that neighbouring rows do not
    fall into the same banks. A block has at most `threads` threads.

    ```mlir
    ucmoh.target @x86_avx512_vnni triple("x86_64-unknown-linux-gnu")
        features("+avx512f,+avx512vnni") registers(32 x 512) { ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility,
      OptionalAttr<TypedArrayAttrBase<SymbolRefAttr, "names of symbols">>:$bases,
      StrAttr:$triple, StrAttr:$features, OptionalAttr<StrAttr>:$tuning,
      I64Attr:$register_count, I64Attr:$register_bits, OptionalAttr<AnyAttr>:$device,
      OptionalAttr<I64Attr>:$shared_memory_bytes, OptionalAttr<I64Attr>:$row_padding_bytes,
      OptionalAttr<I64Attr>:$block_threads, OptionalAttr<DenseI64ArrayAttr>:$permission,
      OptionalAttr<StrAttr>:$driver);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($sym_visibility^)? $sym_name (`extends` `(` $bases^ `)`)? `triple` `(` $triple `)` `features` `(` $features `)`
    (`tuning` `(` $tuning^ `)`)? `registers` `(` $register_count `x` $register_bits `)`
    (`permission` `(` $permission^ `)`)?
    (`device` `(` $device^ `)` `driver` `(` $driver `)` `shared_memory` `(` $shared_memory_bytes `)` `row_padding` `(` $row_padding_bytes `)`
     `threads` `(` $block_threads `)`)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def MachineOp : UCMoH_Op<"machine", [Symbol]> {
  let summary = "one machine: caches, bandwidths, clock, measured intrinsics";
  let description = [{
    Each machine is one file under `targets/machines/`. `cpus` are the names by
    which LLVM knows its processor (`llvm::sys::getHostCPUName`). `numbers` has
    these entries:

    | name | meaning |
    |---|---|
    | `clock_ghz` | the clock under vector load; a cycle is what a dependent scalar addition takes |
    | `l1_bytes`, `l2_bytes` | the data caches of one core |
    | `l3_bytes` | the last-level cache, which cores share |
    | `cache_line_bytes` | the bytes of a line of the caches |
    | `l1_bytes_per_cycle`, `l2_...`, `l3_...` | what one core reads when it reads a buffer that the cache holds over and over |
    | `broadcast_bytes_per_cycle` | what loads of one element into all lanes fill of registers, beside executions that use them |
    | `memory_bytes_per_second` | what one core reads from memory, line by line |
    | `memory_streams_bytes_per_second` | the same in four places side by side; left out: no other |
    | `cores` | the cores of a CPU, or the multiprocessors of a device |
    | `total_memory_bytes_per_second` | what all cores together read from memory |
    | `memory_latency_cycles` | how long a read takes that no cache holds |
    | `core_shared_memory_bytes`, `core_registers`, `core_threads` | what the blocks on one core of a device share |

    `intrinsics` maps "target::intrinsic" to
    `{latency_cycles = ..., throughput_cycles = ...}`: the average distance of
    two executions that add to the same accumulator, and of two independent ones.
    Numbers that are left out have a default. `ucmoh-probe` measures all of them
    on a CPU and writes such a file.

    ```mlir
    ucmoh.machine @zen4 cpus ["znver4"] numbers {clock_ghz = 3.7, l1_bytes = 32768}
        intrinsics {"x86_avx512_vnni::vpdpbusd_512" =
                    {latency_cycles = 4.0, throughput_cycles = 1.0}}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility,
      StrArrayAttr:$cpus, DictionaryAttr:$numbers, OptionalAttr<DictionaryAttr>:$intrinsics);
  let assemblyFormat = [{
    $sym_name `cpus` $cpus `numbers` $numbers (`intrinsics` $intrinsics^)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}

def FragmentOp : UCMoH_Op<"fragment", [Symbol, IsolatedFromAbove, HasParent<"TargetOp">]> {
  let summary = "how one operand lies in registers, and how it gets there";
  let description = [{
    Intrinsics of one target or of several share the layout of an operand. A
    fragment writes it once: the type that the operand has in registers and the
    bodies that move it. Intrinsics name it for their lhs, rhs or acc.

    | body | takes | yields |
    |---|---|---|
    | `load` | a two-dimensional view, two coordinates | the fragment |
    | `zero` | nothing | a fragment of zeros |
    | `store` | the fragment, the view, two coordinates | nothing |

    `ucmoh.intrinsic` says what view and coordinates are. An accumulator needs all
    three bodies; lhs and rhs use `load` only.

    ```mlir
    ucmoh.fragment @sums_i32x16 : vector<16xi32>
    load (%c: !i32_view, %i: index, %j: index) { ... }
    zero () { ... }
    store (%d: vector<16xi32>, %c: !i32_view, %i: index, %j: index) { ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility,
      TypeAttr:$type);
  let regions = (region SizedRegion<1>:$load, MaxSizedRegion<1>:$zero, MaxSizedRegion<1>:$store);
  let assemblyFormat = [{
    $sym_name `:` $type attr-dict-with-keyword
    `\n` `` `load` custom<Body>($load) custom<FragmentBodies>($zero, $store)
  }];
  let hasRegionVerifier = 1;
}

def IntrinsicOp : UCMoH_Op<"intrinsic", [Symbol, IsolatedFromAbove, HasParent<"TargetOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a tensor intrinsic: semantics as attributes, implementation as regions";
  let description = [{
    `acc[m, n] += lhs[m, k] * rhs[k, n]` on fragments of m x n x k elements.
    `types` carries the signedness (`ui8`, `si8`), the bodies use signless types.
    `subgroup_size` is the number of threads that hold one fragment together.
    `mnemonic` is what the assembly's instruction of `compute` begins with
    ("vpdpbusd"): tests look for it, documentation shows it.

    `k_interleave` says how the intrinsic wants its right operand in memory: `k`
    consecutive steps of the reduction of one column lie side by side
    (`k_interleave(4)`: the 4-way interleave of vpdpbusd); 1 is plain row-major.

    `partial_sums(2 x si16)` says that `compute` first adds two products in a
    number of type si16, where the sum saturates or wraps. The meaning above
    holds only where these sums fit, so the intrinsic is offered only for
    operands whose elements are known to be small enough. Without `partial_sums`
    every sum is a number of the accumulator's type.

    `variable_m` says that fragments of lhs and acc may have any number of rows
    up to m: the bodies stay valid when the first dimension of these types is
    replaced. A kernel uses such fragments where all its tiles have as many rows.
    It is then a function of its own, because compilers give each register one
    shape per function.

    `cost(4.0, 0.5)` gives the `latency_cycles` and `throughput_cycles` that serve
    on a machine without measured numbers for the intrinsic. They are typical of
    the CPUs that execute it. Without `cost` they are 4 and 1.

    Each body works on a two-dimensional view and the coordinates of the
    fragment's first element in it:

    | body | view | coordinates |
    |---|---|---|
    | `load_lhs` | [m, k] | row, first k |
    | `load_rhs` | [k / k_interleave, n * k_interleave] | step, first column * k_interleave |
    | `load_acc`, `store` | [m, n] | row, column |

    `zero` yields a fragment of zeros. `compute` takes lhs, rhs and acc and
    yields the new acc.

    The bodies that move an operand stand here, or `lhs`, `rhs` and `acc` name the
    `ucmoh.fragment` that has them: one of this target (`@sums_i32x16`) or of
    another (`@x86_avx512f::@sums_f32x16`). When the library of targets loads the
    files, it clones a fragment's bodies into the intrinsics that name it.

    ```mlir
    ucmoh.intrinsic @vpdpbusd_512 shape [1, 16, 4] types(ui8, si8, si32) mnemonic("vpdpbusd") k_interleave(4)
    lhs @broadcast_i8x64 rhs @panel_i8x64 acc @sums_i32x16
    compute (%a: vector<64xi8>, %b: vector<64xi8>, %c: vector<16xi32>) { ... }
    ```

    An acc fragment of one thread that is a one-dimensional vector of m * n
    elements is in row-major order. Other fragments are opaque.

    The memory space of the views says where operands must lie. Views of shared
    memory demand that operands are staged through it.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility,
      ConfinedAttr<DenseI64ArrayAttr,
          [DenseArrayCount<3>, DenseArrayStrictlyPositive<DenseI64ArrayAttr>]>:$shape,
      TypeAttr:$lhs_type, TypeAttr:$rhs_type, TypeAttr:$acc_type, StrAttr:$mnemonic,
      OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$partial_products,
      OptionalAttr<TypeAttr>:$partial_type,
      ConfinedAttr<DefaultValuedAttr<I64Attr, "1">, [IntPositive]>:$k_interleave,
      ConfinedAttr<DefaultValuedAttr<I64Attr, "1">, [IntPositive]>:$subgroup_size, UnitAttr:$variable_m,
      OptionalAttr<F64Attr>:$latency_cycles, OptionalAttr<F64Attr>:$throughput_cycles,
      OptionalAttr<SymbolRefAttr>:$lhs_fragment, OptionalAttr<SymbolRefAttr>:$rhs_fragment,
      OptionalAttr<SymbolRefAttr>:$acc_fragment);
  let regions = (region MaxSizedRegion<1>:$load_lhs, MaxSizedRegion<1>:$load_rhs,
      MaxSizedRegion<1>:$load_acc, MaxSizedRegion<1>:$zero, SizedRegion<1>:$compute,
      MaxSizedRegion<1>:$store);
  let assemblyFormat = [{
    $sym_name `shape` $shape `types` `(` $lhs_type `,` $rhs_type `,` $acc_type `)` `mnemonic` `(` $mnemonic `)`
    (`partial_sums` `(` $partial_products^ `x` $partial_type `)`)?
    (`k_interleave` `(` $k_interleave^ `)`)? (`subgroup_size` `(` $subgroup_size^ `)`)? (`variable_m` $variable_m^)?
    (`cost` `(` $latency_cycles^ `,` $throughput_cycles `)`)? attr-dict-with-keyword
    custom<IntrinsicBodies>($lhs_fragment, $rhs_fragment, $acc_fragment,
                            $load_lhs, $load_rhs, $load_acc, $zero, $compute, $store)
  }];
  let hasRegionVerifier = 1; // not hasVerifier: the bodies are verified first, so front()/back() are safe
  let extraClassDeclaration = [{
    ::mlir::Region &getLoad(Role role) { return getOperation()->getRegion(static_cast<unsigned>(role)); }
    /// The fragment that the operand's bodies come from; null if they stand in the intrinsic.
    ::mlir::SymbolRefAttr getFragment(Role role) {
      return role == Role::lhs ? getLhsFragmentAttr() : role == Role::rhs ? getRhsFragmentAttr() : getAccFragmentAttr();
    }
    /// Whether `symbol`, which may be null, is a fragment that this operand can have.
    ::mlir::LogicalResult verifyFragment(Role role, ::mlir::Operation *symbol);
    ::mlir::Type getElementType(Role role) {
      return role == Role::lhs ? getLhsType() : role == Role::rhs ? getRhsType() : getAccType();
    }
    ::mlir::Type getFragmentType(Role role) {
      return getCompute().getArgument(static_cast<unsigned>(role)).getType();
    }
    /// The same of a fragment of lhs or acc with so many rows.
    ::mlir::Type getFragmentType(Role role, int64_t rows);
    /// The element type in programs: `types` carries the sign (ui8), bodies are signless (i8).
    ::mlir::Type getSignlessType(Role role);
    /// [rows, columns] of the view that one fragment is loaded from.
    std::array<int64_t, 2> getViewShape(Role role);
  }];
}

def AsyncCopyOp : UCMoH_Op<"async_copy", [Symbol, IsolatedFromAbove, HasParent<"TargetOp">]> {
  let summary = "how the target copies to shared memory while it computes";
  let description = [{
    Without `barrier` one thread copies `bytes` neighbouring bytes, aligned to
    their number, and goes on at once. The last `bytes - valid` of them become
    zero. Each thread waits for its own copies, group by group:

    | body | takes |
    |---|---|
    | `copy` | the address in shared memory, the address in memory, `valid` (0 to `bytes`) |
    | `commit` | nothing; it ends a group of the thread's copies |
    | `wait` | how many of the thread's latest groups may still be under way |

    ```mlir
    ucmoh.async_copy @cp_async_16 bytes(16)
    copy (%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %valid: i32) { ... }
    commit () { ... }
    wait (%pending: i32) { ... }
    ```

    With `barrier(SIZE)` one thread copies any multiple of `bytes` bytes, such as
    a row of a block. A barrier of SIZE bytes in shared memory counts what has
    arrived, one barrier for each slot, and all threads wait for it. Each use of a
    slot is a phase of its barrier. Phases have parity 0 and 1 in turn. Rows of less
    than `shortest` bytes are copied by all threads instead.

    | body | takes |
    |---|---|
    | `init` | the address of the barrier, how many threads arrive in each phase; one thread executes it |
    | `copy` | the address in shared memory, the address in memory, how many bytes, the barrier |
    | `commit` | the barrier; the thread has issued all its copies of this phase, and arrives |
    | `wait` | the barrier, the parity of the phase to wait for |

    ```mlir
    ucmoh.async_copy @bulk bytes(16) barrier(8)
    init (%barrier: !llvm.ptr<3>, %threads: i32) { ... }
    copy (%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %bytes: i32, %barrier: !llvm.ptr<3>) { ... }
    commit (%barrier: !llvm.ptr<3>) { ... }
    wait (%barrier: !llvm.ptr<3>, %parity: i32) { ... }
    ```

    `like` names another asynchronous copy, of this target or of another one
    (`@nvidia_sm80::@cp_async_16`). Bodies that are not written here come from it.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility,
      ConfinedAttr<I64Attr, [IntPositive]>:$bytes,
      OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$barrier,
      OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$shortest,
      OptionalAttr<SymbolRefAttr>:$like);
  let regions = (region MaxSizedRegion<1>:$init, MaxSizedRegion<1>:$copy,
      MaxSizedRegion<1>:$commit, MaxSizedRegion<1>:$wait);
  let assemblyFormat = [{
    $sym_name `bytes` `(` $bytes `)` (`barrier` `(` $barrier^ `)`)? (`shortest` `(` $shortest^ `)`)?
    (`like` `(` $like^ `)`)? attr-dict-with-keyword custom<CopyBodies>($init, $copy, $commit, $wait)
  }];
  let hasRegionVerifier = 1;
}

def LookupOp : UCMoH_Op<"lookup", [Symbol, IsolatedFromAbove, SingleBlock, HasParent<"TargetOp">]> {
  let summary = "how the target looks up bytes in a table of 256";
  let description = [{
    Takes the table and a vector of places, unsigned bytes, and yields the bytes
    at these places. The table is loaded once in front of a loop, so that it stays
    in registers where it fits. Activation functions of quantized networks are
    such tables.

    ```mlir
    ucmoh.lookup @vpermi2b_512 mnemonic("vpermi2b")
    (%table: vector<256xi8>, %places: vector<64xi8>) { ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility,
      StrAttr:$mnemonic);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `mnemonic` `(` $mnemonic `)` attr-dict-with-keyword custom<Body>($body)
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// How many bytes are looked up at once.
    int64_t getLanes() {
      return ::mlir::cast<::mlir::VectorType>(getBody().getArgument(1).getType()).getNumElements();
    }
  }];
}

def YieldOp : UCMoH_Op<"yield", [Pure, Terminator,
    ParentOneOf<["IntrinsicOp", "FragmentOp", "AsyncCopyOp", "LookupOp", "KernelOp", "TileOp", "PipelineOp"]>]> {
  let summary = "ends a body of an intrinsic, a kernel or an epilogue";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
}

def AddressOp : UCMoH_Op<"address", [Pure, ParentOneOf<["IntrinsicOp", "FragmentOp"]>]> {
  let summary = "where an element of a view lies, for instructions that take pointers";
  let description = [{
    Bodies get views. An instruction that is no op on views takes a pointer and
    the distance between two rows, in elements. `--ucmoh-lower` replaces the op by
    arithmetic.

    ```mlir
    %p, %distance = ucmoh.address %view[%i, %k] : !f16_view -> !llvm.ptr<3>
    ```
  }];
  let arguments = (ins AnyMemRef:$view, Index:$row, Index:$column);
  let results = (outs LLVM_AnyPointer:$pointer, I32:$distance);
  let assemblyFormat = [{
    $view `[` $row `,` $column `]` attr-dict `:` type($view) `->` type($pointer)
  }];
}

def RegistersOp : UCMoH_Op<"registers", [Pure, ParentOneOf<["IntrinsicOp", "FragmentOp"]>,
                                         DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "the registers of a fragment, for instructions that take them one by one";
  let description = [{
    A fragment is a vector, or a struct as an instruction returned it. The op gives
    the elements of the vector, row by row, or the fields of the struct.
    `--ucmoh-lower` replaces it by ops that extract one each.

    ```mlir
    %as:4 = ucmoh.registers %a : vector<2x2xf32>
    %bs:2 = ucmoh.registers %b : !llvm.struct<(i32, i32)>
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyFixedVectorOfNonZeroRank, LLVM_AnyStruct]>:$fragment);
  let results = (outs Variadic<AnyType>:$registers);
  let assemblyFormat = "$fragment attr-dict `:` type($fragment)";
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

class ProgramOp<string mnemonic, list<Trait> traits = []>
    : UCMoH_Op<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<SymbolUserOpInterface>])>;

def LoadOp : ProgramOp<"load"> {
  let hasVerifier = 1;
  let hasFolder = 1; // folds memref.cast
  let summary = "load one operand's fragment";
  let description = [{
    `--ucmoh-lower` replaces the op by the intrinsic's body `load_lhs`, `load_rhs`
    or `load_acc`, which reads the whole of `view`. The type of the view says what
    is touched: its static shape is the part of the fragment that exists in
    memory, at most the body's view. A smaller one is the ragged edge of an
    operand, and the rest of the fragment is zero. Columns are neighbours in
    memory. A distance of 0 says that all rows are the same.

    ```mlir
    %view = memref.subview %a[%i, %k] [1, 4] [1, 1]
        : memref<8x64xi8> to memref<1x4xi8, strided<[64, 1], offset: ?>>
    %lhs = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %view
        : memref<1x4xi8, strided<[64, 1], offset: ?>> -> vector<64xi8>
    ```
  }];
  let arguments = (ins SymbolRefAttr:$intrinsic, UCMoH_Role:$role,
      Arg<AnyMemRef, "", [MemRead]>:$view);
  let results = (outs AnyType:$fragment);
  let assemblyFormat = "$role $intrinsic $view attr-dict `:` type($view) `->` type($fragment)";
}

def ComputeOp : ProgramOp<"compute", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "one execution of the intrinsic on fragments";
  let description = [{
    `--ucmoh-lower` replaces the op by the intrinsic's body `compute`. The result
    is `acc` plus the product of `lhs` and `rhs`.
  }];
  let arguments = (ins SymbolRefAttr:$intrinsic, AnyType:$lhs, AnyType:$rhs, AnyType:$acc);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $intrinsic $lhs `,` $rhs `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
}

def StoreOp : ProgramOp<"store"> {
  let hasVerifier = 1;
  let hasFolder = 1; // folds memref.cast
  let summary = "store one accumulator fragment";
  let description = [{
    `--ucmoh-lower` replaces the op by the intrinsic's body `store`. `view` means
    what it means at `ucmoh.load`. Of a fragment that is larger than the view, only
    the part that the view has is written.
  }];
  let arguments = (ins SymbolRefAttr:$intrinsic, AnyType:$fragment,
      Arg<AnyMemRef, "", [MemWrite]>:$view);
  let assemblyFormat = [{
    $intrinsic $fragment `,` $view attr-dict `:` type($fragment) `,` type($view)
  }];
}

def ZeroOp : ProgramOp<"zero"> {
  let summary = "an accumulator fragment of zeros";
  let description = [{
    Each op makes a fragment of its own, which a reduction then changes in place.
    If two of them were merged, copies would have to tell them apart, and some
    registers (tiles) can only be copied through memory.
  }];
  let arguments = (ins SymbolRefAttr:$intrinsic);
  let results = (outs Res<AnyType, "", [MemAlloc]>:$fragment);
  let assemblyFormat = "$intrinsic attr-dict `:` type($fragment)";
}

def CopyOp : UCMoH_Op<"copy", [AttrSizedOperandSegments]> {
  let hasVerifier = 1;
  let summary = "begin to copy a few elements to shared memory";
  let description = [{
    `--ucmoh-lower` replaces the op by the body `copy` of the `ucmoh.async_copy`
    that `engine` names. It copies `elements` elements, of which it reads `valid`.
    The rest become zero, or are not written where there is a barrier. `barriers`
    holds the barriers of all slots, and `slot` says which one counts this copy.
  }];
  let arguments = (ins SymbolRefAttr:$engine,
      Arg<AnyMemRef, "", [MemRead]>:$source, Index:$source_index,
      Arg<AnyMemRef, "", [MemWrite]>:$target, Index:$target_index, Index:$valid,
      ConfinedAttr<I64Attr, [IntPositive]>:$elements,
      Arg<Optional<AnyMemRef>, "", [MemRead, MemWrite]>:$barriers, Optional<Index>:$slot);
  let assemblyFormat = [{
    $engine $source `[` $source_index `]` `to` $target `[` $target_index `]` `valid` $valid
    `of` $elements attr-dict `:` type($source) `to` type($target)
    (`at` $barriers^ `[` $slot `]` `:` type($barriers))?
  }];
}

def InitOp : UCMoH_Op<"init", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "make the barrier of a slot ready for a number of threads; one thread executes it";
  let arguments = (ins SymbolRefAttr:$engine, AnyMemRef:$barriers, Index:$slot,
      ConfinedAttr<I64Attr, [IntPositive]>:$threads);
  let assemblyFormat = [{
    $engine `at` $barriers `[` $slot `]` `threads` $threads attr-dict `:` type($barriers)
  }];
}

def CommitOp : UCMoH_Op<"commit", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "end a group of this thread's copies to shared memory, or arrive at their barrier";
  let arguments = (ins SymbolRefAttr:$engine, Optional<AnyMemRef>:$barriers, Optional<Index>:$slot);
  let assemblyFormat = "$engine attr-dict (`at` $barriers^ `[` $slot `]` `:` type($barriers))?";
}

def WaitOp : UCMoH_Op<"wait", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until copies to shared memory have arrived";
  let description = [{
    Without barriers the thread waits until all but the latest `pending` groups of
    its own copies have arrived. With barriers it waits until the copies of all
    threads in the phase with that parity have arrived.
  }];
  let arguments = (ins SymbolRefAttr:$engine, ConfinedAttr<I64Attr, [IntNonNegative]>:$pending,
      Optional<AnyMemRef>:$barriers, Optional<Index>:$slot, Optional<Index>:$parity);
  let assemblyFormat = [{
    $engine `pending` $pending attr-dict
    (`at` $barriers^ `[` $slot `]` `parity` $parity `:` type($barriers))?
  }];
}

def BarrierOp : UCMoH_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until all threads of the block are here, and see what they wrote";
  let description = [{
    The op is a `gpu.barrier` with effects that buffer deallocation understands.
  }];
  let assemblyFormat = "attr-dict";
}

def UCMoH_Buffer : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

def KernelOp : UCMoH_Op<"kernel", [IsolatedFromAbove, SingleBlock, AttrSizedOperandSegments,
    DestinationStyleOpInterface, AlwaysSpeculatable,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface,
        ["bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize"]>]> {
  let summary = "a tensorized program on buffers, seen from outside as an op on tensors";
  let description = [{
    A kernel is the boundary between tensors and the explicit loops over memory
    that a choice asks for. Seen from outside, it is a destination-style op, which
    one-shot bufferization, fusion and hoisting understand. Inside, loops around
    `ucmoh.load`, `ucmoh.compute` and `ucmoh.store` work on the buffers of its
    operands. The body has one block argument for each of them, in order. It writes
    an output before it reads it, so nobody needs what the destination held.

    `choice` and `workload` tell people and tools what was decided and for what.
    After bufferization `--ucmoh-lower` puts the body in place of the op. The type
    of a block argument then becomes that of the real buffer, so ops that use it
    must not derive other memref types from it: views are casts of its base to the
    offset that `memref.extract_strided_metadata` gives. An `outlined` kernel
    becomes a function instead.
  }];
  let arguments = (ins Variadic<UCMoH_Buffer>:$inputs, Variadic<UCMoH_Buffer>:$outputs,
      StrAttr:$kind, OptionalAttr<UCMoH_ChoiceAttr>:$choice, OptionalAttr<StrAttr>:$workload,
      UnitAttr:$outlined);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict-with-keyword custom<Body>($body) (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
  }];
  let hasRegionVerifier = 1;
  let hasCanonicalizeMethod = 1; // merges equal inputs, drops unused ones
}

def CheckOp : UCMoH_Op<"check", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface,
        ["bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize"]>]> {
  let summary = "compares what a kernel computed with the same op as plain loops";
  let description = [{
    `--ucmoh-tile` and `--ucmoh-windows` emit it when they are told to check. `actual`
    is a result of a kernel, and `expected` that of the ops which the kernel
    replaced, on the same inputs. `number` is that of the contraction, or -1.
    `types` are the element types that were multiplied, which say how far floats
    may differ. `rounds` says that the sum is one of floats, so that an integer that
    it was rounded to may be the next one.
  }];
  let arguments = (ins UCMoH_Buffer:$actual, UCMoH_Buffer:$expected, I64Attr:$number,
      TypeArrayAttr:$types, UnitAttr:$rounds);
  let assemblyFormat = [{
    $actual `,` $expected `number` $number `types` $types (`rounds` $rounds^)? attr-dict
    `:` type($actual) `,` type($expected)
  }];
  let hasVerifier = 1;
}

def UCMoH_Combiner : Attr<CPred<"::llvm::isa<::mlir::vector::CombiningKindAttr>($_self)">,
                          "attribute #vector.kind">;
def UCMoH_Combiners : TypedArrayAttrBase<UCMoH_Combiner, "how values are combined">;

def TileOp : ProgramOp<"tile", [AttrSizedOperandSegments]> {
  let summary = "one register tile of a contraction: rows x columns results, the whole reduction";
  let description = [{
    `--ucmoh-tile` emits register tiles, and `--ucmoh-tensorize` expands them. All
    operands are strided views whose types say what the tile touches. Extents and
    strides are static, and a view may begin anywhere in its buffer. Only how often
    the outer loops of the reduction run may depend on where the tile is.

    | operand | shape |
    |---|---|
    | lhs | rows, each loop of the reduction |
    | rhs | each loop of the reduction, columns |
    | next | each loop of the reduction, elements |
    | extras, outputs | rows, columns |
    | partials | rows, columns of a fragment |

    The last loop of the reduction is cut into the intrinsic's steps. An intrinsic
    with a k_interleave takes that many elements of a column side by side, so its
    rhs has fewer rows and longer ones.

    The shape of the outputs is the tile's. Lhs has as many rows and as long a
    reduction as there are, and its ragged end is read element by element. A packed
    lhs is padded in memory: with zeros to the intrinsic's k, and with rows of any
    values to its m. A rhs is always padded to the intrinsic's n and k.

    Region `prologue` takes one element of each extra and yields the accumulator's
    first value. Region `epilogue` takes the accumulator's last value and one
    element of each extra, and yields one value per output, then one per partial.
    Both are scalar code. A distance of 0 between the rows or columns of an extra
    repeats them.

    `partials` reduce the rows of the result. Of each row they hold as many numbers
    as a fragment has columns. The values of all fragments of the row are combined
    with these, column by column, in the way that `combiners` says.

    `next` is prefetched while the tile computes, some elements in each step of
    the reduction.

    `streamed` outputs are written past the caches. Whole fragments of them must
    be aligned to their size.
  }];
  let arguments = (ins SymbolRefAttr:$intrinsic,
      Arg<AnyMemRef, "", [MemRead]>:$lhs, Arg<AnyMemRef, "", [MemRead]>:$rhs,
      Optional<AnyMemRef>:$next, Arg<Variadic<AnyMemRef>, "", [MemRead]>:$extras,
      Arg<Variadic<AnyMemRef>, "", [MemWrite]>:$outputs,
      Arg<Variadic<AnyMemRef>, "", [MemRead, MemWrite]>:$partials, UnitAttr:$streamed,
      DefaultValuedAttr<UCMoH_Combiners, "{}">:$combiners);
  let regions = (region SizedRegion<1>:$prologue, SizedRegion<1>:$epilogue);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The results are matrices of so many rows and columns.
    int64_t getRows() { return getOutputType(0).getDimSize(0); }
    int64_t getColumns() { return getOutputType(0).getDimSize(1); }
    /// The extents of the loops of the reduction, the innermost one in elements. Others may be
    /// dynamic.
    ::llvm::ArrayRef<int64_t> getReduction() { return getLhs().getType().getShape().drop_front(); }
    ::mlir::MemRefType getOutputType(unsigned i) {
      return ::llvm::cast<::mlir::MemRefType>(getOutputs()[i].getType());
    }
  }];
  let assemblyFormat = [{
    $intrinsic
    `\n` `lhs` $lhs `:` type($lhs)
    `\n` `rhs` $rhs `:` type($rhs)
    (`\n` `next` $next^ `:` type($next))?
    (`\n` `extras` `(` $extras^ `:` type($extras) `)`)?
    `\n` `outs` `(` $outputs `:` type($outputs) `)` (`streamed` $streamed^)?
    (`\n` `partials` `(` $partials^ `:` type($partials) `)` `by` $combiners)?
    attr-dict-with-keyword
    `\n` custom<TileBodies>($prologue, $epilogue)
  }];
}

def PipelineOp : UCMoH_Op<"pipeline", [RecursiveMemoryEffects]> {
  let summary = "the block of threads around a register tile whose operands pass through shared memory";
  let description = [{
    On a device `--ucmoh-tile` puts this op around the `ucmoh.tile` of a subgroup.
    `reduction` elements are computed block by block, each from a slot in shared
    memory. `lhs` and `rhs` are the subgroup's views of all slots, which their first
    dimension counts. The body takes those of one slot, and its tile says how a
    block of the reduction is computed. While the tile computes from one slot, later
    blocks of the reduction arrive in the others.

    Region `copy` takes a slot and the element of the reduction to begin with. It
    copies what the whole block of threads needs, and zeros behind the end. An
    `engine` makes the copies asynchronous.

    Only `rows_left` x `columns_left` of the tile's results exist, and none if one
    of these is negative. Others are neither read nor written outside of shared
    memory.

    Several threads hold a fragment together, so first and last values move
    through `staging`, the epilogue staging: a view of shared memory with the
    intrinsic's m rows and the tile's columns. Threads move `staging_width`
    neighbours of a row at a time, which lie all within the limits or all behind.
    All subgroups of the block reach the op together.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$reduction,
      Arg<AnyMemRef, "", [MemRead]>:$lhs, Arg<AnyMemRef, "", [MemRead]>:$rhs,
      OptionalAttr<SymbolRefAttr>:$engine, Index:$rows_left, Index:$columns_left,
      Arg<AnyMemRef, "", [MemRead, MemWrite]>:$staging,
      ConfinedAttr<I64Attr, [IntPositive]>:$staging_width);
  let regions = (region SizedRegion<1>:$copy, SizedRegion<1>:$body);
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The register tile in the body.
    TileOp getTile();
    /// How many slots there are.
    int64_t getDepth() { return getLhs().getType().getDimSize(0); }
    /// The elements of the reduction in one slot.
    int64_t getExtent() { return getLhs().getType().getDimSize(2); }
  }];
  let assemblyFormat = [{
    $reduction (`by` $engine^)?
    `\n` `lhs` $lhs `:` type($lhs)
    `\n` `rhs` $rhs `:` type($rhs)
    `\n` `limits` `[` $rows_left `,` $columns_left `]`
    `\n` `staging` $staging `width` $staging_width `:` type($staging)
    attr-dict-with-keyword
    `\n` custom<PipelineBodies>($copy, $body)
  }];
}

#endif // UCMOH_DIALECT_UCMOHOPS_TD
