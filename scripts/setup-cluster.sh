#!/usr/bin/env bash
# Installs Ray, which python/ucmoh/cluster.py needs, into the virtual environment $1.
set -euo pipefail

venv=${1:-"$(dirname "$0")/../.venv-cluster"}
if [ ! -x "$venv/bin/pip" ]; then
  python3 -m venv "$venv"
fi
"$venv/bin/pip" install --quiet ray==2.49.2
