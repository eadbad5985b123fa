#!/usr/bin/env bash
# Looks for what a reviewer should not have to find: format, includes that point upward, stale generated pages,
# leftovers. Prints every finding; exits with 1 if there is one.
set -uo pipefail
shopt -s lastpipe # so that `report`, last in its pipe, can set `failed`
cd "$(dirname "$0")/.."
scripts/setup.sh --lint || exit 1
failed=0

# report NAME: reads findings from standard input, one a line.
report() {
  local findings
  findings="$(cat)"
  if [ -n "$findings" ]; then
    printf '%s:\n%s\n' "$1" "$findings"
    failed=1
  fi
}

# forbid FOLDERS WHAT: no #include below lib/, include/ucmoh/ and tools/ FOLDERS may match WHAT.
forbid() {
  git ls-files | grep -E "^(lib|include/ucmoh|tools)/($1)" | grep -E '\.(cpp|h|td)$' |
    xargs -r grep -nE "#?include [<\"]($2)" | report "include that points upward"
}

git ls-files '*.cpp' '*.h' | xargs -r clang-format-22 --dry-run -Werror 2>&1 |
  grep -E 'error:' | cut -d: -f1 | sort -u | report "not in the format of .clang-format"

# The floors: an include points down only.
measured='ucmoh/(Runtime|Compile|Iree|Records|Probe|Collect|Tune|Dataset|Training)/'
above_analysis="ucmoh/Transforms/|$measured"
forbid 'CostModel/' "mlir/|ucmoh/Dialect/|ucmoh/Analysis/|$above_analysis"
forbid 'Dialect/' "ucmoh/CostModel/|ucmoh/Analysis/|$above_analysis"
forbid 'Analysis/' "$above_analysis"
forbid 'Transforms/' "ucmoh/CostModel/|$measured"
forbid 'Records/' 'mlir/|ucmoh/'"(Analysis|Dialect|Transforms|Runtime|Compile|Probe|Collect|Tune|Dataset|Training)/"
forbid 'Runtime/' 'ucmoh/(Compile|Iree|Probe|Collect|Tune|Dataset|Training)/'
forbid 'Compile/' 'ucmoh/(Iree|Probe|Collect|Tune|Dataset|Training)/'
forbid 'Iree/' 'ucmoh/(Probe|Collect|Tune|Dataset|Training)/'
forbid 'CAPI/' "$measured"
forbid 'Probe/' 'ucmoh/(Collect|Tune|Dataset|Training)/'
forbid 'Collect/' 'ucmoh/(Tune|Dataset|Training)/'
forbid 'Tune/' 'ucmoh/(Dataset|Training)/'
forbid 'Dataset/' 'ucmoh/(Runtime|Probe|Collect|Tune|Training)/'
forbid 'Training/' 'mlir/|ucmoh/(Analysis|Dialect|Transforms|Runtime|Records|Probe|Collect|Tune)/'
# The product knows nothing of research/.
forbid '.*/' '(Features|Networks)/|research'
forbid '(CostModel|Dialect|Analysis|Transforms|Runtime|Compile|Iree|Records|Probe|Collect|Tune|Dataset|ucmoh-(opt|plugin|run|compile|translate|candidates|featurize|collect|probe|tune))/' 'torch/|ATen/|c10/'

# Hardware is data: code names no target and no intrinsic; comments may, as examples.
names="$(sed -nE 's/^ *ucmoh\.(target|intrinsic) [^@]*@([a-z0-9_]+).*/\2/p' targets/*.mlir | sort -u | paste -sd '|')"
git grep -nwE "$names" -- 'lib/*.cpp' 'lib/*.h' 'include/*.h' | sed 's,//.*,,' | grep -wE "$names" |
  report "code that names a target"

# All that is CUDA's stands in folders of that name; comments may explain by it. lib/Dialect registers the upstream
# dialects that target files are written in.
for file in $(git ls-files 'lib/*.cpp' 'lib/*.h' 'include/*.h' 'tools/*.cpp' | grep -vE '/CUDA/|^lib/Dialect/'); do
  sed 's,//.*,,; /#include "CUDA\//d' "$file" | grep -niE --label="$file" -H 'mgpu|nvvm|nvgpu|\bptx\b|fatbin|cuda'
done | report "CUDA outside of a folder CUDA"

fresh="$(mktemp -d)"
trap 'rm -rf "$fresh"' EXIT
scripts/docs.sh "$fresh"
diff -rq "$fresh" docs/generated 2>&1 | report "docs/generated is stale, run scripts/docs.sh"

scripts/lint-docs.py | report "documentation"
scripts/lint-headers.py | report "undocumented declaration in a public header"
scripts/lint-comments.py | report "comment that begins with \"of\""

code=(lib include tools research python scripts cmake targets test docs '*.md' '*.txt')
git grep -InE '\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b' -- "${code[@]}" | report "unfinished"
git grep -nIE '(^|[^[:alnum:]_.])/(root|home|work)/' -- "${code[@]}" ':!scripts/lint.sh' |
  report "path of one machine"

[ "$failed" -eq 0 ] && echo "lint: clean"
exit "$failed"
