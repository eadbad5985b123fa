#!/usr/bin/env bash
# tables.sh [FILE]: writes docs/results/lifelong-tables.md, or FILE, anew from the raw data in research/results.
set -euo pipefail
cd "$(dirname "$0")/.."
output=$(realpath "${1:-docs/results/lifelong-tables.md}")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

unpack() { # unpack NAME AS: prints a folder in which the raw data NAME has the name that its script reads
  mkdir -p "$folder/$1"
  xz -dc "research/results/$1.jsonl.xz" > "$folder/$1/$2.jsonl"
  echo "$folder/$1"
}

sequence() { # sequence NAME HEADING
  printf '\n## %s\n' "$2"
  python3 research/lifelong.py table --folder "$(unpack zen5-lifelong results)" --sequence "$1" | cat -s
}

few_rows() { # few_rows RAW HEADING
  printf '\n## %s\n\n' "$2"
  python3 research/few_rows.py table --folder "$(unpack "$1" few-rows)"
}

{
  cat <<'TEXT'
# Tables of learning on

Written by `research/tables.sh` from the raw data in `research/results`. [Learning on](lifelong.md) says what they mean,
and how they came about.
TEXT
  few_rows zen5-few-rows-zen5 'Few rows of a Zen 5'
  few_rows zen5-few-rows-zen3 'Few rows of a Zen 3'
  printf '\n## Few lists of a Zen 5, by ways not to forget\n\n'
  python3 research/few_lists.py table --folder "$(unpack zen5-few-lists few-lists)"
  sequence machines 'Machines, one after the other'
  sequence intrinsics 'Intrinsics of one machine, one after the other'
  sequence families "UniCoMo's protocol in form"
} > "$folder/tables.md"
sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$folder/tables.md" > "$output"
