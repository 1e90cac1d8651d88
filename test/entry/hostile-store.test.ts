/** If red: a project's links make Plimsoll read, write or delete files elsewhere. */
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import { createArtifactStore } from "../../src/files/artifacts/artifacts.ts";
import { nameOriginal } from "../../src/layers/history/originals.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const temporary = createTemporaryFolder();
const TEXT = "the draught of the hull\n".repeat(50);

function openProject() {
  const project = temporary.name("-project");
  const outside = temporary.name("-outside");
  for (const folder of [project, outside]) mkdirSync(folder);
  return { project, outside, store: createArtifactStore(project, Date.now) };
}

/** Every file below a folder, by its path in it. */
function listAll(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

const HASH_FOLDER = /objects\/..$/;

/** Both write originals in the same layout: a project's store, and a gateway's. */
const KEEPERS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  "a project": async (folder) => {
    const kept = createArtifactStore(folder, Date.now).keep({ output: TEXT, tool: "Bash" });
    if (!kept.ok) throw new Error(kept.problem.detail);
  },
  "a gateway": async (folder) => {
    const store = createFileStore({ folder });
    await store.keepOriginals([{ handle: nameOriginal(TEXT), text: TEXT }]);
    await store.close();
  },
};

describe.each(Object.entries(KEEPERS))("originals of %s", (_name, keep) => {
  it("are written again where what lies there has the right size and says something else", async () => {
    const { project } = openProject();
    await keep(project);
    const object = listAll(project).find((name) => /objects\/..\/./.test(name)) ?? "";
    const file = path.join(project, object);
    writeFileSync(file, "x".repeat(TEXT.length));
    await keep(project);
    expect(readFileSync(file, "utf8")).toBe(TEXT);
  });

  it("replace a link in their place, and leave what it leads to alone", async () => {
    const { project, outside } = openProject();
    await keep(project);
    const object = listAll(project).find((name) => /objects\/..\/./.test(name)) ?? "";
    const [file, secret] = [path.join(project, object), path.join(outside, "secret")];
    writeFileSync(secret, "s".repeat(TEXT.length));
    rmSync(file);
    symlinkSync(secret, file);
    await keep(project);
    expect(readFileSync(file, "utf8")).toBe(TEXT);
    expect(readFileSync(secret, "utf8")).toBe("s".repeat(TEXT.length));
  });

  it.each(["objects", "records", "objects/.."])("are put nowhere where %s is a link", async (place) => {
    const { project, outside } = openProject();
    await keep(project);
    const folder = listAll(project).find((name) =>
      place === "objects/.." ? HASH_FOLDER.test(name) : name.endsWith(`artifacts/${place}`),
    );
    const linked = path.join(project, folder ?? "");
    renameSync(linked, path.join(outside, "moved"));
    rmSync(path.join(outside, "moved"), { recursive: true });
    mkdirSync(path.join(outside, "bait"));
    symlinkSync(path.join(outside, "bait"), linked);
    await expect(keep(project)).rejects.toThrow("is a link");
    expect(listAll(outside)).toEqual(["bait"]);
  });

  it("leave nothing behind where the disk is full, and what a killed process left goes", async () => {
    const { project } = openProject();
    await keep(project);
    const objects = path.join(project, listAll(project).find((name) => HASH_FOLDER.test(name)) ?? "");
    const litter = path.join(objects, ".abc.123-x-y.tmp");
    writeFileSync(litter, "half");
    await keep(project);
    expect(readdirSync(objects)).toContain(path.basename(litter));
    const longAgo = Date.now() / 1000 - 86_400;
    utimesSync(litter, longAgo, longAgo);
    await keep(project);
    createArtifactStore(project, Date.now).prune({ olderThanMs: 1e12 });
    expect(listAll(project).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("a project whose store leads somewhere else", () => {
  it.each([".plimsoll", ".plimsoll/artifacts", ".plimsoll/artifacts/objects", ".plimsoll/artifacts/records"])(
    "by a link at %s is not read, listed, checked or cleared through it",
    (place) => {
      const { project, outside, store } = openProject();
      const kept = store.keep({ output: TEXT, tool: "Bash" });
      if (!kept.ok) throw new Error(kept.problem.detail);
      const moved = path.join(outside, "moved");
      renameSync(path.join(project, place), moved);
      symlinkSync(moved, path.join(project, place));
      const before = listAll(moved);
      if (!place.endsWith("records")) expect(store.read(kept.value.handle).ok).toBe(false);
      if (!place.endsWith("objects")) expect(store.list().artifacts).toEqual([]);
      store.verify();
      store.prune({ maxBytes: 0 });
      expect(listAll(moved)).toEqual(before);
    },
  );
});

describe("a disk without room", () => {
  it("is left as it was: no temporary file stays", () => {
    const { project } = openProject();
    const program = path.resolve(import.meta.dirname, "../../src/files/private-files.ts");
    const file = path.join(project, "whole");
    // A file may grow to 8 blocks only: the write fails in its middle, as on a full disk.
    const script = `process.on("SIGXFSZ", () => undefined); import(${JSON.stringify(program)}).then(({ writeAtomically }) => { try { writeAtomically(${JSON.stringify(file)}, "x".repeat(1e6)); } catch (error) { console.log(error.code); } });`;
    const { stdout } = spawnSync(
      "/bin/bash",
      ["-c", 'ulimit -f 8; exec "$@"', "sh", process.execPath, "--import", "tsx", "-e", script],
      {
        encoding: "utf8",
        cwd: path.resolve(import.meta.dirname, "../.."),
      },
    );
    expect(stdout.trim()).toBe("EFBIG");
    expect(readdirSync(project)).toEqual([]);
  });
});
