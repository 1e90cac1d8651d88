/** If red: a prompt built with the library changes its static part, and its cache is lost on every request. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemblePrompt, DYNAMIC_BOUNDARY, renderSystem, SECTION_ORDER, type Section } from "./assemble-prompt.ts";

const intro: Section = { name: "Intro", text: "You are an agent.", kind: "static" };
const care: Section = { name: "Actions care", text: "Ask before deleting.", kind: "static" };
const environment: Section = { name: "Environment", text: "Folder: /work", kind: "dynamic" };
const runtime: Section = { name: "Runtime config", text: "mode: dev", kind: "dynamic" };

describe("the prompt", () => {
  it("[R134] [R144] has the static part first, then the boundary line, then what may change", () => {
    expect(assemblePrompt([intro, care, environment, runtime]).text).toMatchInlineSnapshot(`
      "# Intro

      You are an agent.

      # Actions care

      Ask before deleting.

      __SYSTEM_PROMPT_DYNAMIC_BOUNDARY__

      # Environment

      Folder: /work

      # Runtime config

      mode: dev"
    `);
  });

  it("[R134] takes all eight sections in their order, and others among those of their kind", () => {
    const all = [...SECTION_ORDER.static, "Tone"].map((name): Section => ({ name, text: name, kind: "static" }));
    const rest = ["Memory", ...SECTION_ORDER.dynamic].map((name): Section => ({ name, text: name, kind: "dynamic" }));
    const { sections } = assemblePrompt([...all, ...rest]);
    expect(sections.map(({ name }) => name)).toEqual([...all, ...rest].map(({ name }) => name));
  });

  it("leaves out what says nothing, and keeps the boundary all the same", () => {
    expect(assemblePrompt([{ ...intro, text: " \n\n" }]).text).toBe(DYNAMIC_BOUNDARY);
    expect(assemblePrompt([{ ...intro, text: "\n\n  code\n\n" }]).sections[0]?.text).toBe("# Intro\n\n  code");
  });

  it.each<[string, Section[], RegExp]>([
    [
      "a static section after the boundary",
      [environment, intro],
      /section "Intro" is static and stands after the boundary/,
    ],
    ["static sections out of order", [care, intro], /section "Intro" stands after "Actions care"/],
    ["dynamic sections out of order", [runtime, environment], /section "Environment" stands after "Runtime config"/],
    ["a known section of the wrong kind", [{ ...environment, kind: "static" }], /section "Environment" is dynamic/],
    ["a section given twice", [intro, intro], /section "Intro" is given twice/],
    [
      "a boundary of one's own",
      [{ ...intro, text: `a\n${DYNAMIC_BOUNDARY}\nb` }],
      /section "Intro" contains the boundary/,
    ],
    ["a name of no letters", [{ ...intro, name: " " }], /needs a name/],
  ])("[R134] refuses %s, by name", (_what, sections, message) => {
    expect(() => assemblePrompt(sections)).toThrow(TypeError);
    expect(() => assemblePrompt(sections)).toThrow(message);
  });

  it("takes the boundary line from a file in the dynamic part for what it is, text", () => {
    const { text } = assemblePrompt([intro, { ...environment, text: DYNAMIC_BOUNDARY }]);
    expect(text.indexOf(DYNAMIC_BOUNDARY)).toBeLessThan(text.indexOf("# Environment"));
  });
});

describe("its blocks", () => {
  it("[R134] end where the static part ends, with a breakpoint there", () => {
    expect(renderSystem(assemblePrompt([intro, environment]), { ttl: "1h" })).toEqual([
      {
        type: "text",
        text: `# Intro\n\nYou are an agent.\n\n${DYNAMIC_BOUNDARY}`,
        cache_control: { type: "ephemeral", ttl: "1h" },
      },
      { type: "text", text: "# Environment\n\nFolder: /work" },
    ]);
  });

  it("carry no breakpoint where nothing is static", () => {
    expect(renderSystem(assemblePrompt([environment]))[0]).toEqual({ type: "text", text: DYNAMIC_BOUNDARY });
  });
});

const words = fc.string({ maxLength: 60 });
const dynamicTexts = fc.tuple(words, words, words, words);

function assemble(fixed: readonly string[], changing: readonly string[]) {
  return assemblePrompt([
    ...SECTION_ORDER.static.map((name, index): Section => ({ name, text: fixed[index] ?? "", kind: "static" })),
    ...SECTION_ORDER.dynamic.map((name, index): Section => ({ name, text: changing[index] ?? "", kind: "dynamic" })),
  ]);
}

it("[R134] the same sections give the same prompt, whatever they say", () => {
  fc.assert(
    fc.property(dynamicTexts, dynamicTexts, (fixed, changing) => {
      expect(assemble(fixed, changing)).toEqual(assemble([...fixed], [...changing]));
    }),
  );
});

it("[R134] [R153] the static prefix and its hash stay, whatever the dynamic sections say", () => {
  fc.assert(
    fc.property(dynamicTexts, dynamicTexts, dynamicTexts, (fixed, one, other) => {
      const [left, right] = [assemble(fixed, one), assemble(fixed, other)];
      expect(right.staticHash).toBe(left.staticHash);
      expect(right.text.startsWith(left.staticText)).toBe(true);
    }),
  );
});

it("[R153] another static text has another hash", () => {
  fc.assert(
    fc.property(dynamicTexts, words, (fixed, other) => {
      fc.pre(other.trim() !== (fixed[0] ?? "").trim());
      const changed = [other, ...fixed.slice(1)];
      expect(assemble(changed, []).staticHash).not.toBe(assemble(fixed, []).staticHash);
    }),
  );
});
