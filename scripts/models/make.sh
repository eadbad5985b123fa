#!/usr/bin/env bash
# Makes test/Models anew, or the folder given. The exporters go into a virtual environment below
# build/ (some 6 GB, as PyPI's torch brings CUDA along; a GPU is not used).
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
out="${1:-$here/../../test/Models}"
venv="$here/../../build/models-venv"

mkdir -p "$out"
python3 -m venv "$venv"
"$venv/bin/pip" install -q -r "$here/requirements.txt"
"$venv/bin/python" -W ignore "$here/export.py" "$out"
"$venv/bin/python" "$here/nhwc.py" "$out"
