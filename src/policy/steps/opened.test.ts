/** If red: a new window begins without its mode or what earlier sessions left. */
import { describe, expect, it } from "vitest";
import { parseStamp } from "../../survive/project-state/stamp.ts";
import { INITIAL_POLICY, type PolicyState } from "../policy-state.ts";
import { renderNotes, type Surroundings } from "../surroundings.ts";
import { type Opened, opened } from "./opened.ts";

const surroundings: Surroundings = { mode: { kind: "none" }, modeText: undefined, rules: [], plan: "" };

const DECISIONS = `# Decisions Log

## [2026-11-15 09:00] Decision: Use tar for the hull

**Decision:** Use tar for the hull

## [2026-11-16 10:20] Decision: Do not put the mast into the repository yet

**Decision:** Do not put the mast into the repository yet
`;

function open(state: PolicyState, why: Opened["why"], at: string) {
  const nowMs = parseStamp(at) ?? 0;
  const texts = { "decisions.md": DECISIONS };
  const step = opened(state, {
    why,
    surroundings,
    stands: why === "resume" ? state.told : undefined,
    nowMs,
    notes: (beganMs) => renderNotes({ texts, hasGit: true, memory: "" }, { nowMs, beganMs }),
    model: () => "test",
  });
  const saidTexts = step.commands.flatMap((command) => (command.kind === "tell" ? [command.text] : []));
  return { state: step.state, text: saidTexts.join("\n") };
}

describe("a window that begins", () => {
  it.each(["startup", "resume", "clear", "compact"] as const)("[R3] is given the mode again after %s", (why) => {
    const found = { ...surroundings, mode: { kind: "set", mode: "dev", file: "own" } as const, modeText: "be quick" };
    const event = { surroundings: found, nowMs: 0, notes: () => "", model: () => "test" };
    const first = opened(INITIAL_POLICY, { ...event, why: "startup" });
    const { state } = first;
    const again = opened(state, { ...event, why, stands: why === "resume" ? state.told : undefined });
    const said = { kind: "tell", text: "=== Active Context: dev mode ===\nbe quick" };
    for (const { commands } of [first, again]) expect(commands).toContainEqual(said);
  });

  it("is told what earlier sessions left", () => {
    expect(open(INITIAL_POLICY, "startup", "2026-11-17 08:00").text).toContain("Do not put the mast");
  });

  it("is told nothing of its own session as if an earlier one had said it, however often it is resumed", () => {
    const first = open(INITIAL_POLICY, "startup", "2026-11-16 10:00");
    expect(first.text).toContain("Use tar for the hull");
    expect(first.text).not.toContain("mast");
    const compacted = open(first.state, "compact", "2026-11-16 11:00");
    const resumed = open(
      { ...compacted.state, told: { ...compacted.state.told, state: "" } },
      "resume",
      "2026-11-18 09:00",
    );
    expect(resumed.text).toContain("Use tar for the hull");
    expect(resumed.text).not.toContain("mast");
  });
});
