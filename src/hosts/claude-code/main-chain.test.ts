/** If red: a rewound branch counts as part of the conversation, or a part that was sent is left out. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  answer,
  attachment,
  boundary,
  prompt,
  summary,
  toolResult,
  toolUse,
  transcript,
} from "../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../core/json.ts";
import type { TranscriptEntry } from "../transcript-entry.ts";
import { selectMainChain } from "./main-chain.ts";
import { createTranscriptReader } from "./transcript-reader.ts";

function readEntries(drafts: readonly JsonObject[]): readonly TranscriptEntry[] {
  const reader = createTranscriptReader();
  return transcript(...drafts).flatMap((line) => reader.read(line) ?? []);
}

/** The uuids of the lines that are chosen, in their order. */
const choose = (...drafts: readonly JsonObject[]): string =>
  selectMainChain(readEntries(drafts))
    .map((entry) => entry.uuid)
    .join(" ");

const childOf = (parentUuid: string, draft: JsonObject): JsonObject => ({ ...draft, parentUuid });
const side = (draft: JsonObject): JsonObject => ({ ...draft, isSidechain: true });

describe("selectMainChain", () => {
  it.each(["# always use tabs", "<user-memory-input>always use tabs</user-memory-input>", "/clear"])(
    "does not begin anew at what the client carries out itself, though it has no parent: %s",
    (note) => {
      const drafts = [prompt("go"), answer("m1", ["done"]), { ...prompt(note), parentUuid: null }];
      expect(choose(...drafts)).toBe("l1 l2 l3");
    },
  );

  it("keeps a straight conversation whole, with the lines that say nothing", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", [toolUse("t1", "Bash")]),
      toolResult("t1", "a.ts"),
      { type: "system", subtype: "turn_duration" },
      answer("m2", ["done"]),
    );
    expect(chosen).toBe("l1 l2 l3 l4 l5");
  });

  it("is not hidden by a command of the client that hangs at the root, in either of its two forms", () => {
    const lines = [prompt("go"), answer("m1", ["where?"]), prompt("left"), answer("m2", ["went left"])];
    for (const text of ["/export notes.md", "<command-name>/export</command-name>\n<command-args></command-args>"])
      expect(choose(...lines, childOf("l1", prompt(text)))).toBe("l1 l2 l3 l4 l5");
  });

  it("leaves a rewound branch out once the new one is answered", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", ["where?"]),
      prompt("left"),
      answer("m2", ["went left"]),
      childOf("l2", prompt("no, right")),
      answer("m3", ["went right"]),
    );
    expect(chosen).toBe("l1 l2 l5 l6");
  });

  it("leaves a rewound branch out as soon as the person asks anew", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", ["where?"]),
      prompt("left"),
      answer("m2", ["went left"]),
      childOf("l2", prompt("no, right")),
    );
    expect(chosen).toBe("l1 l2 l5");
  });

  it("keeps all lines of a split answer and the results of parallel calls", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", ["Two things."]),
      answer("m1", [toolUse("t1", "Bash")]),
      answer("m1", [toolUse("t2", "Read")]),
      childOf("l3", toolResult("t1", "a.ts")),
      childOf("l4", toolResult("t2", "text")),
      answer("m2", ["done"]),
    );
    expect(chosen).toBe("l1 l2 l3 l4 l5 l6 l7");
  });

  it("keeps parallel calls that hang next to each other on the same parent", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", [toolUse("t1", "Bash")]),
      childOf("l1", answer("m1", [toolUse("t2", "Read")])),
      childOf("l2", toolResult("t1", "a.ts")),
      childOf("l3", toolResult("t2", "text")),
      childOf("l5", answer("m2", ["done"])),
    );
    expect(chosen).toBe("l1 l2 l3 l4 l5 l6");
  });

  it("does not end the conversation at a result that comes late", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", [toolUse("t1", "Bash")]),
      answer("m1", [toolUse("t2", "Read")]),
      childOf("l2", toolResult("t1", "a.ts")),
      answer("m2", ["one is missing"]),
      childOf("l3", toolResult("t2", "text")),
    );
    expect(chosen).toBe("l1 l2 l3 l4 l5 l6");
  });

  it("finds a call that is written after its own result", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", ["first"]),
      childOf("l4", toolResult("t1", "a.ts")),
      childOf("l2", answer("m2", [toolUse("t1", "Bash")])),
      childOf("l3", answer("m3", ["done"])),
    );
    expect(chosen).toBe("l1 l2 l3 l4 l5");
  });

  it("goes on at the line before where a parent is not in the file", () => {
    const chosen = choose(prompt("go"), answer("m1", ["one"]), childOf("lost", prompt("on")), answer("m2", ["two"]));
    expect(chosen).toBe("l1 l2 l3 l4");
  });

  it("keeps what came after the last answer: it will be sent", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", [toolUse("t1", "Bash")]),
      toolResult("t1", "a.ts"),
      attachment({ type: "task_reminder", content: ["x"] }),
    );
    expect(chosen).toBe("l1 l2 l3 l4");
  });

  it("keeps everything where nothing was answered yet, and nothing of nothing", () => {
    expect(choose(prompt("<command-name>/init</command-name>"), prompt("<bash-input>ls"))).toBe("l1 l2");
    expect(choose()).toBe("");
  });

  it("does not go from an error notice", () => {
    const notice = { ...answer("e1", ["API Error"]), isApiErrorMessage: true };
    const chosen = choose(prompt("go"), answer("m1", ["one"]), childOf("elsewhere", notice));
    expect(chosen).toBe("l1 l2 l3");
  });
});

describe("selectMainChain on side chains", () => {
  it("leaves them out of a main session's file", () => {
    const chosen = choose(
      side(prompt("warm up")),
      childOf("", prompt("go")),
      answer("m1", [toolUse("t1", "Task")]),
      side(childOf("", prompt("look"))),
      side(answer("s1", ["found"])),
      childOf("l3", toolResult("t1", "found")),
      answer("m2", ["done"]),
    );
    expect(chosen).toBe("l2 l3 l6 l7");
  });

  it("takes them for the conversation in a subagent's own file", () => {
    expect(choose(side(prompt("look")), side(answer("s1", ["found"])))).toBe("l1 l2");
  });

  it("passes over lines that stand nowhere", () => {
    expect(choose({ type: "summary", summary: "x", uuid: "" }, prompt("go"), answer("m1", ["ok"]))).toBe("l2 l3");
  });
});

describe("selectMainChain on compactions", () => {
  it("goes on across a boundary by its logical parent, or at the line before it", () => {
    const before = [prompt("go"), answer("m1", ["one"])];
    const rest = [summary("so far"), answer("m2", ["two"])];
    expect(choose(...before, boundary("l2"), ...rest)).toBe("l1 l2 l3 l4 l5");
    expect(choose(...before, boundary(""), ...rest)).toBe("l1 l2 l3 l4 l5");
    expect(choose(...before, boundary("lost"), ...rest)).toBe("l1 l2 l3 l4 l5");
  });

  it("goes on across the summaries of old clients, which write no boundary", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", ["one"]),
      childOf("", summary("so far")),
      answer("m2", ["two"]),
      childOf("", summary("so far again")),
      answer("m3", ["three"]),
    );
    expect(chosen).toBe("l1 l2 l3 l4 l5 l6");
  });

  it("sees a boundary that the lines after it pass by, as after /compact in newer clients", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", ["one"]),
      boundary("l2", { trigger: "manual" }),
      summary("so far"),
      childOf("l2", prompt("<command-name>/compact</command-name>")),
      prompt("on"),
      answer("m2", ["two"]),
    );
    expect(chosen).toBe("l1 l2 l3 l4 l5 l6 l7");
  });

  it("sees the summary of such a boundary behind attachments, and nothing that was rewound after it", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", ["one"]),
      boundary("l2"),
      attachment({ type: "date" }),
      summary("so far"),
      prompt("rewound"),
      answer("m2", ["rewound"]),
      childOf("l2", prompt("on")),
      answer("m3", ["two"]),
    );
    expect(chosen).toBe("l1 l2 l3 l4 l5 l8 l9");
  });

  it("leaves a compaction out that happened on a rewound branch", () => {
    const chosen = choose(
      prompt("go"),
      answer("m1", ["where?"]),
      prompt("left"),
      answer("m2", ["went left"]),
      boundary("l4"),
      summary("went left"),
      childOf("l2", prompt("no, right")),
      answer("m3", ["went right"]),
    );
    expect(chosen).toBe("l1 l2 l7 l8");
  });

  it("ends at the first line of a second conversation in the same file", () => {
    const chosen = choose(prompt("one"), answer("m1", ["1"]), childOf("", prompt("two")), answer("m2", ["2"]));
    expect(chosen).toBe("l3 l4");
  });
});

describe("selectMainChain on any tangle of parents", () => {
  const kinds: readonly JsonObject[] = [
    prompt("go"),
    answer("m1", [toolUse("t1", "Bash")]),
    answer("m2", ["done"]),
    toolResult("t1", "a.ts"),
    boundary("l3"),
    summary("so far"),
    { type: "system", subtype: "turn_duration" },
  ];
  const line = fc
    .tuple(fc.constantFrom(...kinds), fc.option(fc.nat(12)), fc.boolean())
    .map(([draft, parent, isSidechain]): JsonObject => {
      return { ...draft, isSidechain, ...(parent === null ? {} : { parentUuid: `l${parent}` }) };
    });

  it("comes to an end, keeps the order, and says nothing twice", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (drafts) => {
        const entries = readEntries(drafts);
        const chosen = selectMainChain(entries);
        expect(chosen).toEqual(entries.filter((entry) => chosen.includes(entry)));
        expect(new Set(chosen).size).toBe(chosen.length);
      }),
    );
  });
});
