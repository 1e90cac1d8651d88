/** If red: a read of node_modules enters the window, or a folder that the person allowed stays closed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../test/support/depth.ts";
import { expectProportional } from "../../test/support/expect-proportional.ts";
import type { JsonObject } from "../core/json.ts";
import { DEFAULT_IGNORE_LINES, decideIgnored } from "./decide-ignored.ts";

const PLACE = { root: "/home/u/app", directory: "/home/u/app" };

function decide(tool: string, input: JsonObject, text = "") {
  return decideIgnored({ tool, input }, { text, isDefault: text === "" }, PLACE);
}

function isBlocked(tool: string, input: JsonObject, text = ""): boolean {
  return decide(tool, input, text) !== undefined;
}

function reasonOf(tool: string, input: JsonObject, text = ""): string {
  const decision = decide(tool, input, text);
  return decision ?? "";
}

describe("reading by the tools", () => {
  it("[R150] keeps every default directory out, at every depth", () => {
    for (const line of DEFAULT_IGNORE_LINES) {
      expect([line, isBlocked("Read", { file_path: `/home/u/app/${line}x` })]).toEqual([line, true]);
      expect([line, isBlocked("Read", { file_path: `packages/a/${line}b/x` })]).toEqual([line, true]);
    }
    expect(DEFAULT_IGNORE_LINES.join(" ").replaceAll("/", "")).toBe(
      "node_modules dist build .next .nuxt __pycache__ .venv venv vendor target .git coverage",
    );
  });

  it.each<[string, JsonObject]>([
    ["Read", { file_path: "/home/u/app/src/../dist/x.js" }],
    ["Read", { file_path: "dist/x.js" }],
    ["NotebookRead", { notebook_path: "/home/u/app/.venv/a.ipynb" }],
    ["Grep", { pattern: "x", path: "node_modules" }],
    ["Grep", { pattern: "x", path: "/home/u/app/dist/a" }],
    ["Grep", { pattern: "x", glob: "node_modules/**/*.js" }],
    ["Grep", { pattern: "x", glob: "*.ts, {src,dist}/**" }],
    ["Grep", { pattern: "x", glob: "**/*" }],
    ["Glob", { pattern: "node_modules/**" }],
    ["Glob", { pattern: "**/dist/*.js" }],
    ["Glob", { pattern: "{src,dist}/*.js" }],
    ["Glob", { pattern: "node_mod*/x/*.js" }],
    ["Glob", { pattern: "*.js", path: "dist" }],
    ["Glob", { pattern: "../dist/**", path: "src" }],
  ])("[R150] is blocked: %s %j", (tool, input) => {
    expect(isBlocked(tool, input)).toBe(true);
  });

  it.each([
    "**",
    "**/*",
    "*",
    "*.ts",
    "**/*.ts",
    "./**/*.ts",
    "**/*.{ts,tsx}",
    "**/.*",
    "/home/u/app/**",
    "src/../**/*.md",
  ])("[R150] is blocked for the broad pattern %s at the root, with a hint to narrow it", (pattern) => {
    expect(reasonOf("Glob", { pattern })).toContain("Narrow it to a folder");
    expect(isBlocked("Glob", { pattern, path: "/home/u/app" })).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ["Read", { file_path: "/home/u/app/src/dist.ts" }],
    ["Read", { file_path: "/home/u/app/scripts/build" }],
    ["Read", { file_path: "/home/u/other/dist/x" }],
    ["Read", { file_path: "/home/u/app-old/dist/x" }],
    ["Read", { file_path: "../other/node_modules/x" }],
    ["Glob", { pattern: "src/**/*.ts" }],
    ["Glob", { pattern: "**/*.ts", path: "src" }],
    ["Glob", { pattern: "**/package.json" }],
    ["Glob", { pattern: ".gitignore" }],
    ["Glob", { pattern: "**/*.md", path: "~/.claude/commands" }],
    ["Glob", { pattern: "**/*.test.ts" }],
    ["Glob", { pattern: "*/index.ts" }],
    ["Glob", { pattern: "**", path: "/tmp" }],
    ["Grep", { pattern: "node_modules" }],
    ["Grep", { pattern: "x", glob: "*.ts" }],
    ["Grep", { pattern: "x", glob: "!dist/**" }],
    ["Grep", { pattern: "x", path: "src", glob: "**/*" }],
    ["Edit", { file_path: "/home/u/app/dist/x.js" }],
    ["Write", { file_path: "/home/u/app/build/x" }],
    ["Task", { file_path: "/home/u/app/dist/x.js" }],
    ["Read", {}],
    ["Read", { file_path: 7 }],
  ])("[R150] passes: %s %j", (tool, input) => {
    expect(isBlocked(tool, input)).toBe(false);
  });

  it("[R150] knows Windows paths, and what a Unix shell there calls them", () => {
    const place = { root: "C:\\work\\app", directory: "C:\\work\\app" };
    const ask = (tool: string, input: JsonObject) =>
      decideIgnored({ tool, input }, { text: "", isDefault: true }, place) !== undefined;
    expect(ask("Read", { file_path: "c:\\work\\app\\dist\\x.js" })).toBe(true);
    expect(ask("Read", { file_path: "C:\\work\\other\\dist\\x.js" })).toBe(false);
    expect(ask("Bash", { command: "cat /c/work/app/dist/x.js" })).toBe(true);
  });
});

describe("the ignore file", () => {
  it("[R150] goes on after the defaults: a line more, or a line taken back", () => {
    expect(isBlocked("Read", { file_path: "logs/a.log" }, "*.log")).toBe(true);
    expect(isBlocked("Read", { file_path: "dist/x" }, "!dist")).toBe(false);
    expect(isBlocked("Read", { file_path: "node_modules/x" }, "!dist")).toBe(true);
    expect(isBlocked("Bash", { command: "cat dist/x" }, "\uFEFF!dist")).toBe(false);
  });

  it("[R150] allows one folder inside an ignored one as the documentation says", () => {
    const text = "!vendor/\nvendor/*\n!vendor/ours/";
    expect(isBlocked("Read", { file_path: "vendor/ours/x" }, text)).toBe(false);
    expect(isBlocked("Read", { file_path: "vendor/theirs/x" }, text)).toBe(true);
  });

  it("[R150] is named in the reason: what, by which line, and how to allow it, on one line", () => {
    expect(reasonOf("Read", { file_path: "a/dist/x" })).toBe(
      "a/dist/x is ignored by `dist/` (a default). To allow it, add the line `!/a/dist/` to .plimsollignore",
    );
    expect(reasonOf("Bash", { command: "tail logs/a.log" }, "# ours\n*.log")).toBe(
      "logs/a.log is ignored by `*.log` (line 2 of the ignore file). To allow it, add the line `!/logs/a.log` to .plimsollignore",
    );
    expect(reasonOf("Bash", { command: "tail logs/*.log" }, "*.log")).toContain("`!*.log`");
    expect(reasonOf("Read", { file_path: "dist/a\nb\u2028c" })).not.toMatch(/[\n\u2028]/);
  });

  it("[R150] with the lines that the reasons offer lets the call pass", () => {
    const name = fc.constantFrom("dist", "node_modules", "src", "a b", "x*", "[q]", "build", "#a", "!b", "a.log", "\\");
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
        let text = "*.log\n#\n";
        for (let round = 0; round <= names.length; round++) {
          const line = /add the line `(.*)` to/.exec(
            reasonOf("Read", { file_path: `./${names.join("/")}` }, text),
          )?.[1];
          if (line === undefined) return;
          text += `\n${line}`;
        }
        expect(isBlocked("Read", { file_path: `./${names.join("/")}` }, text)).toBe(false);
      }),
    );
  });
});

describe("reading by commands", () => {
  it.each([
    ..."a; cat dist/b|cat<dist/b|\"ca\"t dist/b|cat ./a/../node_modules/x|bash -c 'cat node_modules/x'".split("|"),
    ..."echo $(cat node_modules/x)|cd dist && cat x|(cd src/../dist; head x)|find dist -exec cat {} +|ls -R dist".split(
      "|",
    ),
    ..."git -C vendor/lib show HEAD:a|cat node_mod*/x|cat {src,dist}/x|cat ~/app/dist/x|cat //home/u/app/dist/x".split(
      "|",
    ),
    ..."grep -r x dist|rg x vendor|tree dist|jq .a node_modules/x/package.json|less .git/config".split("|"),
    ..."cat src/a dist/b|cat dist/x 2>/dev/null|sort < dist/x|strings target/x|diff dist/a b|cat node_modules/$P/x".split(
      "|",
    ),
  ])("[R150] is blocked: %s", (command) => {
    expect(isBlocked("Bash", { command })).toBe(true);
  });

  it.each([
    ..."npm run build|npm install && npm test|pnpm -C dist build|npx tsc --outDir dist|make dist|cargo build|go test ./vendor/...".split(
      "|",
    ),
    ..."python -m build|docker build -f build/Dockerfile .|jest --coverage|pytest build|rm -rf dist|mkdir build|ls dist".split(
      "|",
    ),
    ..."ls -la node_modules|git add dist/x|git commit -m 'cat dist/x'|wc -l dist/x|node dist/cli.js|./node_modules/.bin/eslint .".split(
      "|",
    ),
    ..."grep -rn node_modules src|rg -g '!dist' x|sed s/dist/build/ src/x|find . -not -path './node_modules/*'|cat build".split(
      "|",
    ),
    ..."cat src/*/index.ts|cat */package.json|cat /tmp/build/x|cd /tmp && cat build/x|cat $TMP/build/x|ssh host cat dist/x".split(
      "|",
    ),
    ..."git -C vendor/lib stash|git -C vendor/lib log|echo hi > dist/x|cat src/x > dist/y|(cd dist && ls) && cat a|tar czf a.tgz dist|node -e \"require('./dist')\"".split(
      "|",
    ),
    "cat > a.sh <<EOF\ncat dist/x\nEOF",
  ])("[R150] passes: %s", (command) => {
    expect(isBlocked("Bash", { command })).toBe(false);
  });

  const blockedPath = fc
    .tuple(
      fc.constantFrom("", "./", "a/../", "pkg/", "/home/u/app/", "src/../pkg/"),
      fc.constantFrom(...DEFAULT_IGNORE_LINES),
      fc.constantFrom("x", "a/b.js", "./c", "d-e_1.ts"),
    )
    .map((parts) => parts.join(""));
  const reader = fc.constantFrom(
    "cat",
    "head -n 3",
    "tail",
    "grep x",
    "sed -n 1p",
    "awk 1",
    "nl",
    "less",
    "rg x",
    "jq .",
  );

  it("[R150] is blocked in any composition when it is blocked alone", () => {
    const frame = fc.constantFrom(
      ..."true; @ ~ true && @ ~ false || @ ~ @ & ~ @ | sort ~ true | @ ~ ( @ ) ~ { @; } ~ $(@) ~ ! @ ~ A=1 @".split(
        " ~ ",
      ),
      ..."if @; then :; fi ~ if :; then @; fi ~ for i in 1 2; do @; done ~ f() { @; } ~ cd . && @ ~ @ 2>&1".split(
        " ~ ",
      ),
      ...["true\n@", "cat <<E\nhi\nE\n@", "# no\n@", "@ 2>/dev/null", 'echo "$(@)"', "while @; do :; done", "@ # c"],
    );
    const outermost = fc.constantFrom(..."@ ~ `@` ~ bash -c '@' ~ bash -lc \"@\" ~ eval '@'".split(" ~ "));
    const wrapper = fc.constantFrom("", "", "sudo ", "env A=1 ", "time ", "timeout 9 ", "xargs ", "nohup ", "command ");
    fc.assert(
      fc.property(blockedPath, reader, wrapper, fc.tuple(frame, frame, outermost), (path, name, before, frames) => {
        const command = frames.reduce((inner, outer) => outer.replace("@", () => inner), `${before}${name} ${path}`);
        expect([command, isBlocked("Bash", { command })]).toEqual([command, true]);
      }),
      { numRuns: tries(40, 1000) },
    );
  });

  it("[R150] gives the same verdict however the command is quoted", () => {
    const quoting = fc.constantFrom("plain", "single", "double", "escaped");
    const path = fc.oneof(blockedPath, fc.constantFrom("src/x", "a b/c", "distant/x", "../dist/x"));
    fc.assert(
      fc.property(reader, path, fc.array(quoting, { minLength: 1, maxLength: 8 }), (name, target, quotings) => {
        const words = [...name.split(" "), target].map((word) => quoteWord(word, quotings));
        const command = words.join(" ");
        const expected = isBlocked("Bash", { command: `${name} '${target}'` });
        expect([command, isBlocked("Bash", { command })]).toEqual([command, expected]);
      }),
      { numRuns: tries(40, 1000) },
    );
  });
});

/** Each character in the quoting that comes next, so that the quotes change in the middle of a word. */
function quoteWord(word: string, quotings: readonly string[]): string {
  return [...word]
    .map((char, at) => {
      const quoting = quotings[at % quotings.length];
      if (quoting === "single") return `'${char}'`;
      if (quoting === "double") return `"${char}"`;
      return quoting === "escaped" || char === " " ? `\\${char}` : char;
    })
    .join("");
}

describe("any call", () => {
  it("[R150] gets a verdict, never an error", () => {
    const input = fc.dictionary(
      fc.constantFrom("file_path", "path", "pattern", "glob", "command", "notebook_path"),
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom("**", "dist/x", "~", "{a,{b,c}", "[", "/", "C:\\"),
        fc.jsonValue().map((value) => JSON.stringify(value)),
        fc.integer(),
        fc.constant(null),
      ),
    );
    const tool = fc.oneof(fc.constantFrom("Read", "Glob", "Grep", "Bash", "NotebookRead", "Edit"), fc.string());
    const folder = fc.oneof(fc.constantFrom("", "/", "/home/u/app", "C:\\a", "//server/a", "relative"), fc.string());
    fc.assert(
      fc.property(
        tool,
        input,
        fc.string({ unit: "binary" }),
        fc.tuple(folder, folder),
        (name, given, text, [root, directory]) => {
          const decision = decideIgnored({ tool: name, input: given }, { text, isDefault: false }, { root, directory });
          expect(decision ?? "").not.toContain("\n");
        },
      ),
      { numRuns: tries(40, 1000) },
    );
  });

  it("[R150] of 100 KB is decided in time that grows with its length alone, under a thousand stars as well", () => {
    const text = `${"*b".repeat(1000)}\n${"*".repeat(1000)}z`;
    expectProportional(100_000, (length) => {
      expect(isBlocked("Bash", { command: `${"true; ".repeat(length / 6)}cat dist/x` }, text)).toBe(true);
      expect(isBlocked("Read", { file_path: `src/${"a".repeat(length)}` }, text)).toBe(false);
      expect(isBlocked("Glob", { pattern: `src/${"{a,b}".repeat(length / 5)}` }, text)).toBe(false);
      expect(isBlocked("Grep", { pattern: "x", glob: "{".repeat(length) }, text)).toBe(false);
    });
  });
});
