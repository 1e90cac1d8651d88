export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The words directly in it, entities resolved. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface Draft {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Draft[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const TOKEN = /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;

/** A document of elements, attributes and text, or an error for whatever is not well formed. Enough for what we write ourselves. */
export function parseXml(source: string): XmlElement {
  const root: Draft = { name: "", attributes: {}, text: "", children: [] };
  const open: Draft[] = [root];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(source);
    const inside = open.at(-1);
    if (!found || !inside) throw new Error(`not well formed at ${JSON.stringify(source.slice(at, at + 60))}`);
    const [, closing, name = "", attributes = "", isEmpty, words] = found;
    if (words !== undefined) inside.text += resolve(words);
    else if (closing) {
      if (inside.name !== name) throw new Error(`</${name}> closes <${inside.name}>`);
      open.pop();
    } else {
      const element: Draft = { name, attributes: parseAttributes(attributes), text: "", children: [] };
      inside.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  const [only, ...others] = root.children;
  if (open.length > 1 || !only || others.length > 0 || root.text.trim() !== "")
    throw new Error("not one whole element");
  return only;
}

function parseAttributes(source: string): Record<string, string> {
  const found = [...source.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, resolve(value)]);
  return Object.fromEntries(found);
}

function resolve(words: string): string {
  return words.replace(/&(\w*;?)/g, (_, name: string) => {
    const sign = name.endsWith(";") ? ENTITIES[name.slice(0, -1)] : undefined;
    if (sign === undefined) throw new Error(`no entity &${name}`);
    return sign;
  });
}

export function listElements(element: XmlElement, name: string): readonly XmlElement[] {
  return [
    ...(element.name === name ? [element] : []),
    ...element.children.flatMap((child) => listElements(child, name)),
  ];
}
