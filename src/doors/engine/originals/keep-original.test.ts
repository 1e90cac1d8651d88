import { mkdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../../test/support/fake-client.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { sha256 } from "../../../core/sha256.ts";
import { createArtifactStore } from "../../../files/artifacts/artifacts.ts";
import { createShelf, type OutputToKeep, type Shelf } from "./keep-original.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const ROOT = "/home/dev/demo";
const DATA = "/home/dev/.claude/data/plimsoll";
const PLANK = sha256("plank");
const temporary = createTemporaryFolder();

function open(fake: FakeClient, root = ROOT, data = DATA): Shelf {
  return createShelf(fake.client, {
    root,
    data,
    sessionId: "s-1",
    nowMs: () => NOW,
    folder: `${data}/sessions/s-1`,
  });
}
const original = (output: string, more: Partial<OutputToKeep> = {}): OutputToKeep => ({
  output,
  tool: "Bash",
  command: "make",
  ...more,
});

describe("the shelf of originals", () => {
  it("puts them down so that the store finds, lists and accepts them", async () => {
    const root = temporary.name("-project");
    const fake = createFakeClient({ root });
    const shelf = open(fake, root, temporary.name("-data"));
    const outputs = ["plank 1\r\nplank 2\n", "", "\u{1f6a2} é \0 end without a line end", "x".repeat(100_000)];
    for (const output of outputs)
      await shelf.keep(original(output, { command: "curl -H 'Authorization: Bearer abcdef0123456789abcdef'" }));
    fake.pour();

    const store = createArtifactStore(root, () => NOW);
    const { artifacts, unreadable } = store.list();
    expect(unreadable).toBe(0);
    expect(artifacts).toHaveLength(outputs.length);
    for (const output of outputs) {
      const read = store.read(sha256(output));
      expect(read.ok && Buffer.from(read.value.bytes).toString()).toBe(output);
      const listed = artifacts.find((artifact) => artifact.sha256 === sha256(output));
      expect(listed).toMatchObject({
        tool: "Bash",
        sessionId: "s-1",
        bytes: Buffer.byteLength(output),
        generated: new Date(NOW).toISOString(),
      });
      expect(listed?.command).not.toContain("abcdef0123456789abcdef");
      expect(store.read(listed?.file ?? "").ok).toBe(true);
    }
    expect(store.verify()).toMatchObject({ checked: 8, sound: 8, faults: [], unlisted: 0 });
  });

  it("makes the same files as the store itself", async () => {
    const [ours, theirs] = [temporary.name("-ours"), temporary.name("-theirs")];
    mkdirSync(theirs);
    const fake = createFakeClient({ root: ours });
    const kept = await open(fake, ours, temporary.name("-data")).keep(original("plank 1\n"));
    const stored = createArtifactStore(theirs, () => NOW).keep({
      output: "plank 1\n",
      tool: "Bash",
      command: "make",
      sessionId: "s-1",
    });
    fake.pour();

    const here = createArtifactStore(ours, () => NOW).list().artifacts;
    expect(here).toEqual(createArtifactStore(theirs, () => NOW).list().artifacts);
    expect(stored.ok && { sha256: stored.value.sha256, path: stored.value.path }).toEqual(kept);
  });

  it("closes its folder to others and to the repository before anything is in it", async () => {
    const fake = createFakeClient();
    await open(fake).keep(original("plank"));
    expect(fake.writes[0]).toBe(`${ROOT}/.plimsoll/artifacts/.gitignore`);
    expect(fake.files.get(`${ROOT}/.plimsoll/artifacts/.gitignore`)).toBe("*\n");
    expect(fake.ran).toEqual([expect.stringMatching(/ chmod 700 .*\/\.plimsoll\/artifacts$/)]);
  });

  it.each([
    ".plimsoll",
    ".plimsoll/artifacts",
    ".plimsoll/artifacts/objects",
    ".plimsoll/artifacts/records",
    `.plimsoll/artifacts/objects/${PLANK.slice(0, 2)}`,
    `.plimsoll/artifacts/objects/${PLANK.slice(0, 2)}/${PLANK}`,
  ])("writes and reads nothing through a link at %s", async (link) => {
    const fake = createFakeClient();
    fake.files.set(`${ROOT}/.plimsoll/artifacts/objects/${PLANK.slice(0, 2)}/${PLANK}`, "plank");
    fake.links.add(`${ROOT}/${link}`);
    const shelf = open(fake);
    if (!link.endsWith("records")) expect(await shelf.read(PLANK.slice(0, 12))).toBeUndefined();
    expect((await shelf.keep(original("plank")))?.path).toContain(`${DATA}/artifacts/`);
    expect(fake.writes.filter((path) => path.startsWith(ROOT) && !path.endsWith(".gitignore"))).toEqual([]);
  });

  it.each([".gitignore", `objects/${PLANK.slice(0, 2)}/${PLANK}`])(
    "takes the data folder where the project's %s cannot be written, and gives it back from there",
    async (file) => {
      const fake = createFakeClient();
      fake.locked.add(`${ROOT}/.plimsoll/artifacts/${file}`);
      const shelf = open(fake);
      expect(await shelf.isOpen()).toBe(true);
      expect((await shelf.keep(original("plank")))?.path).toContain(`${DATA}/artifacts/artifact-`);
      expect(await shelf.read(PLANK.slice(0, 12))).toBe("plank");
    },
  );

  it("keeps nothing and throws nothing where neither can be written, and is open again once one can", async () => {
    const fake = createFakeClient();
    for (const folder of [`${ROOT}/.plimsoll`, DATA]) fake.locked.add(`${folder}/artifacts/.gitignore`);
    const shelf = open(fake);
    expect(await shelf.isOpen()).toBe(false);
    expect(await shelf.keep(original("plank"))).toBeUndefined();
    expect(fake.writes).toEqual([]);
    fake.locked.clear();
    expect(await shelf.keep(original("plank"))).toBeDefined();
    expect(await shelf.isOpen()).toBe(true);
  });

  it("is not open after the disk was full, until something found room again", async () => {
    const fake = createFakeClient();
    for (const folder of [`${ROOT}/.plimsoll`, DATA])
      fake.locked.add(`${folder}/artifacts/objects/${PLANK.slice(0, 2)}/${PLANK}`);
    const shelf = open(fake);
    expect(await shelf.isOpen()).toBe(true);
    expect(await shelf.keep(original("plank"))).toBeUndefined();
    expect(await shelf.isOpen()).toBe(false);
    expect(await shelf.keep(original("mast"))).toBeDefined();
    expect(await shelf.isOpen()).toBe(true);
  });

  it("gives two outputs of the same moment two names, in one process and in the next", async () => {
    const fake = createFakeClient();
    const shelf = open(fake);
    const paths = [
      await shelf.keep(original("one")),
      await shelf.keep(original("two")),
      await open(fake).keep(original("three")),
    ].map((kept) => kept?.path);
    expect(paths).toEqual([
      ".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Bash.md",
      ".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Bash-2.md",
      ".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Bash-3.md",
    ]);
  });

  it("gives outputs that are kept at the same moment names of their own", async () => {
    const fake = createFakeClient();
    const outputs = ["one", "two", "three", "four"];
    // Each is asked for its name before any of them is told that it is free.
    let asked = 0;
    let release = (): void => undefined;
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const exists = async (place: string): Promise<boolean> => {
      asked++;
      if (asked === outputs.length) release();
      await all;
      return fake.client.fs.exists(place);
    };
    const shelf = open({ ...fake, client: { ...fake.client, fs: { ...fake.client.fs, exists } } });
    const kept = await Promise.all(outputs.map((output) => shelf.keep(original(output))));
    const paths = kept.map((each) => each?.path ?? "");
    expect(new Set(paths).size).toBe(4);
    for (const [index, path] of paths.entries())
      expect(fake.files.get(`${ROOT}/${path}`)).toContain(outputs[index] ?? "?");
  });

  it("gives back nothing that the project brought under its true hash, and names it to nobody", async () => {
    const fake = createFakeClient();
    const shelf = open(fake);
    fake.files.set(`${ROOT}/.plimsoll/artifacts/objects/${PLANK.slice(0, 2)}/${PLANK}`, "plank");
    expect([await shelf.read(PLANK), await shelf.list()]).toEqual([undefined, []]);
    await shelf.keep(original("plank"));
    expect([await shelf.read(PLANK), await shelf.list()]).toEqual(["plank", [`plimsoll:${PLANK}`]]);
  });

  it("never lets a tool's name lead out of its folder", async () => {
    const fake = createFakeClient();
    await open(fake).keep(original("plank", { tool: "../../../etc/cron.d/x\0" }));
    const folders = [`${ROOT}/.plimsoll/artifacts/`, `${DATA}/agreed/`];
    const isInside = (place: string) => folders.some((folder) => place.startsWith(folder)) && !place.includes("..");
    expect(fake.writes.filter((place) => !isInside(place))).toEqual([]);
  });

  it("gives an original back by its whole hash, by its handle's digits, and byte for byte", async () => {
    const fake = createFakeClient();
    const shelf = open(fake);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 200 }), async (output) => {
        const hash = sha256(output);
        await shelf.keep(original(output));
        expect(await shelf.read(hash)).toBe(output);
        expect(await shelf.read(hash.slice(0, 12))).toBe(output);
      }),
      { numRuns: 40 },
    );
  });

  it.each(["", "12345", "zzzzzz", "ABCDEF", "../../etc", "0".repeat(65), "ffffffffffff"])(
    "finds nothing under %j",
    async (digits) => {
      const fake = createFakeClient();
      const shelf = open(fake);
      await shelf.keep(original("plank"));
      expect(await shelf.read(digits)).toBeUndefined();
    },
  );

  it("does not choose between two originals that begin alike", async () => {
    const fake = createFakeClient();
    const place = `${ROOT}/.plimsoll/artifacts/objects/ab`;
    fake.files.set(`${place}/${"ab".repeat(32)}`, "one");
    fake.files.set(`${place}/${"ab".repeat(31)}cd`, "two");
    expect(await open(fake).read("abababab")).toBeUndefined();
  });

  it("does not give back bytes that are no longer those that were kept", async () => {
    const fake = createFakeClient();
    const shelf = open(fake);
    await shelf.keep(original("plank"));
    const hash = sha256("plank");
    fake.files.set(`${ROOT}/.plimsoll/artifacts/objects/${hash.slice(0, 2)}/${hash}`, "rot");
    expect(await shelf.read(hash)).toBeUndefined();
  });
});
