"""The tasks of the data set, and what is held out of it."""
import unittest

from ucmoh import networks, tasks


class TasksTest(unittest.TestCase):
    def test_networks_that_judge_are_never_trained_on(self):
        for task in networks.all_tasks():
            names = {name.split("/")[0] for name in task["networks"]}
            held_out = bool(names & networks.HELD_OUT)
            self.assertEqual(task["split"], "holdout" if held_out else "train", task["name"])

    def test_published_split_holds_less_out(self):
        splits = [(task["split"], task["published"]) for task in networks.all_tasks()]
        self.assertNotIn(("train", "holdout"), splits)
        self.assertIn(("holdout", "train"), splits)

    def test_each_task_comes_once_in_each_type(self):
        some = networks.all_tasks()[:50]
        pairs = [(task["name"], types) for task, types in tasks.ordered(some, tasks.TYPES)]
        self.assertEqual(len(pairs), 4 * len(some))
        self.assertEqual(len(set(pairs)), len(pairs))
        self.assertEqual(pairs, [(task["name"], types)
                                 for task, types in tasks.ordered(some[::-1], tasks.TYPES)])

    def test_shapes_of_language_models_keep_the_split_of_networks(self):
        splits = {task["name"]: task["split"] for task in networks.all_tasks()}
        every = tasks.every_task()
        self.assertEqual(len(every), len({task["name"] for task in every}))
        for task in every:
            self.assertEqual(task["split"], splits.get(task["name"], "train"), task["name"])

    def test_line_is_what_the_collector_reads(self):
        line = tasks.line(networks.all_tasks()[0], "u8s8s32")
        self.assertIn("func.func @f(", line["ir"])
        self.assertEqual(line["tags"]["types"], "u8s8s32")
        self.assertGreater(sum(line["tags"]["networks"].values()), 0)


if __name__ == "__main__":
    unittest.main()
