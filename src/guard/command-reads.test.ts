/** If red: a command that reads an ignored folder is let through, or a harmless one is refused. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../test/support/depth.ts";
import { expectProportional } from "../../test/support/expect-proportional.ts";
import { listCommandReads } from "./command-reads.ts";

const PLACE = { root: "/home/u/app", directory: "/home/u/app" };

/** What is read, from the root where it is inside it; a tree ends in a slash. */
function reads(command: string): readonly string[] {
  return listCommandReads(command, PLACE).map(
    ({ path, isTree }) => path.replace(/^\/home\/u\/app\/?/, "") + (isTree ? "/" : ""),
  );
}

it.each([
  'DC="docker compose"; $DC exec web sh -c "cd /app && cat dist/main.js"',
  'C="wc -l"; cat dist/x | $C',
  'T="-L 1"; tree $T dist',
  'O="-g !**/node_modules/**"; rg $O foo src',
  `for v in old- new-; do cat \${v}build/r.txt; done`,
  'for i in 1 2; do cat "target$i/x"; done',
  "for t in docker podman; do $t cat dist/x; done",
])("says nothing of %s, in which a variable holds several words", (command) => {
  expect(reads(command)).toEqual([]);
});

describe("what a command reads", () => {
  it.each<[string, readonly string[]]>([
    ["cat a b", ["a", "b"]],
    ["a; cat b", ["b"]],
    ["cat<b", ["b"]],
    ['"ca"t b', ["b"]],
    ["c\\at 'b c'", ["b c"]],
    ["/bin/cat b", ["b"]],
    ["cat ./a/../b/x", ["b/x"]],
    ["cat \\\n b", ["b"]],
    ["cat # a comment\ncat b", ["b"]],
    ["true && cat a || head b | tail c & less d\nmore e", ["a", "b", "c", "d", "e"]],
    ["(cd x; cat a); cat b", ["x/a", "b"]],
    ['sh -c "cd x && cat a"; cat b', ["x/a", "b"]],
    ["{ cat a; }", ["a"]],
    ["if cat a; then cat b; else cat c; fi", ["a", "b", "c"]],
    ["case $x in a|b) cat c ;; *) (cat d) ;; esac; cat e", ["c", "d", "e"]],
    ["show() { cat a; }; show", ["a"]],
    ["A=1 B=2 cat a", ["a"]],
    [`D=x; cat $D/a \${D}b`, ["x/a", "xb"]],
    ["export D=x && cat $D/a", ["x/a"]],
    ['for f in a; do cat "$f"; done', ["a"]],
    ["cat a/$NONE/b", ["a/*/b"]],
    ["cat ~/app/a $HOME/app/b $PWD/c", ["a", "b", "c"]],
    ["cd x && cat a && cd .. && cat b", ["x/a", "b"]],
  ])("[R150] follows the shell in %j", (command, expected) => {
    expect(reads(command)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['echo "$(cat a)"', ["a"]],
    ["echo `cat a`", ["a"]],
    ["echo \"$(cat <<'EOF'\n$(cat a)\nEOF\n)\"", []],
    ["echo $(< a)", ["a"]],
    ["diff <(cat a) <(cat b)", ["a", "b"]],
    ["cat <<'EOF'\n$(cat b)\nEOF", []],
    ["bash -lc 'cat a'", ["a"]],
    ["sh -c \"bash -c 'cat a'\"", ["a"]],
    ['eval "cat a"', ["a"]],
    ["time -p cat a; time { cat b; }", ["a", "b"]],
    ["cat <<E && cat b\ncat c\nE", ["b"]],
    ["sudo env -i A=1 nice -n 5 timeout 5 cat a", ["a"]],
    ["xargs -n 1 cat a", ["a"]],
    ["ls | xargs -I{} cat a/{}", ["a/*"]],
  ])("[R150] follows what is inside it in %j", (command, expected) => {
    expect(reads(command)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ["grep -A 3 pattern a", ["a"]],
    ["grep -e pattern a", ["a"]],
    ["grep -rn pattern a b", ["a/", "b/"]],
    ["rg -t ts pattern a", ["a/"]],
    ["rg --files a", ["a/"]],
    ["rg -g 'a/**' -g '!b' pattern c", ["c/", "a/**/"]],
    ["sed -n '1,5p' a", ["a"]],
    ["sed -i s/x/y/ a", []],
    ["awk -F: '{print $1}' a", ["a"]],
    ["jq .version a", ["a"]],
    ["head -n 5 a", ["a"]],
    ["column -t a", ["a"]],
    ["ls a", []],
    ["ls -lR a", ["a/"]],
    ["tree a", ["a/"]],
    ["tree -L 1 a", []],
    ["find a -name '*.js'", ["a/"]],
    ["find a -maxdepth 1", []],
    ["find a -delete", []],
    ["find a -exec cat {} \\;", ["a/"]],
    ["find a -exec rm {} +", []],
    ["find . -path './a/*'", ["/", "a/*"]],
    ["find . -not -path './a/*'", ["/"]],
    ["find . -path ./a -prune -o -print", ["/"]],
    ["cp a b", []],
    ["dd if=a of=b", []],
    ["git -C x show HEAD:a", ["x/a/"]],
    ["git diff main -- a", ["a/"]],
    ["git diff build", []],
    ["git add a", []],
    ["wc -l a", []],
    ["du -sh a", []],
  ])("[R150] knows the command's own arguments in %j", (command, expected) => {
    expect(reads(command)).toEqual(expected);
  });

  it.each(["cat a | wc -l", "cat a > b", "grep -q x a", "cat a | grep -c x", "cat a >/dev/null"])(
    "[R150] lets pass what never enters the window: %s",
    (command) => {
      expect(reads(command)).toEqual([]);
    },
  );

  it.each(["cat a > /dev/stdout", "cat a >&2", "cat a 2> b"])(
    "[R150] is not deceived about what enters it: %s",
    (command) => {
      expect(reads(command)).toEqual(["a"]);
    },
  );

  it.each([
    ...["cat $X/a", "cat $(list)", "cd $X && cat a", "node -e 'read()'", "$X a"],
    ...["cat $(echo a)", "for f in a b; do cat $f; done", "echo 'cat a' | sh", "ls | xargs -I{} cat {}/a"],
  ])("[R150] lets pass what cannot be known: %s", (command) => {
    expect(reads(command)).toEqual([]);
  });

  it("[R150] resolves from the directory of the call", () => {
    const place = { root: "/home/u/app", directory: "/home/u/app/src" };
    expect(listCommandReads("cat ../a", place)).toEqual([{ path: "/home/u/app/a", isTree: false }]);
  });
});

/** Pieces of shell that mean something, so that what comes of them is nearly a command. */
const SHELL_PIECES = [
  ..."cat ls a/b | & ; && ( ) { } $( ` ' \" \\ < > << <<< >& $ } # ! for in do done case esac if fi eval".split(" "),
  ...[
    `\${`,
    `\${x:-`,
    "bash -c ",
    "xargs ",
    "find ",
    "-exec ",
    "git -C ",
    "env -S ",
    "\n",
    " ",
    "EOF",
    "=",
    "*",
    "~",
    "\0",
    "é",
    "{a,b}",
  ],
];

describe("any command", () => {
  const shellText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...SHELL_PIECES), { maxLength: 40 }).map((pieces) => pieces.join("")),
    fc.array(fc.constantFrom(...SHELL_PIECES), { maxLength: 40 }).map((pieces) => pieces.join(" ")),
  );

  it("[R150] is followed without an error, and always to the same end", () => {
    fc.assert(
      fc.property(shellText, (command) => {
        expect(listCommandReads(command, PLACE)).toEqual(listCommandReads(command, PLACE));
      }),
      { numRuns: tries(40, 2000) },
    );
  });

  it.each([
    ..."cat a; |( |$( |` |eval |env |<<a |{a,b}|\"$(|${a:-|cat a*b*c* |\\|'|bash -c |a=$(b) |find . -exec |a/|../|{ |<(|f()|a<b ".split(
      "|",
    ),
    ...["|", "case x in ", "cat <<A\n$(", "echo a | xargs ", "cat [", "git -C a ", "sh <<< '"],
  ])("[R150] of 100 KB made of %j takes no longer than its length", (piece) => {
    expectProportional(100_000, (length) => listCommandReads(`cat ${piece.repeat(length / piece.length)}`, PLACE));
  });

  it.each([
    ["a value of many words used often", (n: number) => `X='${"x ".repeat(500)}'; cat ${"$X ".repeat(n)}`],
    ["a long value used often", (n: number) => `X=${"x".repeat(n * 2)}; cat ${"$X".repeat(n)}`],
    ["a short value used often", (n: number) => `X=${"x".repeat(n / 25)}; cat ${"$X ".repeat(n)}`],
    ["a value that doubles", (n: number) => `X=x; ${"X=$X$X; ".repeat(n / 2)} cat $X`],
    ["a folder found in many places", (n: number) => `find ${"x".repeat(n * 2)} -exec ${"{}".repeat(n)} ;`],
    ["many folders found in many places", (n: number) => `find ${"x ".repeat(n)} -exec cat ${"{} ".repeat(n)} ;`],
    ["many arguments of a script", (n: number) => `sh -c '${"$@ ".repeat(n)}' ${"x ".repeat(n)}`],
  ])("[R150] with %s takes no longer than its length, not the product of two", (_, render) => {
    expectProportional(24_000, (n) => listCommandReads(render(n), PLACE));
  });
});
