"""Tests what the card counts."""
import types
import unittest

from ucmoh import card


def row(task, target, choice, error=""):
    workload = types.SimpleNamespace(id=task, tags={"types": "f32"})
    machine = types.SimpleNamespace(name="here")
    return types.SimpleNamespace(workload=workload, machine=machine, choice=choice, error=error,
                                 intrinsic=f"{target}::{target}_op")


class CardTest(unittest.TestCase):
    def test_depth_counts_different_candidates_of_a_task(self):
        rows = [row("a", "x", "1"), row("a", "x", "1"), row("a", "x", "2"), row("b", "x", "1"),
                row("a", "y", "1")]
        self.assertEqual(list(card.count_depth(rows, enough=2)),
                         [("here", "f32", "x", 2, 1, 1, 1), ("here", "f32", "y", 1, 1, 1, 0)])

    def test_intrinsics_count_all_rows(self):
        rows = [row("a", "x", "1"), row("a", "x", "1", "crashed"), row("b", "x", "1")]
        self.assertEqual(list(card.count_intrinsics(rows)), [("here", "f32", "x::x_op", 2, 3, 1)])


if __name__ == "__main__":
    unittest.main()
