/** If red: an original is stored with other bytes, readable by others, or through somebody's link. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryUnits } from "../../../test/support/arbitrary-session.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { decodeUtf8 } from "../../core/utf8.ts";
import { ARTIFACT_HEADER_LINES } from "../../fold/artifact-file.ts";
import { type ArtifactStore, createArtifactStore } from "./artifacts.ts";
import type { StoredArtifact } from "./keep-artifact.ts";

const temporary = createTemporaryFolder();
const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function createProject(): string {
  const directory = temporary.name("-project");
  mkdirSync(directory);
  return directory;
}

const open = (project = createProject(), nowMs = AT) => ({ project, store: createArtifactStore(project, () => nowMs) });

function keep(
  store: ArtifactStore,
  output: string | Uint8Array,
  more: { readonly tool?: string; readonly command?: string } = {},
): StoredArtifact {
  const kept = store.keep({ output, tool: "Bash", ...more });
  if (!kept.ok) throw new Error(kept.problem.detail);
  return kept.value;
}

function readText(store: ArtifactStore, name: string): string | undefined {
  const read = store.read(name);
  return read.ok ? decodeUtf8(read.value.bytes) : undefined;
}

describe("keep", () => {
  it("[R59] writes the original under its hash, and a file that a reading tool can open", () => {
    const { project, store } = open();
    const { path: quoted, sha256, handle } = keep(store, "one\ntwo\n", { command: "npm test" });
    expect(quoted).toBe(".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Bash.md");
    expect(readFileSync(path.join(project, quoted), "utf8")).toBe(
      "# Artifact: Bash output\nGenerated: 2026-01-02T03:04:05.678Z\nCommand: npm test\n\none\ntwo\n",
    );
    expect(readFileSync(path.join(project, ".plimsoll/artifacts/objects", sha256.slice(0, 2), sha256), "utf8")).toBe(
      "one\ntwo\n",
    );
    expect(handle).toBe(`plimsoll:${sha256.slice(0, 12)}`);
  });

  it("[R59] gives every text back byte for byte: lone surrogates, NUL and any line ends", () => {
    const { project, store } = open();
    fc.assert(
      fc.property(
        fc.oneof(arbitraryUnits(200), fc.constantFrom("", "\0", "\r\n\r\n", "\ud800x\udc00", "\ufeffa")),
        (output) => {
          const { handle, path: quoted } = keep(store, output);
          expect(readText(store, handle)).toBe(output);
          const file = decodeUtf8(readFileSync(path.join(project, quoted))) ?? "";
          expect(file.split("\n").slice(ARTIFACT_HEADER_LINES).join("\n")).toBe(output);
        },
      ),
      { numRuns: 60 },
    );
    expect(store.verify().faults).toEqual([]);
  });

  it("keeps bytes that are no text", () => {
    const { store } = open();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const read = store.read(keep(store, bytes).handle);
    expect(read.ok && [...read.value.bytes]).toEqual([...bytes]);
  });

  it("[R59] names what comes in the same millisecond apart, and stores equal contents once", () => {
    const { project, store } = open();
    const kept = [keep(store, "same"), keep(store, "same"), keep(store, "other")];
    expect(kept.map(({ file }) => file)).toEqual([
      "artifact-2026-01-02T03-04-05-678Z-Bash.md",
      "artifact-2026-01-02T03-04-05-678Z-Bash-2.md",
      "artifact-2026-01-02T03-04-05-678Z-Bash-3.md",
    ]);
    const objects = readdirSync(path.join(project, ".plimsoll/artifacts/objects"), {
      recursive: true,
      withFileTypes: true,
    });
    expect(objects.filter((entry) => entry.isFile())).toHaveLength(2);
  });

  it("[R64] lets nobody else read: files 0600, folders 0700", () => {
    const { project, store } = open();
    const umask = process.umask(0);
    keep(store, "secret");
    process.umask(umask);
    const root = path.join(project, ".plimsoll/artifacts");
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const { mode } = statSync(path.join(entry.parentPath, entry.name));
      expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600]);
    }
    expect(statSync(root).mode & 0o777).toBe(0o700);
  });

  it("[R64] keeps itself out of git, and leaves the person's own .gitignore alone", () => {
    const { project, store } = open();
    writeFileSync(path.join(project, ".gitignore"), "dist/\n");
    keep(store, "x");
    expect(readFileSync(path.join(project, ".plimsoll/artifacts/.gitignore"), "utf8")).toBe("*\n");
    expect(readFileSync(path.join(project, ".gitignore"), "utf8")).toBe("dist/\n");
  });

  it("[R64] strikes secrets out of what it notes, never out of what it stores", () => {
    const { project, store } = open();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { handle, path: quoted } = keep(store, `the token is ${secret}`, { command: `curl -u me:${secret} x` });
    expect(readText(store, handle)).toContain(secret);
    expect(readFileSync(path.join(project, quoted), "utf8").split("\n")[2]).not.toContain(secret);
    expect(JSON.stringify(store.list())).not.toContain(secret);
  });

  it("leaves nothing half-written behind", () => {
    const { project, store } = open();
    keep(store, "x");
    const names = readdirSync(path.join(project, ".plimsoll/artifacts"), { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("survives sixty writers at once", async () => {
    const { project, store } = open();
    const program = `
      import { createArtifactStore } from ${JSON.stringify(path.resolve(import.meta.dirname, "artifacts.ts"))};
      const store = createArtifactStore(${JSON.stringify(project)}, () => ${AT});
      for (let n = 0; n < 15; n++) {
        const kept = store.keep({ output: "shared " + (n % 3) + "\\n".repeat(n % 3) + (n % 2 ? process.argv[1] : ""), tool: "Bash" });
        if (!kept.ok) throw new Error(kept.problem.detail);
      }`;
    const writer = (name: string) =>
      promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program, name]);
    await Promise.all(["a", "b", "c", "d"].map(writer));
    const { artifacts, unreadable } = store.list();
    expect({ count: artifacts.length, unreadable }).toEqual({ count: 60, unreadable: 0 });
    expect(new Set(artifacts.map(({ file }) => file)).size).toBe(60);
    expect(store.verify()).toMatchObject({ faults: [], unlisted: 0 });
  });
});

describe("keep, where it cannot", () => {
  it("says so instead of throwing", () => {
    const { project, store } = open();
    writeFileSync(path.join(project, ".plimsoll"), "a file in the way");
    expect(store.keep({ output: "x", tool: "Bash" })).toMatchObject({ ok: false, problem: { code: "unsafeFolder" } });
    expect(open("/proc/nowhere").store.keep({ output: "x", tool: "Bash" })).toMatchObject({
      ok: false,
      problem: { code: "unwritable" },
    });
  });

  it.each([".plimsoll", ".plimsoll/artifacts"])("follows no link in the place of %s", (place) => {
    const { project, store } = open();
    const elsewhere = createProject();
    mkdirSync(path.dirname(path.join(project, place)), { recursive: true });
    symlinkSync(elsewhere, path.join(project, place));
    expect(store.keep({ output: "x", tool: "Bash" })).toMatchObject({ ok: false, problem: { code: "unsafeFolder" } });
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe("read", () => {
  it("[R61] finds an original by its handle, its hash, its first digits, its file or its path", () => {
    const { store } = open();
    const { handle, sha256, file, path: quoted } = keep(store, "here");
    for (const name of [
      handle,
      sha256,
      sha256.slice(0, 8),
      handle.toUpperCase().replace("PLIMSOLL", "plimsoll"),
      file,
      quoted,
    ])
      expect(readText(store, name)).toBe("here");
  });

  it.each([
    ["plimsoll:000000000000", "notFound"],
    ["abc", "notFound"],
    ["../../../etc/passwd", "notFound"],
    ["", "notFound"],
  ])("says that %j is not there", (name, code) => {
    const { store } = open();
    keep(store, "here");
    expect(store.read(name)).toMatchObject({ ok: false, problem: { code } });
  });

  it("refuses bytes that are no longer what was stored", () => {
    const { project, store } = open();
    const { handle, sha256 } = keep(store, "here");
    writeFileSync(path.join(project, ".plimsoll/artifacts/objects", sha256.slice(0, 2), sha256), "gone");
    expect(store.read(handle)).toMatchObject({ ok: false, problem: { code: "corrupt" } });
  });

  it("counts records that it cannot read, and lists the others", () => {
    const { project, store } = open();
    keep(store, "here");
    const records = path.join(project, ".plimsoll/artifacts/records");
    writeFileSync(path.join(records, "broken.json"), "{");
    writeFileSync(path.join(records, "evil.json"), JSON.stringify({ file: "../../x", sha256: "0".repeat(64) }));
    // One that another process is still writing.
    writeFileSync(path.join(records, ".half.json"), "{");
    chmodSync(records, 0o700);
    expect(store.list()).toMatchObject({ artifacts: [{ tool: "Bash" }], unreadable: 2 });
  });
});

describe("verify", () => {
  it("finds what is missing and what was changed", () => {
    const { project, store } = open();
    const [first, second, third] = ["1", "2", "3"].map((output) => keep(store, output));
    const root = path.join(project, ".plimsoll/artifacts");
    const locate = (sha256 = ""): string => path.join(root, "objects", sha256.slice(0, 2), sha256);
    writeFileSync(locate(first?.sha256), "changed");
    writeFileSync(path.join(root, second?.file ?? ""), "# Artifact: changed output\n\n\n\nx");
    expect(store.verify()).toMatchObject({
      checked: 6,
      faults: [
        { name: first?.sha256, fault: "objectChanged" },
        { name: second?.file, fault: "fileChanged" },
      ],
    });
    expect(readText(store, third?.handle ?? "")).toBe("3");
  });
});
