/** If red: a compaction prints the whole record on the person's screen, or hides a row that they should see. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import type { ModuleApi } from "./module-api.ts";
import { addHint, createScreen, drawRow, placeStatus } from "./screen.ts";

const row = (requestId: string, text: string, more: JsonObject = {}): JsonObject => ({
  component: "AssistantMessage",
  requestId,
  props: { text, ...more },
});

const note = (uuid: string, text: string, entryPoint = "note"): JsonObject => ({
  uuid,
  door: entryPoint,
  message: { content: [{ type: "text", text }] },
});
const prompt = (uuid: string): JsonObject => note(uuid, "Go on.", "prompt");
/** What the client's own empty box comes to. */
const NOTHING_DRAWN = { type: "Box" };

describe("what a compaction tells again", () => {
  it("is a repeat under its new id, and what happened is not", () => {
    const screen = createScreen();
    screen.saw(prompt("old"));
    expect(screen.isRepeat(row("new", "Painted."))).toBe(false);
    screen.answered({ messages: [{ role: "assistant", text: "Painted." }] });
    expect(screen.isRepeat(row("new", "Painted."))).toBe(true);
    expect(screen.isRepeat(row("old", "Painted."))).toBe(false);
    expect(screen.isRepeat(row("new", "Rigged."))).toBe(false);
  });

  it("may be said again by the person or the model, and is shown then", () => {
    const screen = createScreen();
    screen.answered({ messages: [{ text: "Go on." }] });
    expect(screen.isRepeat(row("placeholder", "Go on."))).toBe(false);
    screen.saw(prompt("later"));
    expect(screen.isRepeat(row("later", "Go on."))).toBe(false);
  });

  it("is a repeat, too, where the engine tells its rows one by one, as it does when it compacts by itself", () => {
    const screen = createScreen();
    screen.answered({ messages: [{ text: "Go on." }] });
    screen.saw(note("again", "Go on."));
    expect(screen.isRepeat(row("again", "Go on."))).toBe(true);
    screen.saw(note("command", "/compact"));
    expect(screen.isRepeat(row("command", "/compact"))).toBe(false);
  });

  it("is nothing for rows without words, and for what has no shape", () => {
    const screen = createScreen();
    screen.answered({ messages: [{ text: "" }, null, "x", { text: 7 }] });
    expect([row("a", ""), {}, { props: null }].map((e) => screen.isRepeat(e))).toEqual([false, false, false]);
  });
});

const draw = (text: string, isExpanded = false) => ({
  component: "UserMessage",
  props: { text, isExpanded, origin: {} },
});
const client = { ui: { resolve: () => ({ Box: () => NOTHING_DRAWN }) } } as unknown as ModuleApi;
const next = Object.assign(async (e: object): Promise<unknown> => e, { signal: new AbortController().signal });

describe("a record on the screen", () => {
  it("is one line that says how to see the rest", async () => {
    const record = draw(`${RECORD_OPENING} Requests 1 to 2.\nmore\nand more`);
    expect(await drawRow(client, createScreen(), record, next)).toEqual({
      component: "UserMessage",
      props: {
        text: "⊖ Plimsoll replaced earlier messages with a record of 3 lines (ctrl+o shows it)",
        isExpanded: false,
        origin: {},
      },
    });
  });

  it("is whole where rows are shown in full, and every other row is drawn as it is", async () => {
    for (const event of [draw(RECORD_OPENING, true), draw("Paint it."), { component: "UserMessage" }])
      expect(await drawRow(client, createScreen(), event, next)).toBe(event);
  });
});

describe("a row that is on the screen already", () => {
  it("is drawn as nothing; any other, and one that the person asked to see in full, as the client draws it", async () => {
    const screen = createScreen();
    screen.answered({ messages: [{ text: "Paint it." }] });
    const again = { ...draw("Paint it."), requestId: "new" };
    const fresh = { ...draw("Rig it."), requestId: "new" };
    expect(await drawRow(client, screen, again, next)).toBe(NOTHING_DRAWN);
    expect(await drawRow(client, screen, fresh, next)).toBe(fresh);
    const asked = { ...draw("Paint it.", true), requestId: "new" };
    expect(await drawRow(client, screen, asked, next)).toBe(asked);
  });
});

describe("where the load is shown", () => {
  const hint = (given: object): JsonObject => ({
    component: "PromptHint",
    surface: "terminal",
    props: { hint: "? for shortcuts", ...given },
  });
  const LOAD = { text: "⊖ half full", hint: "⊖ half full" };

  it("is the status area until a terminal has drawn its hint line, then that line while nothing has to be done", () => {
    const statuses: (string | undefined)[] = [];
    const client = {
      ui: { status: (text?: string) => statuses.push(text), invalidate: () => undefined },
    } as unknown as ModuleApi;
    placeStatus(client, LOAD);
    const onDesktop = { ...hint({}), surface: "desktop" };
    expect([statuses.at(-1), addHint(onDesktop)]).toEqual(["⊖ half full", onDesktop]);
    addHint(hint({}));
    placeStatus(client, LOAD);
    expect(statuses.at(-1)).toBeUndefined();
    expect(addHint(hint({}))).toEqual(hint({ tail: "⊖ half full" }));
    expect(addHint(hint({ tail: "theirs" }))).toEqual(hint({ tail: "theirs · ⊖ half full" }));
    placeStatus(client, { text: "⊖ nearly full" });
    expect([statuses.at(-1), addHint(hint({}))]).toEqual(["⊖ nearly full", hint({})]);
    placeStatus(client, { text: "⊖ size not known yet", hint: "" });
    expect([statuses.at(-1), addHint(hint({}))]).toEqual([undefined, hint({})]);
  });
});
