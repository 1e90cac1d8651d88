/** If red: the documented costs of what Plimsoll adds to prompts are not the real ones. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { estimateTextTokens } from "../../models/tokens.ts";
import { RELEASE_TEXT, renderDensityReminder, renderException } from "../density/step-density.ts";
import { renderCritical, renderOrange, renderYellow } from "../steps/measured.ts";
import { EFFICIENCY_REMINDER } from "../steps/said.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const PAGE = readFileSync(path.join(ROOT, "docs/reference/injections.md"), "utf8");
const QUOTE = { kind: "percent", percent: 65 } as const;

const mode = (name: string): string =>
  `=== Active Context: ${name} mode ===\n${readFileSync(path.join(ROOT, `contexts/${name}.md`), "utf8").trim()}`;

/** Every text that is the same each time but for a number. */
const TEXTS: Readonly<Record<string, string>> = {
  "the rules of `dev` mode": mode("dev"),
  "the rules of `research` mode": mode("research"),
  "the rules of `review` mode": mode("review"),
  YELLOW: renderYellow(QUOTE),
  ORANGE: renderOrange(QUOTE),
  "RED, after the save": renderCritical(QUOTE),
  "the rules of terse writing": renderDensityReminder(),
  "terse writing pauses for one response": renderException("irreversible"),
  "terse writing ends": RELEASE_TEXT,
  "the reminder of each prompt": EFFICIENCY_REMINDER,
};

describe("docs/reference/injections.md", () => {
  it.each(Object.entries(TEXTS))("[R145] tells what %s costs", (name, text) => {
    expect(text).not.toBe("");
    const [dense, classic] = (["dense", "classic"] as const).map((by) => Math.round(estimateTextTokens(text, by)));
    expect(PAGE).toContain(`| ${name} | ${text.length} | ${dense} | ${classic} |`);
  });
});
