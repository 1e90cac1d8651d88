import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { createScreen } from "./screen.ts";

const row = (requestId: string, text: string, more: JsonObject = {}): JsonObject => ({
  component: "AssistantMessage",
  requestId,
  props: { text, ...more },
});

describe("what a compaction tells again", () => {
  it("is a repeat under its new id, and what happened is not", () => {
    const screen = createScreen();
    screen.saw("old");
    expect(screen.isRepeat(row("new", "Painted."))).toBe(false);
    screen.told([{ role: "assistant", text: "Painted." }]);
    expect(screen.isRepeat(row("new", "Painted."))).toBe(true);
    expect(screen.isRepeat(row("old", "Painted."))).toBe(false);
    expect(screen.isRepeat(row("new", "Rigged."))).toBe(false);
  });

  it("may be said again by the person or the model, and is shown then", () => {
    const screen = createScreen();
    screen.told([{ text: "Go on." }]);
    expect(screen.isRepeat(row("placeholder", "Go on."))).toBe(false);
    screen.saw("later");
    expect(screen.isRepeat(row("later", "Go on."))).toBe(false);
  });

  it("is shown where the person asked to see everything", () => {
    const screen = createScreen();
    screen.told([{ text: "Go on." }]);
    expect(screen.isRepeat(row("new", "Go on.", { isExpanded: true }))).toBe(false);
  });

  it("is known in the form in which the client draws a command and what it printed", () => {
    const screen = createScreen();
    screen.told([
      {
        text: "<command-name>/compact</command-name>\n <command-message>compact</command-message>\n<command-args>keep red</command-args>",
      },
      { text: "<local-command-stdout>\u001b[2mCompacted (ctrl+o)\u001b[22m</local-command-stdout>" },
    ]);
    expect(screen.isRepeat(row("a", "/compact keep red"))).toBe(true);
    expect(screen.isRepeat(row("b", "Compacted (ctrl+o)"))).toBe(true);
  });

  it("is nothing for rows without words, and for what has no shape", () => {
    const screen = createScreen();
    screen.told([{ text: "" }, null, "x", { text: 7 }]);
    expect([row("a", ""), {}, { props: null }].map((e) => screen.isRepeat(e))).toEqual([false, false, false]);
  });
});
