/** If red: the model cannot fetch back originals by their handles, or the tool for it weighs too much. */

import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createArtifactStore } from "../../src/files/artifacts/artifacts.ts";
import { renderSections } from "../../src/layers/ledger/sections.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call } from "../api/replies.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { parseRecalled } from "../support/recalled.ts";
import { PLUGIN, type Play, play, resultIn, sent } from "./play.ts";
import { renderPdf } from "./render-pdf.ts";

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const opening = await play(...given);
  opened.push(opening);
  return opening;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const TOOL = "mcp__plimsoll__recall";
const DOCUMENT = Buffer.from(renderPdf("the hull")).toString("base64");
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const LOG = `  planked\n${Array.from({ length: 900 }, (_, index) => `plank ${index} is sound`).join("\n")}\n[end]\n `;

/** The block that answers a call. */
function blockOf(request: ApiRequest | undefined, callId: string): Readonly<Record<string, unknown>> {
  const blocks = (request?.body.messages ?? []).flatMap(({ content }) => (typeof content === "string" ? [] : content));
  return blocks.find(({ tool_use_id }) => tool_use_id === callId) ?? {};
}

function keep({ workspace }: Play, output: string): string {
  const kept = createArtifactStore(workspace.cwd, Date.now, path.join(workspace.home, ".claude/data/plimsoll")).keep({
    output,
    tool: "Bash",
  });
  if (!kept.ok) throw new Error(kept.problem.detail);
  return kept.value.handle;
}

describe("recall in the client", () => {
  it("gives two handles in one call, a range of lines, a picture, a document, pages below what the client shows, and errors as errors", async () => {
    const handles: Record<string, string> = {};
    const session = await open({
      main: (_, step) =>
        step > 0
          ? answer("Sound.")
          : answer(
              call(TOOL, { handle: `${handles.log} ${handles.small}` }, "toolu_two"),
              call(TOOL, { handle: [handles.log, handles.small] }, "toolu_list"),
              call(TOOL, { handle: `${handles.ledger}#1-#2` }, "toolu_range"),
              call(TOOL, { handle: `${handles.picture} ${handles.small}` }, "toolu_picture"),
              call(TOOL, { handle: handles.document }, "toolu_document"),
              call(TOOL, { handle: handles.long }, "toolu_long"),
              call(TOOL, { handle: handles.long, page: 99 }, "toolu_past"),
              call(TOOL, { handle: "plimsoll:000000000000" }, "toolu_unknown"),
              call(TOOL, { handle: `${handles.ledger}#9` }, "toolu_line"),
            ),
    });
    handles.log = keep(session, LOG);
    handles.small = keep(session, "\toak\n");
    handles.ledger = keep(
      session,
      renderSections([
        ["1i", '{"command":"make"}'],
        ["1", LOG],
        ["2", "words"],
      ]),
    );
    handles.picture = keep(session, `data:image/png;base64,${PICTURE}`);
    handles.document = keep(session, `data:application/pdf;base64,${DOCUMENT}`);
    handles.long = keep(session, LOG.repeat(70));
    // A conversation reaches what it stored and what it quotes: the person names them.
    const run = await session.run({ prompts: [`Is it sound? See ${Object.values(handles).join(", ")}.`] });

    expect(run.exitCode).toBe(0);
    const last = session.api.requests.at(-1);
    expect(session.api.requests.flatMap(({ body }) => validateMessages(body))).toEqual([]);
    for (const id of ["toolu_two", "toolu_list"])
      expect(parseRecalled(resultIn(last, id))).toEqual([
        { heading: handles.log, body: LOG },
        { heading: handles.small, body: "\toak\n" },
      ]);
    expect(parseRecalled(resultIn(last, "toolu_range"))).toEqual([
      { heading: `${handles.ledger}#1 call`, body: '{"command":"make"}' },
      { heading: `${handles.ledger}#1 result`, body: LOG },
      { heading: `${handles.ledger}#2`, body: "words" },
    ]);
    expect(blockOf(last, "toolu_picture").content).toEqual([
      { type: "text", text: `[${handles.picture}: image/png, 70 bytes]` },
      { type: "image", source: { type: "base64", media_type: "image/png", data: PICTURE } },
      { type: "text", text: `[${handles.small}: 5 characters]\n\toak\n\n[end]` },
    ]);
    expect(blockOf(last, "toolu_document").content).toEqual([
      expect.objectContaining({ type: "text" }),
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: DOCUMENT } },
    ]);
    const [long] = parseRecalled(resultIn(last, "toolu_long"));
    expect(LOG.repeat(70).startsWith(long?.body ?? "none")).toBe(true);
    expect(long?.body.length).toBeGreaterThan(29_000);
    for (const [id, words] of [
      ["toolu_past", "There is no page 99: there are "],
      ["toolu_unknown", 'Nothing is kept under "plimsoll:000000000000". Nearest known: plimsoll:'],
      ["toolu_line", `${handles.ledger} has #1-2.`],
    ] as const) {
      expect(blockOf(last, id).is_error).toBe(true);
      expect(resultIn(last, id)).toContain(words);
    }
  });

  it("gives a result of 15 KB back whole in one request, as a Read does", async () => {
    let handle = "";
    const session = await open({
      main: (_, step) => (step === 0 ? answer(call(TOOL, { handle }, "toolu_r")) : answer("Read.")),
    });
    handle = keep(session, LOG.slice(0, 15_000));
    await session.run({ prompts: [`Read ${handle} again.`] });
    expect(session.api.requests).toHaveLength(2);
    expect(parseRecalled(resultIn(session.api.requests[1], "toolu_r"))).toEqual([
      { heading: handle, body: LOG.slice(0, 15_000) },
    ]);
  });

  it("adds at most 1,050 bytes to a request in which nothing is done: one tool with a word for each argument", async () => {
    const session = await open({ main: [answer("Hello."), answer("Hello.")] });
    await session.run({ prompts: ["Hello."], plugins: [] });
    await session.run({ prompts: ["Hello."], plugins: [PLUGIN] });
    const [without, including] = session.api.requests.map(({ body }) => {
      const { tools, system, messages } = body;
      // The folder of either session's own memory is named after nothing of ours, and is as long.
      return JSON.stringify({ tools, system, messages }).length;
    });
    expect(sent(session.api.requests[1])).toContain("plimsoll");
    expect((including ?? 0) - (without ?? 0)).toBeLessThanOrEqual(1_050);
    expect((including ?? 0) - (without ?? 0)).toBeGreaterThan(300);
  });
});
