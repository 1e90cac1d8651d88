import { describe, expect, it } from "vitest";
import { createFakeClient } from "../../../test/support/fake-client.ts";
import { parseDeed, renderDeed } from "../../policy/deeds/deed.ts";
import { createJournal } from "./journal.ts";

const FOLDER = "/data/s-1";
const FILE = `${FOLDER}/deeds-module.jsonl`;
const earlier = renderDeed({ atMs: 1, door: "module", event: "session.start", client: "2.1.325", kind: "ran", ms: 0 });

function whyOf(text: string | undefined): readonly (string | undefined)[] {
  return (text ?? "")
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const deed = parseDeed(line);
      return deed?.kind === "failed" ? deed.why : deed?.kind;
    });
}

describe("the module's journal", () => {
  it("writes whole lines in the order of what was done, after what an earlier process wrote", async () => {
    const { client, files } = createFakeClient();
    const startMs = Date.now();
    const journal = createJournal(client, FOLDER, "2.1.325", [earlier]);
    journal.note("session.append", { kind: "failed", why: "one\nin two lines" });
    journal.note("tool.call", { kind: "failed", why: "two" });
    await journal.flush();

    expect(files.get(FILE)?.endsWith("\n")).toBe(true);
    expect(whyOf(files.get(FILE))).toEqual(["ran", "one\nin two lines", "two"]);
    const last = parseDeed(files.get(FILE)?.trimEnd().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({ door: "module", event: "tool.call", client: "2.1.325" });
    expect(last?.atMs).toBeGreaterThanOrEqual(startMs);
    expect(last?.atMs).toBeLessThanOrEqual(Date.now());
  });

  it("writes nothing where nothing is new", async () => {
    const { client, writes } = createFakeClient();
    const journal = createJournal(client, FOLDER, "", [earlier]);
    await journal.flush();
    expect(writes).toEqual([]);
    journal.note("x", { kind: "ran", ms: 1 });
    await journal.flush();
    await journal.flush();
    expect(writes).toEqual([FILE]);
  });

  it("ends with the newest whatever order the disk would finish in", async () => {
    const fake = createFakeClient();
    const delays = [30, 1, 10];
    const client: typeof fake.client = {
      ...fake.client,
      fs: {
        ...fake.client.fs,
        write: async (place, text) => {
          await new Promise((done) => setTimeout(done, delays.shift() ?? 0));
          await fake.client.fs.write(place, text);
        },
      },
    };
    const journal = createJournal(client, FOLDER, "", []);
    const flushes = ["one", "two", "three"].map((why) => {
      journal.note("x", { kind: "failed", why });
      return journal.flush();
    });
    await Promise.all(flushes);
    expect(whyOf(fake.files.get(FILE))).toEqual(["one", "two", "three"]);
  });

  it("keeps the last 5,000 deeds", async () => {
    const { client, files } = createFakeClient();
    const journal = createJournal(client, FOLDER, "", [earlier]);
    for (let index = 0; index < 5000; index++) journal.note("x", { kind: "failed", why: String(index) });
    await journal.flush();
    const kept = whyOf(files.get(FILE));
    expect(kept).toHaveLength(5000);
    expect([kept[0], kept.at(-1)]).toEqual(["0", "4999"]);
  });

  it("fails no turn over a disk that refuses, and writes all of it with the next deed", async () => {
    const { client, files, locked } = createFakeClient();
    const journal = createJournal(client, FOLDER, "", []);
    locked.add(FILE);
    journal.note("x", { kind: "failed", why: "one" });
    await expect(journal.flush()).resolves.toBeUndefined();
    locked.clear();
    journal.note("x", { kind: "failed", why: "two" });
    await journal.flush();
    expect(whyOf(files.get(FILE))).toEqual(["one", "two"]);
  });
});
