# Sourced by the scripts that take minutes.

# Reads lines "NAME DONE OF" and shows how far each NAME is: in place on a terminal, otherwise a line
# for each quarter.
progress() {
  local name="" reading amount total begin quarter text
  while read -r reading amount total; do
    if [ "$reading" != "$name" ]; then
      [ -z "$name" ] || [ ! -t 1 ] || echo
      name=$reading begin=$SECONDS quarter=0
    fi
    text="$name: $((100 * amount / total)) % after $((SECONDS - begin)) s"
    if [ "$amount" -gt 0 ] && [ "$amount" -lt "$total" ]; then
      text+=", about $(((SECONDS - begin) * (total - amount) / amount)) s left"
    fi
    if [ -t 1 ]; then
      printf '\r%s\e[K' "$text"
    elif [ "$((4 * amount / total))" -gt "$quarter" ]; then
      quarter=$((4 * amount / total))
      echo "$text"
    fi
  done
  [ -z "$name" ] || [ ! -t 1 ] || echo
}

# build TARGET...: configures `preset` and builds targets of it (none: all), with progress. What the compiler says is of
# interest only when it fails.
preset=release
build() {
  local log=build/build.log
  mkdir -p build
  echo "configuration"
  cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
  NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" ${1:+--target "$@"} 2>&1 | tee "$log" |
    sed -unE 's,^\[([0-9]+)/([0-9]+)\] .*,build \1 \2,p' | progress || {
      grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking) ' "$log" | tail -n 60 >&2
      echo "the build failed, for the reason above; all of its output: $log" >&2
      return 1
    }
}
