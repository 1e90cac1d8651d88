import { hashText } from "../../core/hash.ts";

/** A system prompt in the order in which a cache reads it. */
export interface AssembledPrompt {
  /** The non-empty ones in order, with their text in the prompt. */
  readonly sections: readonly Section[];
  /** Up to and including the boundary line. */
  readonly staticText: string;
  readonly dynamicText: string;
  readonly text: string;
  /** Unchanged as long as the static part is. Cache hits depend on it. */
  readonly staticHash: string;
}

const GAP = "\n\n";

/**
 * Joins the static part, the boundary line and the dynamic part. The same sections always give the same text. Throws if a section is in
 * the wrong place, because that would silently cost money on every request of every session.
 */
export function assemblePrompt(sections: readonly Section[]): AssembledPrompt {
  checkSections(sections);
  const shown = sections.flatMap((section) => {
    // The first line keeps its indentation, because it may be code.
    const text = section.text.trimEnd().replace(/^(?:[ \t]*\r?\n)+/, "");
    return text === "" ? [] : [{ ...section, text: `# ${section.name}\n\n${text}` }];
  });
  const staticText = [...textsOf(shown, "static"), DYNAMIC_BOUNDARY].join(GAP);
  const dynamicText = textsOf(shown, "dynamic").join(GAP);
  return {
    sections: shown,
    staticText,
    dynamicText,
    text: dynamicText === "" ? staticText : staticText + GAP + dynamicText,
    staticHash: hashText(staticText),
  };
}

function textsOf(sections: readonly Section[], kind: SectionKind): readonly string[] {
  return sections.filter((section) => section.kind === kind).map(({ text }) => text);
}

/** Throws a `TypeError` that names the first misplaced section. */
function checkSections(sections: readonly Section[]): void {
  const names = new Set<string>();
  let isDynamic = false;
  for (const { name, text, kind } of sections) {
    const refuse = (why: string): never => {
      throw new TypeError(`section "${name}" ${why}`);
    };
    if (name.trim() === "" || /[\r\n]/.test(name)) refuse("needs a name of one line");
    if (names.has(name)) refuse("is given twice: join its texts");
    names.add(name);
    if (kind !== "static" && kind !== "dynamic") refuse(`has the kind "${String(kind)}": use "static" or "dynamic"`);
    const other: SectionKind = kind === "static" ? "dynamic" : "static";
    if (SECTION_ORDER[other].includes(name)) refuse(`is ${other}: give it that kind`);
    // After the boundary the same line is harmless, and may come from a file: the first one counts.
    if (kind === "static" && text.split(/\r?\n/).some((line) => line.trim() === DYNAMIC_BOUNDARY))
      refuse("contains the boundary line itself: leave it out, it is added");
    if (kind === "static" && isDynamic) refuse("is static and stands after the boundary: move it before it");
    isDynamic = kind === "dynamic";
  }
  checkOrder(sections, "static");
  checkOrder(sections, "dynamic");
}

function checkOrder(sections: readonly Section[], kind: SectionKind): void {
  const order = SECTION_ORDER[kind];
  let before = "";
  for (const { name } of sections.filter((section) => order.includes(section.name))) {
    if (order.indexOf(before) > order.indexOf(name))
      throw new TypeError(`section "${name}" stands after "${before}": the order is ${order.join(", ")}`);
    before = name;
  }
}

export interface Section {
  readonly name: string;
  readonly text: string;
  /** `static`: the same in every request of every session. `dynamic`: may change between two requests. */
  readonly kind: SectionKind;
}

type SectionKind = "static" | "dynamic";

/** Everything before this line is the same in every request, so it is paid for once; everything after it may change. */
export const DYNAMIC_BOUNDARY = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";

/** Sections with a fixed order. Others may go anywhere among those of their own kind. */
export const SECTION_ORDER: Readonly<Record<SectionKind, readonly string[]>> = {
  static: ["Intro", "System rules", "Doing tasks", "Actions care"],
  dynamic: ["Environment", "Project context", "Instruction files", "Runtime config"],
};

/** How long a cached prefix lives after its last use. */
export type CacheTtl = "5m" | "1h";

/** As the Messages API takes it. Types, not interfaces, so that they are JSON too. */
type CacheControl = { readonly type: "ephemeral"; readonly ttl?: CacheTtl };

type SystemBlock = { readonly type: "text"; readonly text: string; readonly cache_control?: CacheControl };

/**
 * The prompt as `system` blocks: the static part with a breakpoint at its end, then the dynamic part. Caching works only up to the end of
 * a block, so a block ends at the boundary. The boundary line stays in for later readers of the request.
 */
export function renderSystem(prompt: AssembledPrompt, { ttl = "5m" }: { readonly ttl?: CacheTtl } = {}): SystemBlock[] {
  const control = renderControl(ttl);
  const hasStatic = prompt.sections.some(({ kind }) => kind === "static");
  const first: SystemBlock = {
    type: "text",
    text: prompt.staticText,
    // A boundary line alone is not worth one of the four breakpoints.
    ...(hasStatic && { cache_control: control }),
  };
  return prompt.dynamicText === "" ? [first] : [first, { type: "text", text: prompt.dynamicText }];
}

/** Five minutes is the API's default. */
export function renderControl(ttl: CacheTtl): CacheControl {
  if (ttl !== "5m" && ttl !== "1h") throw new TypeError(`ttl is "${String(ttl)}": use "5m" or "1h"`);
  return ttl === "1h" ? { type: "ephemeral", ttl } : { type: "ephemeral" };
}
