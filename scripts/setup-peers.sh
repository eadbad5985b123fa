#!/usr/bin/env bash
# Installs what UCMoH is compared with (oneDNN, IREE, ONNX Runtime, OpenVINO), what draws the plots and reads features,
# into the virtual environment $1.
set -euo pipefail

venv=${1:-build/peers}
if [ ! -x "$venv/bin/pip" ]; then
  python3 -m venv "$venv"
fi
"$venv/bin/pip" install --quiet \
  onednn-cpu-gomp==2023.2.0 onednn-devel-cpu-gomp==2023.2.0 \
  iree-base-compiler==3.13.0 iree-base-runtime==3.13.0 onnxruntime==1.32.0 openvino==2026.4.1 \
  matplotlib==3.11.2 numpy==2.4.6 safetensors==0.8.0
