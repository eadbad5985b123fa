"""Tests what is said of two runs."""
import unittest

from ucmoh import noise


def run(*times):
    return {"task": {f"choice{i}": seconds for i, seconds in enumerate(times)}}


class NoiseTest(unittest.TestCase):
    def test_equal_runs_have_no_noise(self):
        times = run(*range(1, 10))
        found = noise.compare(times, times)
        self.assertEqual((found["median"], found["p90"], found["ceiling"]), (0, 0, 1))
        self.assertAlmostEqual(found["random"], 1 / 5)

    def test_pick_of_the_first_run_is_judged_by_the_second(self):
        found = noise.compare(run(1, 2, 3, 4, 5, 6, 7, 8), run(2, 1, 3, 4, 5, 6, 7, 8))
        self.assertAlmostEqual(found["ceiling"], 0.5)

    def test_pairs_that_both_order_alike(self):
        self.assertAlmostEqual(noise.agreement([1, 2, 3], [1, 3, 2]), 2 / 3)
        self.assertAlmostEqual(noise.agreement([1, 1, 3], [1, 2, 2]), 3 / 4)

    def test_only_common_programs_count(self):
        self.assertIsNone(noise.compare(run(1, 2, 3), run(1, 2, 3)))
        self.assertIsNone(noise.compare(run(*range(1, 10)), {"other": {}}))


if __name__ == "__main__":
    unittest.main()
