#!/usr/bin/env bash
# Installs TVM, which UCMoH's tuner races against, into the virtual environment $1.
# TVM 0.25.0 does not load with a later apache-tvm-ffi.
set -euo pipefail

venv=${1:-build/tvm}
if [ ! -x "$venv/bin/pip" ]; then
  python3 -m venv "$venv"
fi
"$venv/bin/pip" install --quiet apache-tvm==0.25.0.post1 apache-tvm-ffi==0.1.12 xgboost==3.2.0 psutil cloudpickle
