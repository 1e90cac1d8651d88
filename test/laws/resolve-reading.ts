import { choosePart } from "./combined-parts.ts";
import type { Fetched, Recalled } from "./fetch-handles.ts";
import { findOwnHandle, stripNotes, stripReminders } from "./own-texts.ts";
import type { Reading } from "./read-message.ts";
import { inputKey, keysOfText, parseJson, pictureKey, type Thing, textKey } from "./things.ts";

/** A message with what its handles give. */
export interface Resolved {
  readonly things: readonly Thing[];
  /** Keys of all that it holds word for word, and of all that its handles give back. */
  readonly inView: readonly string[];
  readonly behind: readonly string[];
}

export function createResolver(fetched: Fetched): (reading: Reading) => Resolved {
  const known = new Map<Reading, Resolved>();
  const keysOf = createKeyFinder(fetched);
  return (reading) => {
    const found = known.get(reading) ?? resolve(reading, fetched, keysOf);
    known.set(reading, found);
    return found;
  };
}

function resolve(reading: Reading, fetched: Fetched, keysOf: (handle: string) => readonly string[]): Resolved {
  const things: Thing[] = [];
  const inView = reading.quoted.map(({ text }) => textKey(text));
  for (const thing of reading.things) {
    const recalled = thing.marker === undefined ? undefined : fetched.get(thing.marker);
    const meant = recalled === undefined ? thing : followMarker(thing, recalled);
    if (meant === thing) inView.push(thing.key);
    if (meant.text !== "") things.push(meant);
  }
  // Each of ours stands for something; one that is only quoted adds nothing to them.
  const ours = reading.handles.filter(({ isOurs }) => isOurs).map(({ handle }) => handle);
  const quoted = new Set(reading.handles.map(({ handle }) => handle));
  for (const handle of ours) quoted.delete(handle);
  return { things, inView, behind: [...ours, ...quoted].flatMap(keysOf) };
}

/** What a marker stands for is what is followed. */
function followMarker(thing: Thing, { texts, pictures }: Recalled): Thing {
  const [whole] = texts;
  const text = whole === undefined ? undefined : choosePart(thing.text, whole);
  const [picture] = pictures;
  if (thing.what === "input" && text !== undefined) return { ...thing, text, key: inputKey(parseJson(text)) };
  if (thing.what === "picture" && picture) return { ...thing, text: picture.data, key: pictureKey(picture.data) };
  return text === undefined ? thing : { ...thing, text, key: textKey(text) };
}

/** The keys of what a handle gives, each handle once. */
function createKeyFinder(fetched: Fetched): (handle: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const find = (handle: string): readonly string[] => {
    const keys = known.get(handle);
    if (keys) return keys;
    known.set(handle, []);
    const { texts = [], pictures = [] } = fetched.get(handle) ?? {};
    const found = new Set<string>();
    for (const text of texts) {
      for (const key of [...keysOfText(text), textKey(stripReminders(text)), textKey(stripNotes(text))]) found.add(key);
      const own = findOwnHandle(text);
      if (own !== undefined) for (const key of find(own)) found.add(key);
    }
    for (const { data } of pictures) found.add(pictureKey(data));
    known.set(handle, [...found]);
    return known.get(handle) ?? [];
  };
  return find;
}
