#!/usr/bin/env python3
"""Tunes the tasks of the race with TVM MetaSchedule on one core; appends a JSON line per trial.

    PYTHONPATH=python build/tvm/bin/python benchmarks/race/metaschedule.py --work=DIR --output=peer.jsonl

Each task gets a round of trials, and then each the next one, so that an interrupted run has as many trials of each
task; started again, it goes on. DIR keeps TVM's databases and models, of which race.py takes the schedules.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import time

import tvm
from tvm.s_tir import meta_schedule
from tvm.s_tir.meta_schedule import schedule_rule
from tvm.ir.utils import derived_object

import names
import workloads

MEASURE_SECONDS = 0.02, 5  # least length of a sample, samples: TVM's default is 0.1 seconds, once
PRIORITY = 20


def build(module, target, _parameters):
    """As TVM's own build function, which imports every target's instructions first: half a minute."""
    from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock
    return tvm.driver.build(RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(module), target=target)


def evaluate(module, device, config, arguments):
    """The median of the samples, undisturbed where this user may say so."""
    import statistics
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        pass
    try:
        timed = module.time_evaluator("main", device, number=config.number, repeat=config.repeat,
                                      min_repeat_ms=config.min_repeat_ms)
        return [statistics.median(timed(*inputs).results) for inputs in arguments]
    finally:
        os.sched_setscheduler(0, *before)


@derived_object
class Log(meta_schedule.measure_callback.PyMeasureCallback):
    """Appends a line per trial."""

    def __init__(self, path, tags, trials):
        super().__init__()
        self.path, self.tags, self.trials = path, tags, trials
        self.start, self.processor_start = time.monotonic(), processor_seconds()

    def apply(self, task_scheduler, task_id, measure_candidates, builder_results, runner_results):
        elapsed = {"elapsed_seconds": round(time.monotonic() - self.start, 3),
                   "processor_seconds": round(processor_seconds() - self.processor_start, 3)}
        with open(self.path, "a", encoding="utf-8") as output:
            for built, ran in zip(builder_results, runner_results):
                error = built.error_msg or ran.error_msg
                seconds = None if error else float(ran.run_secs[0])
                line = {**self.tags, "trial": self.trials, "seconds": seconds, **elapsed,
                        **({"error": str(error).strip().splitlines()[-1][:200]} if error else {})}
                output.write(json.dumps(line) + "\n")
                self.trials += 1


def processor_seconds():
    """The CPU seconds of this process and of all processes that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def rules(default, types):
    """TVM's own rules for this CPU, for one core.

    Vectorization is left to the instruction and to LLVM where there is an instruction: otherwise TVM vectorizes the
    loop around it, and most candidates do not compile.
    """
    extent = -1 if types == "u8s8s32" else 64
    for rule in default:
        if isinstance(rule, schedule_rule.ParallelizeVectorizeUnroll):
            yield schedule_rule.ParallelizeVectorizeUnroll(max_jobs_per_core=-1, max_vectorize_extent=extent,
                                                           unroll_max_steps=[0, 16, 64, 512], unroll_explicit=True)
        elif isinstance(rule, schedule_rule.MultiLevelTilingWithIntrin):
            yield schedule_rule.MultiLevelTilingWithIntrin(
                workloads.VNNI, structure="SSRSRS", max_innermost_factor=64,
                reuse_write=schedule_rule.ReuseType(req="may", levels=[1, 2], scope="global"))
        else:
            yield rule


def space(module, target, types):
    default = meta_schedule.TuneContext(mod=module, target=target, space_generator="post-order-apply",
                                        search_strategy="evolutionary").space_generator
    mutators = {mutator: chance for mutator, chance in default.mutator_probs.items()
                if not isinstance(mutator, meta_schedule.mutator.MutateParallel)}
    return meta_schedule.space_generator.PostOrderApply(
        sch_rules=list(rules(default.sch_rules, types)), postprocs=default.postprocs, mutator_probs=mutators)


def tune(task, types, trials, more, arguments):
    """So many more trials of the task, which has `trials`. Database and model go on where the last round stopped."""
    folder = pathlib.Path(arguments.work) / f"{task['name']}.{types}"
    learned = folder / "model.tar"
    module, target = workloads.function(task, types), make_target(arguments.cpu)
    seconds, repeat = MEASURE_SECONDS
    config = meta_schedule.runner.EvaluatorConfig(number=1, repeat=repeat, min_repeat_ms=int(seconds * 1e3))
    model = meta_schedule.cost_model.XGBModel(num_tuning_cores=1)
    if trials:
        model.load(str(learned))
    meta_schedule.tune_tir(
        module, target, str(folder), more, num_trials_per_iter=min(more, 64),
        seed=arguments.seed + trials, space=space(module, target, types), num_tuning_cores=1, cost_model=model,
        builder=meta_schedule.builder.LocalBuilder(max_workers=1, timeout_sec=arguments.timeout, f_build=build),
        runner=meta_schedule.runner.LocalRunner(timeout_sec=arguments.timeout, evaluator_config=config,
                                                f_run_evaluator=evaluate),
        measure_callbacks=[*meta_schedule.MeasureCallback.create("default"),
                           Log(arguments.output, {"task": task["name"], "types": types}, trials)])
    model.save(str(learned))


def make_target(cpu):
    return tvm.target.Target({"kind": "llvm", "mcpu": cpu, "num-cores": 1})


def counts(path):
    """How many trials the output has of each (task, types)."""
    if not os.path.exists(path):
        return collections.Counter()
    with open(path, encoding="utf-8") as lines:
        return collections.Counter((record["task"], record["types"]) for record in map(json.loads, lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True, help="folder for TVM's databases")
    parser.add_argument("--output", required=True, help="JSON lines")
    parser.add_argument("--types", nargs="+", default=["u8s8s32", "f32"], choices=list(workloads.ELEMENTS))
    parser.add_argument("--tasks", type=int, default=len(names.NAMES), help="the first so many of the race")
    parser.add_argument("--only", nargs="+", choices=names.NAMES, help="these tasks instead")
    parser.add_argument("--trials", type=int, default=256, help="trials of each task (256)")
    parser.add_argument("--round", type=int, default=64,
                        help="trials of a task before the next one has its turn; the model learns after 64 (64)")
    parser.add_argument("--timeout", type=float, default=30, help="seconds to build or to run a candidate (30)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", default=tvm.target.codegen.llvm_get_system_cpu(), help="CPU, by LLVM's name")
    arguments = parser.parse_args()
    workloads.register_intrinsic()
    tasks = [task for name, task in names.tasks().items() if name in (arguments.only or names.NAMES[:arguments.tasks])]
    for last in range(arguments.round, arguments.trials + arguments.round, arguments.round):
        done = counts(arguments.output)
        for task, types in itertools.product(tasks, arguments.types):
            trials = done[task["name"], types]
            if trials < min(last, arguments.trials):
                tune(task, types, trials, min(last, arguments.trials) - trials, arguments)


if __name__ == "__main__":
    main()
