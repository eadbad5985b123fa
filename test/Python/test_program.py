"""Linalg as a callable: arguments, results, errors, the cache, files."""
import os
import pathlib
import platform
import subprocess
import sys
import threading
import unittest
from unittest import mock

import needs
import ucmoh
from ucmoh import cache, cpu, library, tools

try:
    import numpy as np
except ImportError as error:
    raise unittest.SkipTest("this needs numpy: scripts/setup.sh --test installs it") from error

needs.need_tool("ucmoh-compile")

DENSE = """
func.func @main(%x: tensor<4x16xf32>, %w: tensor<16x8xf32> {ucmoh.weight}) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x16xf32>, tensor<16x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
"""

TWO = """
func.func @two(%x: tensor<3xi8>, %y: tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>) {
  %empty = tensor.empty() : tensor<3xi8>
  %sum = linalg.add ins(%x, %y : tensor<3xi8>, tensor<3xi8>) outs(%empty : tensor<3xi8>) -> tensor<3xi8>
  %product = linalg.mul ins(%x, %y : tensor<3xi8>, tensor<3xi8>) outs(%empty : tensor<3xi8>) -> tensor<3xi8>
  return %sum, %product : tensor<3xi8>, tensor<3xi8>
}
"""

LONG = """
func.func @main(%x: tensor<524288xf32>) -> tensor<524288xf32> {
  %empty = tensor.empty() : tensor<524288xf32>
  %y = linalg.add ins(%x, %x : tensor<524288xf32>, tensor<524288xf32>) outs(%empty : tensor<524288xf32>) -> tensor<524288xf32>
  return %y : tensor<524288xf32>
}
"""

WINDOWS = """
func.func @main(%image: tensor<1x4x4x8xf32>, %w: tensor<3x3x8x8xf32> {ucmoh.weight}) -> tensor<1x2x2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x2x2x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf {ucmoh.winograd = 1 : i64} ins(%image, %w : tensor<1x4x4x8xf32>, tensor<3x3x8x8xf32>)
      outs(%init : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  return %y : tensor<1x2x2x8xf32>
}
"""

ASSERTED = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %first = arith.constant 0 : index
  %element = tensor.extract %x[%first] : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %holds = arith.cmpf one, %element, %zero : f32
  cf.assert %holds, "the first element must not be zero"
  %empty = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
"""


class Case(needs.FolderCase):
    def setUp(self):
        super().setUp()
        self.weight = np.arange(128, dtype=np.float32).reshape(16, 8) / 64
        self.x = np.linspace(-1, 1, 64, dtype=np.float32).reshape(4, 16)

    def write(self, text, name="model.mlir"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def dense(self, **options):
        return ucmoh.compile(self.write(DENSE), weights=[self.weight], **options)


class CallTest(Case):
    def test_result(self):
        np.testing.assert_allclose(self.dense()(self.x), self.x @ self.weight, rtol=1e-5)

    def test_assertions_end_a_call(self):
        fast = ucmoh.compile(self.write(ASSERTED))
        with self.assertRaisesRegex(ucmoh.Error, "an assertion of @main"):
            fast(np.zeros(4, np.float32))
        np.testing.assert_array_equal(fast(np.ones(4, np.float32)), np.full(4, 2, np.float32))

    def test_by_name_and_as_a_session(self):
        fast = self.dense()
        expected = fast(self.x)
        np.testing.assert_array_equal(fast(**{"0": self.x}), expected)
        np.testing.assert_array_equal(fast.run(None, {"0": self.x})[0], expected)
        np.testing.assert_array_equal(fast.run({"0": self.x})[0], expected)
        np.testing.assert_array_equal(fast.run(["0"], {"0": self.x})[0], expected)
        with self.assertRaisesRegex(ucmoh.ArgumentError, "there is no output y, only 0"):
            fast.run(["y"], {"0": self.x})

    def test_several_results_of_a_named_function(self):
        fast = ucmoh.compile(self.write(TWO), entry="two")
        first, second = fast(np.array([1, 2, 3], np.int8), np.array([4, 5, 6], np.int8))
        self.assertEqual((first.tolist(), second.tolist()), ([5, 7, 9], [4, 10, 18]))
        # Signless integers are unsigned where the caller says so.
        first, _ = fast(np.array([1, 2, 3], np.uint8), np.array([4, 5, 6], np.uint8))
        self.assertEqual(first.tolist(), [5, 7, 9])

    def test_weights_are_packed_once(self):
        fast = self.dense()
        expected = self.x @ self.weight
        self.weight[:] = 0
        np.testing.assert_allclose(fast(self.x), expected, rtol=1e-5)

    def test_what_is_not_contiguous_is_copied(self):
        fast = self.dense()
        np.testing.assert_array_equal(fast(np.asfortranarray(self.x)), fast(self.x))

    def test_what_another_library_holds_is_not_copied(self):
        class Other:
            """Has an array and shows it by DLPack alone."""

            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        fast = self.dense()
        np.testing.assert_array_equal(fast(Other(self.x)), fast(self.x))
        with self.assertRaisesRegex(ucmoh.ArgumentError, r"must be float32\[4, 16\], not float64\[4, 16\]"):
            fast(Other(self.x.astype(np.float64)))

    def test_results_that_nobody_holds_are_written_again(self):
        (self.folder / "long.mlir").write_text(LONG, encoding="utf-8")
        program, x = ucmoh.compile(self.folder / "long.mlir"), np.ones(1 << 19, np.float32)
        address = lambda array: array.__array_interface__["data"][0]
        first = program(x)
        part, place = first[100:], address(first)
        del first
        second = program(x + 1)  # a part of the first is held
        self.assertNotEqual(address(second), place)
        np.testing.assert_array_equal(part, 2)
        np.testing.assert_array_equal(second, 4)
        del part
        self.assertEqual(address(program(x)), place)

    def test_an_argument_of_any_alignment(self):
        memory = np.zeros(self.x.nbytes + 4, np.uint8)
        shifted = memory[4:].view(np.float32).reshape(4, 16)
        shifted[:] = self.x
        fast = self.dense()
        np.testing.assert_array_equal(fast(shifted), fast(self.x))

    def test_calls_in_several_threads(self):
        fast = self.dense()
        expected, found = fast(self.x), []
        threads = [threading.Thread(target=lambda: found.extend(fast(self.x) for _ in range(100))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 400)
        self.assertTrue(all((each == expected).all() for each in found))

    def test_winograd(self):
        """A result whose window has an infinite pixel is made of sums with that pixel, and of others with less it."""
        path, weight = self.write(WINDOWS), np.ones((3, 3, 8, 8), np.float32)
        image = np.ones((1, 4, 4, 8), np.float32)
        image[0, 1, 1] = np.inf
        fewer, direct = (ucmoh.compile(path, weights=[weight], winograd=fewer)(image) for fewer in (True, False))
        self.assertTrue(np.isnan(fewer).all())
        self.assertTrue(np.isposinf(direct).all())

    def test_tuned(self):
        needs.need_tool("ucmoh-tune")
        np.testing.assert_allclose(self.dense(tune=1)(self.x), self.x @ self.weight, rtol=1e-5)
        self.assertTrue((cache.folder().parent / "records.sqlite").exists())
        with mock.patch.object(tools, "run", side_effect=AssertionError("tuned again")):
            self.dense(tune=1)


class ErrorTest(Case):
    def refuse(self, pattern, function, *arguments, kind=ucmoh.ArgumentError):
        with self.assertRaisesRegex(kind, pattern):
            function(*arguments)

    def test_arguments(self):
        fast = self.dense()
        self.refuse(r"argument 0 \(0\) must be float32\[4, 16\], not float32\[16, 4\]", fast, self.x.T.copy())
        self.refuse(r"must be float32\[4, 16\], not float64\[4, 16\]", fast, self.x.astype(np.float64))
        self.refuse(r"float32\[4, 16\] and is builtins.list: pass a NumPy array", fast, self.x.tolist())
        self.refuse("run takes a list of names and a dictionary", fast.run, "0", {"0": self.x})
        self.refuse("run takes a list of names and a dictionary", fast.run, None, [self.x])
        self.refuse(r"1 arguments are expected, not 2", fast, self.x, self.x)
        self.refuse(r"the inputs 0 are expected, and x were given", lambda: fast(x=self.x))

    def test_weights(self):
        path = self.write(DENSE)
        self.refuse(r"@main has 1 weights \(float32\[16, 8\]\), and weights= has 0", ucmoh.compile, path)
        with self.assertRaisesRegex(ucmoh.ArgumentError, r"weight 0 must be float32\[16, 8\], not float32\[8, 16\]"):
            ucmoh.compile(path, weights=[self.weight.T])

    def test_programs(self):
        self.refuse("does not exist", ucmoh.compile, self.folder / "none.mlir", kind=ucmoh.Error)
        self.refuse("neither .onnx nor .mlir", ucmoh.compile, self.write("", "model.txt"), kind=ucmoh.Error)
        self.refuse("@main cannot be compiled: .*error", ucmoh.compile, self.write("func"), kind=ucmoh.CompileError)
        self.refuse("model.mlir:1:1: error", ucmoh.compile, self.write("func"), kind=ucmoh.CompileError)
        self.assertEqual(list(cache.folder().iterdir()), [])
        (self.folder / "model.mlir").write_bytes(b"\xff")
        self.refuse("model.mlir cannot be read as text", ucmoh.compile, self.folder / "model.mlir", kind=ucmoh.Error)
        self.refuse("are for files in MLIR", lambda: ucmoh.compile("model.onnx", weights=[self.x]), kind=ucmoh.Error)

    def test_options(self):
        self.refuse("pass one of the two", lambda: self.dense(tune=1, choices="mine.jsonl"), kind=ucmoh.Error)
        self.refuse("tune= is a number of seconds, not 'long'", lambda: self.dense(tune="long"))
        self.refuse("choices=mine.jsonl: there is no such file", lambda: self.dense(choices="mine.jsonl"), kind=ucmoh.Error)
        self.refuse("target=mine.mlir: there is no such file", lambda: self.dense(target="mine.mlir"), kind=ucmoh.Error)
        for count in (0, 1.5, "two", 1025):
            self.refuse("threads.. takes a whole number from 1 to 1024", ucmoh.threads(count).__enter__)

    def test_a_tool_that_is_missing(self):
        with mock.patch.dict(os.environ, PATH=""), mock.patch.object(tools, "folders", lambda: iter(())):
            self.refuse("ucmoh-compile was found neither", ucmoh.compile, self.write(DENSE), kind=ucmoh.MissingPackage)


class CacheTest(Case):
    def test_a_second_time_nothing_is_compiled(self):
        expected = self.dense()(self.x)
        with mock.patch.object(tools, "run", side_effect=AssertionError("compiled again")):
            np.testing.assert_array_equal(self.dense()(self.x), expected)

    def test_another_text_or_option_is_another_entry(self):
        self.dense()
        self.dense(target="x86_avx2_fma")
        self.assertEqual(len(list(cache.folder().glob("*.so"))), 2)

    def test_nothing_is_kept(self):
        self.dense(keep=False)
        self.assertFalse(cache.folder().exists())

    def test_a_folder_that_cannot_be_written(self):
        cache.folder().parent.parent.mkdir()
        cache.folder().parent.write_text("a file where the folder should be", encoding="utf-8")
        with self.assertWarnsRegex(ucmoh.Fallback, "nothing is kept in the cache folder"):
            fast = self.dense()
        np.testing.assert_allclose(fast(self.x), self.x @ self.weight, rtol=1e-5)

    def test_a_full_disk(self):
        with mock.patch.object(cache, "probe", side_effect=OSError(28, "No space left on device")):
            with self.assertWarnsRegex(ucmoh.Fallback, "No space left on device"):
                fast = self.dense()
        np.testing.assert_allclose(fast(self.x), self.x @ self.weight, rtol=1e-5)

    def test_two_processes_at_once(self):
        code = ("import sys, numpy, ucmoh; print(ucmoh.compile(sys.argv[1], weights=[numpy.ones((16, 8), 'float32')])"
                "(numpy.ones((4, 16), 'float32')).sum())")
        command = [sys.executable, "-c", code, str(self.write(DENSE))]
        path = os.pathsep.join([str(pathlib.Path(ucmoh.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": path})
                   for _ in range(2)]
        self.assertEqual([process.communicate()[0].strip() for process in started], ["512.0"] * 2)
        self.assertEqual(len(list(cache.folder().iterdir())), 1)


class FileTest(Case):
    def test_saved_and_loaded(self):
        fast, path = self.dense(), self.folder / "model.ucmoh"
        fast.save(path)
        self.assertEqual([each.name for each in self.folder.iterdir() if each.name.startswith(".")], [])
        with mock.patch.object(tools, "find", side_effect=AssertionError("no tool is needed")):
            again = ucmoh.load(path)
        np.testing.assert_array_equal(again(self.x), fast(self.x))
        self.assertEqual(again.explain(), fast.explain())

    def test_files_that_cannot_be_written_or_read(self):
        with self.assertRaisesRegex(ucmoh.Error, "none/model cannot be written: No such file"):
            self.dense().save(self.folder / "none" / "model")
        with self.assertRaisesRegex(ucmoh.Error, "none cannot be read: No such file"):
            ucmoh.load(self.folder / "none")
        with mock.patch.object(os, "replace", side_effect=OSError(28, "No space left on device")):
            with self.assertRaisesRegex(ucmoh.Error, "model cannot be written: No space left"):
                self.dense(keep=False).save(self.folder / "model")
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["cache", "model.mlir"])

    def test_two_loaded_models_do_not_mix(self):
        self.dense().save(self.folder / "one")
        ucmoh.compile(self.write(TWO), entry="two").save(self.folder / "two")
        one, two = ucmoh.load(self.folder / "one"), ucmoh.load(self.folder / "two")
        np.testing.assert_allclose(one(self.x), self.x @ self.weight, rtol=1e-5)
        self.assertEqual(two(*[np.ones(3, np.int8)] * 2)[0].tolist(), [2, 2, 2])

    def test_what_is_no_model(self):
        path = self.write("text", "model.ucmoh")
        with self.assertRaisesRegex(ucmoh.Error, "is no compiled model, or it was cut off"):
            ucmoh.load(path)
        self.dense().save(path)
        path.write_bytes(path.read_bytes()[:1000])
        with self.assertRaisesRegex(ucmoh.Error, "is no compiled model, or it was cut off"):
            ucmoh.load(path)


class CpuTest(Case):
    def test_a_cpu_that_lacks_something(self):
        self.dense().save(self.folder / "model")
        with mock.patch.object(cpu, "flags", lambda: frozenset({"sse2"})):
            with self.assertRaisesRegex(ucmoh.WrongCpu, "compiled for another CPU: this one lacks .*avx2"):
                ucmoh.load(self.folder / "model")

    def test_another_architecture(self):
        needs.need_tool("ucmoh-compile")
        foreign = {"x86_64": "aarch64_neon"}.get(platform.machine(), "x86_avx2_fma")
        path = self.folder / "foreign.so"
        try:
            tools.run([tools.find("ucmoh-compile"), self.write(DENSE), "-o", path, f"--target={foreign}"], "it")
        except ucmoh.CompileError as error:
            self.skipTest(str(error))  # without a linker for it
        with self.assertRaisesRegex(ucmoh.WrongCpu, "compiled for another architecture"):
            library.Library(path, "main")

    def test_a_library_that_was_cut_off(self):
        path = self.folder / "cut.so"
        path.write_bytes(b"\x7fELF")
        with self.assertRaisesRegex(ucmoh.Error, "cannot be loaded: .*cut.so.*; remove the file"):
            library.Library(path, "main")

    def test_names(self):
        with mock.patch.object(cpu, "flags", lambda: frozenset({"avx512vnni", "asimddp"})):
            self.assertEqual(cpu.missing(["avx512vnni", "dotprod", "amx-int8", "movbe"]), ["amx-int8"])
        self.assertEqual(cpu.missing(["nothing-of-this-name"]), [])


class ExplainTest(Case):
    def test_rows(self):
        rows = self.dense().explain()
        self.assertEqual(len(rows), 1)
        self.assertEqual(set(rows[0]), {"op", "workload", "choice", "predicted_seconds"})
        self.assertRegex(rows[0]["workload"], "matmul_f32f32f32_4x8x16")
        self.assertIn("<td>" + rows[0]["workload"], rows._repr_html_())
        self.assertIn(rows[0]["workload"], str(rows))


if __name__ == "__main__":
    unittest.main()
