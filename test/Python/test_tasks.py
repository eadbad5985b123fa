"""The tasks of the data set, and what is held out of it."""
import unittest

from ucmoh import networks, random_tasks, tasks


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

    def test_random_shapes_are_new(self):
        drawn = random_tasks.draw(200)
        known = {random_tasks.shape(task) for task in networks.all_tasks()}
        self.assertFalse(known & {random_tasks.shape(task) for task in drawn})
        self.assertEqual(len({random_tasks.shape(task) for task in drawn}), 200)
        self.assertEqual(drawn, random_tasks.draw(200))
        self.assertIn("func.func", tasks.line(drawn[0], "f32")["ir"])

    def test_depthwise_shapes_of_networks_that_judge_are_held_out(self):
        drawn = tasks.windows_tasks(50)
        judged = {task["name"] for task in networks.depthwise_tasks() if task["split"] == "holdout"}
        self.assertTrue(judged)
        for task in drawn:
            self.assertEqual(task["split"], "holdout" if task["name"] in judged else "train", task["name"])
        self.assertEqual(len({task["name"] for task in drawn}), len(drawn))
        self.assertEqual(drawn, tasks.windows_tasks(50))

    def test_channels_of_aligned_tasks_are_powers_of_two(self):
        drawn = random_tasks.draw_aligned(20)
        self.assertEqual([task["split"] for task in drawn].count("holdout"), 5)
        for task in drawn:
            self.assertIn(task["channels"], (64, 128, 256, 512, 1024), task["name"])
        self.assertEqual(drawn, random_tasks.draw_aligned(20))

    def test_products_of_few_rows_have_weights_of_no_network(self):
        drawn = random_tasks.draw_few_rows(20)
        self.assertEqual([task["split"] for task in drawn].count("holdout"), 5)
        known = {(task["filters"], task["channels"]) for task in networks.all_tasks()}
        for task in drawn:
            self.assertLessEqual(task["images"], 16, task["name"])
            self.assertNotIn((task["filters"], task["channels"]), known, task["name"])
        self.assertEqual(drawn, random_tasks.draw_few_rows(20))

    def test_a_depthwise_convolution_has_one_channel_a_filter(self):
        task = next(task for task in tasks.windows_tasks(0) if task["name"] ==
                    "depthwise_conv2d_1x14x14x512_512x3x3_s1_p1")
        self.assertEqual(task["flops"], 2 * 14 * 14 * 512 * 9)
        self.assertEqual(task["class"], "depthwise 3x3 stride 1")
        self.assertIn("linalg.depthwise_conv_2d_nhwc_hwc", tasks.line(task, "f32")["ir"])
        self.assertIn("tensor<3x3x512xi8>", tasks.line(task, "u8s8s32")["ir"])

    def test_a_pointwise_convolution_is_a_product(self):
        row = {"op": "conv2d", "input": "2x64x14x14", "filter": "32x1x1x1", "stride": "1x1",
               "pad": "0x0", "dilation": "1x1"}
        pointwise = networks.convolution_of_row(row)
        self.assertEqual(random_tasks.shape(pointwise),
                         random_tasks.shape(networks.matmul(1, 392, 32, 64)))

    def test_line_is_what_the_collector_reads(self):
        line = tasks.line(networks.all_tasks()[0], "u8s8s32")
        self.assertIn("func.func @f(", line["ir"])
        self.assertEqual(line["tags"]["types"], "u8s8s32")
        self.assertGreater(sum(line["tags"]["networks"].values()), 0)


if __name__ == "__main__":
    unittest.main()
