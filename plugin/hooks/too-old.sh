#!/bin/sh
# Runs at the start of a session. A client older than 2.1.305 loads no hooks modules, so it says what to do; a newer one
# hears nothing. The version is in AI_AGENT (claude-code_2-1-197_agent); where it is not, nothing is said.
version=$(printf '%s' "$AI_AGENT" | sed -n 's/^claude-code_\([0-9]*\)-\([0-9]*\)-\([0-9]*\).*$/\1 \2 \3/p')
[ -n "$version" ] || exit 0
# shellcheck disable=SC2086
set -- $version
number=$(($1 * 1000000 + $2 * 1000 + $3))
[ "$number" -ge 2001305 ] && exit 0
printf '{"systemMessage":"Plimsoll: this client (%s.%s.%s) is too old for the plugin plimsoll and runs none of it. Install plimsoll-classic instead: npx plimsoll install, or /plugin install plimsoll-classic@plimsoll"}\n' "$1" "$2" "$3"
