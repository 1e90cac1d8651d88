import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Recall, Recalled } from "./fetch-handles.ts";
import { findOwnHandle } from "./own-texts.ts";

/** Where a session's originals can lie: the project's artifacts, the fallback in the HOME, and every session's archive. */
export function listStoreFolders({ home, cwd }: { readonly home: string; readonly cwd: string }): readonly string[] {
  const kept = [".claude", ".local/share/plimsoll"].flatMap((folder) => {
    const data = join(home, folder, "data/plimsoll");
    return [join(data, "artifacts"), ...listNames(join(data, "sessions")).map((name) => join(data, "sessions", name))];
  });
  return [join(cwd, ".plimsoll/artifacts"), ...kept];
}

/**
 * Reads the stores by their layout alone and none of our readers: a second witness next to the program. A folder holds
 * `objects/ab/<sha256>`, `archive-*.jsonl`, or neither.
 */
export function createStoreRecall({ folders }: { readonly folders: readonly string[] }): Recall {
  const archived = new Map<string, string>();
  for (const { callId, text, file } of folders.flatMap(readArchives)) {
    // Pieces of one text stand in one compaction's files, in order; a later compaction's take the place of earlier ones.
    const name = `${callId}\n${/archive-(\d+)-/.exec(file)?.[1]}`;
    archived.set(name, (archived.get(name) ?? "") + text);
  }
  const byCall = new Map([...archived].map(([name, text]) => [name.split("\n")[0] ?? "", text]));
  // An audit asks for each line of a segment: an object is read and checked once, and taken apart once.
  const objects = new Map<string, string>();
  const readOnce = (start: string): string | undefined => {
    const text = objects.get(start) ?? readObject(folders, start);
    if (text !== undefined) objects.set(start, text);
    return text;
  };
  const pick = createPicker();
  return async (handle) => {
    const [, digits = "", section] = /^plimsoll:([0-9a-f]{12})(?:#(\w+))?$/.exec(handle) ?? [];
    if (digits !== "") {
      const read = (start: string): string | undefined => readOnce(start) ?? byCall.get(`plimsoll:${start}`);
      const text = read(digits);
      const named = text === undefined ? undefined : pick(text, section);
      const picked = named && followFolded(named, read);
      return picked && { ...picked, pictures: [...picked.pictures, ...findNoted(picked.texts.join("\n"), read)] };
    }
    const end = /^call:(\w+)$/.exec(handle)?.[1];
    const found = end === undefined ? [] : [...byCall].filter(([callId]) => callId.endsWith(end));
    return found.length === 1 && found[0] ? toRecalled(found[0][1]) : undefined;
  };
}

/** What was folded before it left is given whole. */
function followFolded(picked: Recalled, read: (digits: string) => string | undefined): Recalled {
  const [text = ""] = picked.texts;
  const own = text.startsWith("[FOLDED: ") ? findOwnHandle(text) : undefined;
  const whole = own === undefined ? undefined : read(own.slice("plimsoll:".length));
  return whole === undefined ? picked : toRecalled(whole);
}

/** The pictures that a text names, by their handles. */
function findNoted(text: string, read: (digits: string) => string | undefined): Recalled["pictures"] {
  const notes = text.matchAll(/\[(?:picture|document) plimsoll:([0-9a-f]{12}), [^\]]*: recall shows it\]/g);
  const digits = new Set([...notes].map(([, named = ""]) => named));
  return [...digits].flatMap((named) => toRecalled(read(named) ?? "").pictures);
}

const SECTIONS = "plimsoll sections 1\n";

function createPicker(): (text: string, section: string | undefined) => Recalled | undefined {
  const parsed = new Map<string, Readonly<Record<string, string>>>();
  return (text, section) => {
    if (section === undefined) return toRecalled(text);
    if (!text.startsWith(SECTIONS)) return undefined;
    const sections = parsed.get(text) ?? JSON.parse(text.slice(SECTIONS.length));
    parsed.set(text, sections);
    const found = sections[section] ?? sections[`${section}i`];
    return found === undefined ? undefined : toRecalled(found);
  };
}

function toRecalled(text: string): Recalled {
  const [, mediaType = "", data = ""] = /^data:([\w/+.-]+);base64,([\s\S]*)$/.exec(text) ?? [];
  return data === "" ? { texts: [text], pictures: [] } : { texts: [], pictures: [{ mediaType, data }] };
}

function readObject(folders: readonly string[], digits: string): string | undefined {
  for (const folder of folders) {
    const store = join(folder, "objects", digits.slice(0, 2));
    for (const name of listNames(store).filter((hash) => hash.startsWith(digits))) {
      const bytes = readFileSync(join(store, name));
      if (createHash("sha256").update(bytes).digest("hex") === name) return bytes.toString("utf8");
    }
  }
  return undefined;
}

interface ArchivedLine {
  readonly callId: string;
  readonly text: string;
  readonly file: string;
}

function readArchives(folder: string): readonly ArchivedLine[] {
  const files = listNames(folder).filter((name) => /^archive-\d+-\d+\.jsonl$/.test(name));
  const order = (name: string): readonly number[] => (name.match(/\d+/g) ?? []).map(Number);
  files.sort((a, b) => (order(a)[0] ?? 0) - (order(b)[0] ?? 0) || (order(a)[1] ?? 0) - (order(b)[1] ?? 0));
  return files.flatMap((file) => {
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => ({ ...JSON.parse(line), file }));
  });
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
