import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consolidateMemories } from "./consolidate-memories.ts";

describe("a memory that is put in order", () => {
  it("[R122] lists every topic once, unlists what is gone, and keeps the older of two lessons that say the same", () => {
    const put = consolidateMemories({
      index: "# Memory\nmy own line\n- [Gone](gone.md): x\n- [Tests](tests.md): y\n- [Tests again](tests.md): z\n",
      topics: {
        "deploy.md": "# Deploy\n- 2026-01-02: Never on a Friday.\n",
        "tests.md": "# Tests\n- 2026-01-01: Use vitest.\nby hand\n- 2026-01-05: use  vitest\n- 2026-01-06: Use jest.\n",
      },
    });
    expect(put.index).toBe(
      "# Memory\nmy own line\n- [Tests](tests.md): y\n- [Deploy](deploy.md): Never on a Friday.\n",
    );
    expect(put.changed).toEqual({
      "tests.md": "# Tests\n- 2026-01-01: Use vitest.\nby hand\n- 2026-01-06: Use jest.\n",
    });
    expect(put.unlisted).toEqual(["- [Gone](gone.md): x", "- [Tests again](tests.md): z"]);
    expect(put.repeated).toEqual([{ file: "tests.md", line: "- 2026-01-05: use  vitest" }]);
    expect(put.listed).toEqual(["deploy.md"]);
  });

  it("[R122] finds nothing the second time, and takes no line but those that it names", () => {
    const line = fc.oneof(fc.constantFrom("- a", "- 2026-01-02: A.", "# T", "", "- b"), fc.string({ maxLength: 9 }));
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, fc.dictionary(fc.constantFrom("a.md", "b.md"), text), (index, topics) => {
        const once = consolidateMemories({ index, topics });
        const after = { index: once.index, topics: { ...topics, ...once.changed } };
        expect(consolidateMemories(after)).toEqual({
          index: once.index,
          changed: {},
          repeated: [],
          unlisted: [],
          listed: [],
        });
        const count = (texts: typeof topics): number =>
          Object.values(texts).reduce((sum, one) => sum + one.split("\n").length, 0);
        expect(count(after.topics) + once.repeated.length).toBe(count(topics));
      }),
    );
  });
});
