import { DYNAMIC_BOUNDARY, SECTION_ORDER, type Section, type SectionKind } from "./section.ts";

/** Throws a `TypeError` that names the first section that is not where it belongs. */
export function checkSections(sections: readonly Section[]): void {
  const names = new Set<string>();
  let isDynamic = false;
  for (const section of sections) {
    checkName(section, names);
    checkKind(section);
    if (section.kind === "static" && isDynamic)
      throw new TypeError(`section "${section.name}" is static and stands after the boundary: move it before it`);
    isDynamic = section.kind === "dynamic";
  }
  checkOrder(sections, "static");
  checkOrder(sections, "dynamic");
}

function checkName({ name }: Section, names: Set<string>): void {
  if (name.trim() === "" || /[\r\n]/.test(name)) throw new TypeError(`section "${name}" needs a name of one line`);
  if (names.has(name)) throw new TypeError(`section "${name}" is given twice: join its texts`);
  names.add(name);
}

function checkKind({ name, text, kind }: Section): void {
  if (kind !== "static" && kind !== "dynamic")
    throw new TypeError(`section "${name}" has the kind "${String(kind)}": use "static" or "dynamic"`);
  const other: SectionKind = kind === "static" ? "dynamic" : "static";
  if (SECTION_ORDER[other].includes(name)) throw new TypeError(`section "${name}" is ${other}: give it that kind`);
  // After the boundary the same line is harmless, and may come from a file: the first one counts.
  if (kind === "static" && text.split(/\r?\n/).some((line) => line.trim() === DYNAMIC_BOUNDARY))
    throw new TypeError(`section "${name}" contains the boundary line itself: leave it out, it is added`);
}

function checkOrder(sections: readonly Section[], kind: SectionKind): void {
  const order = SECTION_ORDER[kind];
  const known = sections.filter(({ name }) => order.includes(name));
  known.forEach(({ name }, index) => {
    const before = known[index - 1];
    if (before !== undefined && order.indexOf(before.name) > order.indexOf(name))
      throw new TypeError(`section "${name}" stands after "${before.name}": the order is ${order.join(", ")}`);
  });
}
