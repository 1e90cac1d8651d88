/** If red: the auditor passes a session that lost something, so no client test could notice a loss. */
import { describe, expect, it } from "vitest";
import { blocksOf, type Message } from "../api/messages-body.ts";
import { auditRun } from "./audit-run.ts";
import { audit, HEADING, HISTORY, type History, KEPT, LEDGER_LINES, LINE, recorded } from "./made-up-run.ts";
import { answered, picture, recallFrom, request, result, said, use } from "./request-log.ts";
import { inputKey, keysOfText } from "./things.ts";
import { isLawful, renderVerdict } from "./verdict.ts";

describe("a lawful run", () => {
  it("keeps all in view, or behind handles that give it back", async () => {
    const verdict = await audit(recorded());
    expect(renderVerdict(verdict)).toBe(
      "6 requests, 14 things followed: 7 in view, 7 behind handles, 0 taken back, 0 missing; 0 untrue, 0 requests invalid, 7 handles fetched, 1 prefix breaks",
    );
  });

  it("counts each line of a range as a handle", async () => {
    const thin = LEDGER_LINES.filter((line) => !/^[12] /.test(line));
    expect(isLawful(await audit(recorded([...thin, "(#1-#2, #3: lines of mere looking)"])))).toBe(true);
    expect(isLawful(await audit(recorded(thin)))).toBe(false);
  });

  it("lets a result be a marker whose handle gives the original", async () => {
    const marker = "[FOLDED: Bash output — 1 lines, 3 chars]\nFull output: plimsoll:cccccccccccc";
    const folded = HISTORY.map((message, index) =>
      index === 2 ? said(result("b", "two"), result("a", marker)) : message,
    );
    const requests = [request(HISTORY.slice(0, 5)), request(folded.slice(0, 5))];
    const recall = recallFrom({ "plimsoll:cccccccccccc": "one" });
    expect(renderVerdict(await auditRun({ requests, recall }))).toContain("0 missing; 0 untrue");
    const wrong = await auditRun({ requests, recall: recallFrom({ "plimsoll:cccccccccccc": "One" }) });
    expect(wrong).toMatchObject({ missing: [{ what: "result", callId: "a", goneAt: 1 }], untrue: [{ callId: "a" }] });
  });

  it("lets a marker name its lines in an artifact of several outputs, and holds it to those", async () => {
    const marker =
      "[FOLDED: Bash output — 1 lines, 3 chars]\nFull output: x.md lines 9-9 (plimsoll:cccccccccccc)\nUse Read.";
    const folded = HISTORY.map((message, index) =>
      index === 2 ? said(result("b", "two"), result("a", marker)) : message,
    );
    const requests = [request(HISTORY.slice(0, 5)), request(folded.slice(0, 5))];
    const kept = (text: string) => recallFrom({ "plimsoll:cccccccccccc": `## 1/2 (4 chars) x\nzero\n\n${text}\n\n` });
    expect(renderVerdict(await auditRun({ requests, recall: kept("## 2/2 (3 chars) y\none") }))).toContain(
      "0 missing; 0 untrue",
    );
    expect(isLawful(await auditRun({ requests, recall: kept("## 2/2 (3 chars) y\nOne") }))).toBe(false);
    expect(isLawful(await auditRun({ requests, recall: kept("## 2/2 (4 chars) y\nones") }))).toBe(false);
  });

  it("takes a stored message for what was sent of it: the client adds fields, and changes none", () => {
    const sent = { to: "mate", summary: "Paint", message: "Paint the hull." };
    const stored = { ...sent, type: "message", recipient: "mate", recipient_kind: "agent", content: "Paint …" };
    expect(keysOfText(JSON.stringify(stored))).toContain(inputKey(sent));
    expect(keysOfText(JSON.stringify({ ...stored, message: "Paint." }))).not.toContain(inputKey(sent));
    expect(keysOfText(JSON.stringify({ ...stored, recipient: "cook" }))).not.toContain(inputKey(sent));
  });

  it("lets a note with a handle stand for a picture, alone or among words", async () => {
    const note = "[picture plimsoll:bbbbbbbbbbbb, image/png, 1 KB: recall shows it]";
    const both = (shown: Message["content"][number] | string): Message =>
      said(result("a", typeof shown === "string" ? `as read\n${shown}` : [{ type: "text", text: "as read" }, shown]));
    const history = (shown: Parameters<typeof both>[0]): History => [
      said("Like this.", shown),
      answered(use("a"), use("b")),
      said(...blocksOf(both(shown).content), result("b", typeof shown === "string" ? shown : [shown])),
    ];
    const requests = [request(history(picture("R0lW"))), request(history(note))];
    const verdict = await auditRun({ requests, recall: recallFrom(KEPT), options: { mayRewind: false } });
    expect(renderVerdict(verdict)).toContain("0 missing; 0 untrue");
    const lost = await auditRun({ requests, recall: recallFrom({}), options: { mayRewind: false } });
    expect(lost.missing.map(({ what }) => what)).toEqual(["picture", "picture", "picture", "handle"]);
  });

  it("lets go of what a person takes back", async () => {
    const requests = [
      request(HISTORY.slice(0, 3)),
      request(HISTORY.slice(0, 5)),
      request([...HISTORY.slice(0, 3), answered("Wait."), said("Blue, rather.")]),
    ];
    const rewound = [...requests.slice(0, 2), request([...HISTORY.slice(0, 1), said("Blue, rather.")])];
    expect(isLawful(await auditRun({ requests: rewound, recall: recallFrom({}) }))).toBe(true);
    const strict = await auditRun({ requests: rewound, recall: recallFrom({}), options: { mayRewind: false } });
    expect(strict.missing.length).toBe(8);
  });

  it("holds conversations apart, and asks nothing of the client's own summaries", async () => {
    const requests = [
      request(HISTORY.slice(0, 5)),
      request([said("Only this.")], { lane: "subagent", agentId: "x" }),
      request([said("After a /clear.")], { headers: { "x-claude-code-session-id": "s2" } }),
      request([said("CRITICAL: Respond with TEXT ONLY")], { lane: "compaction" }),
      request(HISTORY.slice(0, 5)),
    ];
    expect(renderVerdict(await auditRun({ requests, recall: recallFrom({}) }))).toContain("0 missing; 0 untrue");
  });

  it("covers after the client's own summary only what stood there then", async () => {
    const opening = "This session is being continued from a previous conversation that ran out of context.";
    const requests = [
      request(HISTORY.slice(0, 5)),
      request([said(`${opening} Paint.`), ...HISTORY.slice(3, 5)]),
      request([said(`${opening} Paint.`), ...HISTORY.slice(3, 4), said(result("c", ""))]),
    ];
    const recall = recallFrom({});
    const client = await auditRun({ requests, recall, options: { summarises: "client" } });
    expect(client.missing.map(({ what, goneAt }) => `${what} ${goneAt}`)).toEqual(["picture 2", "words 2"]);
    expect((await auditRun({ requests, recall })).missing.length).toBeGreaterThan(2);
  });
});

describe("what goes is named, with the request in which it went", () => {
  it("what lies behind a handle that gives nothing, or something else", async () => {
    const { [`${LINE}#1`]: _, ...lacking } = KEPT;
    expect((await audit(recorded(), {}, lacking)).missing).toMatchObject([
      { what: "result", callId: "a", goneAt: 4 },
      { what: "handle", excerpt: `${LINE}#1` },
    ]);
    expect((await audit(recorded(), {}, { ...KEPT, [`${LINE}#2i`]: "{}" })).missing).toMatchObject([
      { what: "input", callId: "b", goneAt: 4 },
    ]);
  });

  it("the second of two things that say the same", async () => {
    const twice = [said("Go on."), answered("Gone."), said("Go on.")];
    const requests = [request(twice.slice(0, 1)), request(twice), request(twice.slice(0, 2))];
    const { missing } = await auditRun({ requests, recall: recallFrom({}) });
    expect(missing).toMatchObject([{ what: "prompt", firstSeen: 1, goneAt: 2 }]);
  });

  it("what was given and never stood anywhere", async () => {
    const { missing } = await audit(recorded(), { given: ["Go on.", "Stop at the bow."] });
    expect(missing).toMatchObject([{ what: "prompt", excerpt: '"Stop at the bow."', firstSeen: -1 }]);
  });
});

describe("what was never said is named", () => {
  it("a result that another call gave", async () => {
    const swapped = [...HISTORY.slice(0, 2), said(result("a", "two"), result("b", "one")), ...HISTORY.slice(3, 5)];
    const { untrue } = await auditRun({
      requests: [request(HISTORY.slice(0, 5)), request(swapped)],
      recall: recallFrom({}),
    });
    expect(untrue.map(({ callId, said: now }) => `${callId} ${now}`)).toEqual(['a "two"', 'b "one"']);
  });

  it("words that nobody spoke, in a ledger or as an answer", async () => {
    const forged = LEDGER_LINES.map((line) => line.replace("Not the bow.", "Not the bow, the stern."));
    expect((await audit(recorded(forged))).untrue).toMatchObject([{ what: "words", request: 4, truth: "" }]);
    const invented = [
      ...HISTORY.slice(0, 3),
      answered("I never said so.", use("c", { path: "x.png" })),
      ...HISTORY.slice(4),
    ];
    const { untrue } = await auditRun({ requests: [request(HISTORY), request(invented)], recall: recallFrom({}) });
    expect(untrue).toMatchObject([{ what: "answer", request: 1 }]);
  });

  it("a line of the ledger whose number gives something else", async () => {
    const lines = LEDGER_LINES.map((line) => line.replace("→ two", "→ (40 lines)"));
    expect((await audit(recorded(lines))).untrue).toMatchObject([{ what: "handle", truth: "1 lines" }]);
  });

  it("thinking that is not as it was first sent", async () => {
    const thought = (thinking: string): Message =>
      answered({ type: "thinking", thinking, signature: "s" }, "So be it.", use("d"));
    const after = [said(result("d", "done")), answered("Well."), said("Yes?")];
    const requests = ["hm", "oh"].map((words) => request([said("Think."), thought(words), ...after]));
    const verdict = await auditRun({ requests, recall: recallFrom({}), options: { mayRewind: false } });
    expect(verdict.invalid).toMatchObject([{ request: 1, violations: [{ rule: "thinking_changed" }] }]);
  });
});

it("finds an answer that was taken apart, and one that lost a call", async () => {
  const [first, ...rest] = HISTORY;
  const whole = HISTORY.slice(0, 4);
  const apart = [
    recorded([HEADING, "person: Paint the hull.", "  In red."]),
    answered(use("a")),
    said(result("a", "one")),
  ];
  const requests = [
    request([first ?? said("")]),
    request(whole),
    request([...apart, ...rest.slice(0, 0), said("Go on.")]),
  ];
  const verdict = await auditRun({ requests, recall: recallFrom(KEPT), options: { mayRewind: false } });
  expect(renderVerdict(verdict)).toContain("an answer with a instead of an answer with a, b");
});
