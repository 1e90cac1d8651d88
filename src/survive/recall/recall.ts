import type { JsonObject } from "../../core/json.ts";
import { findOwnHandle } from "../../fold/marker.ts";
import { type CallNote, createHandles, findCall } from "../record/trail.ts";
import { answerRecall, type RecallAnswer } from "./answer-recall.ts";
import { type Part, type Picked, pickParts } from "./pick-parts.ts";
import { findPictureNotes, parsePicture } from "./picture.ts";
import { parseRecall, type Wanted } from "./recall-request.ts";

/** The text stored under the first digits of a hash, why it cannot be read, or, if several originals match, a unique handle for each. */
export type Stored = string | { readonly why: string } | { readonly several: readonly string[] };

/**
 * Where an entry point has its originals, and which of them are this conversation's: what it stored, and what it quotes
 * (`docs/decisions/0053-a-conversation-recalls-its-own.md`). Anything else is neither returned nor named.
 */
export interface RecallPort {
  /** `undefined` if nothing is stored under these digits. */
  stored(digits: string): Found<Stored>;
  /** The result of a call by its handle, text first, then its pictures; nothing if the call is unknown. */
  called(handle: string): Found<readonly string[]>;
  /** The handles or full hashes of what this conversation stored, and the handles of its calls. */
  own(): readonly string[] | Promise<readonly string[]>;
  /** The handles that it was shown, whoever stored what is behind them; asked only if something wanted is not its own. */
  quoted(): readonly string[] | Promise<readonly string[]>;
  /** Set where the client takes less than `LONGEST_PAGE_CHARACTERS`. */
  readonly pageCharacters?: number;
}

type Found<Value> = Value | undefined | Promise<Value | undefined>;
type OriginalsPort = Pick<RecallPort, "stored">;

/** In a large window one more request costs more than carrying a longer text, but Claude Code puts an answer of more than 50,000 characters into a file (seen in 2.1.325). */
const LONGEST_PAGE_CHARACTERS = 48_000;

/** A handle with so many digits was copied, not shortened, so everything it may mean is returned. */
const WHOLE_HANDLE_DIGITS = 12;

/** Answers a `recall` call: a page of what the handles stand for, or a sentence on what is wrong with them. Rejects if the port does. */
export async function recall(input: JsonObject, port: RecallPort): Promise<RecallAnswer> {
  const request = parseRecall(input);
  if ("problem" in request) return { isError: true, words: request.problem };
  const reach = await listReach(request.wanted, port);
  const within = { ...port, stored: (digits: string) => readWithin(digits, reach.originals, port) };
  const picked = await Promise.all(request.wanted.map((wanted) => findWanted(wanted, within, port)));
  const known = [...nameApart(reach.originals), ...reach.calls];
  return answerRecall(request, picked, { known, pageCharacters: port.pageCharacters ?? LONGEST_PAGE_CHARACTERS });
}

async function listReach(wanted: readonly Wanted[], port: RecallPort) {
  const own = await port.own();
  const isCall = (name: string): boolean => name.startsWith("call:");
  const originals = own.filter((name) => !isCall(name));
  const isOwn = ({ digits }: Wanted): boolean => digits !== undefined && findByDigits(originals, digits).length > 0;
  const all = wanted.every(isOwn) ? own : [...own, ...(await port.quoted())];
  return { originals: dropBeginnings(all.filter((name) => !isCall(name))), calls: all.filter(isCall) };
}

/** What is stored is known by its whole hash, what is quoted by its first digits: both mean the same. */
function dropBeginnings(names: readonly string[]): readonly string[] {
  const sorted = [...new Set(names)].sort();
  return sorted.filter((name, at) => sorted[at + 1]?.startsWith(name) !== true);
}

/** The only place where a handle becomes a text: what is out of reach is as if it were not stored. */
async function readWithin(
  digits: string,
  reach: readonly string[],
  { stored }: OriginalsPort,
): Promise<Stored | undefined> {
  const named = nameApart(findByDigits(reach, digits));
  const [only] = named;
  if (only === undefined) return undefined;
  if (named.length > 1) return { several: named };
  const exact = only.slice(HANDLE.length);
  const found = await stored(exact.length > digits.length ? exact : digits);
  if (typeof found !== "object" || !("several" in found)) return found;
  return { several: found.several.filter((handle) => findByDigits(reach, handle.slice(HANDLE.length)).length > 0) };
}

const HANDLE = "plimsoll:";

/** `within` answers what is asked for; `port` also reads what an answer itself names, such as the original of a preview. */
export async function findWanted(
  wanted: Wanted,
  within: Pick<RecallPort, "stored" | "called">,
  port: Pick<RecallPort, "stored"> = within,
): Promise<Picked> {
  const { name, digits } = wanted;
  const stored = digits === undefined ? undefined : await within.stored(digits);
  if (typeof stored === "string") return unfold(pickParts(wanted, stored), port);
  if (stored && "why" in stored) return { missing: { name, why: stored.why } };
  if (stored) return pickSeveral(wanted, stored.several, port);
  const texts = (await within.called(name)) ?? [];
  if (texts.length === 0) return { missing: { name, why: "" } };
  const folded = await readFolded(texts[0] ?? "", port);
  return { parts: (folded === undefined ? texts : [folded]).map((text) => ({ name, handle: name, text })) };
}

/** If a ledger line's result was a picture, the answer holds the picture itself, not the note about it. */
async function addPictures(given: readonly Part[], { stored }: OriginalsPort): Promise<Picked> {
  const parts = await Promise.all(
    given.map(async (part): Promise<readonly Part[]> => {
      const handles = part.isCall || part.behind ? [] : findPictureNotes(part.text);
      const texts = await Promise.all(handles.map((handle) => stored(handle.slice("plimsoll:".length))));
      const pictures = texts.flatMap((text, index): readonly Part[] => {
        const handle = handles[index] ?? "";
        return typeof text === "string" && parsePicture(text) ? [{ name: handle, handle, text }] : [];
      });
      return [part, ...pictures];
    }),
  );
  return { parts: parts.flat() };
}

async function pickSeveral(wanted: Wanted, several: readonly string[], { stored }: OriginalsPort): Promise<Picked> {
  const { name, digits = "" } = wanted;
  if (digits.length < WHOLE_HANDLE_DIGITS) return { missing: { name, why: "" } };
  const after = name.includes("#") ? name.slice(name.indexOf("#")) : "";
  const picked = await Promise.all(
    several.map(async (handle): Promise<Picked> => {
      const text = await stored(handle.replace(/^plimsoll:/, ""));
      if (typeof text !== "string") return { missing: { name: handle, why: "the stored text cannot be read." } };
      return unfold(pickParts({ ...wanted, name: `${handle}${after}` }, text), { stored });
    }),
  );
  const parts = picked.flatMap((each) => ("parts" in each ? each.parts : []));
  return parts.length > 0 ? { parts } : (picked[0] ?? { missing: { name, why: "" } });
}

/** Returns a folded result as the tool gave it, so that an answer never needs a second call. */
async function unfold(picked: Picked, port: OriginalsPort): Promise<Picked> {
  if (!("parts" in picked)) return picked;
  const whole = async (part: Part): Promise<Part> => {
    const text = (await readFolded(part.text, port)) ?? part.text;
    if (part.behind === undefined) return { ...part, text };
    const behind = await Promise.all(part.behind.map(whole));
    return { ...part, text: relist(text, part.behind, behind), behind };
  };
  return addPictures(await Promise.all(picked.parts.map(whole)), port);
}

/** A list of contents gives the sizes of what a recall returns, not those of the previews. */
function relist(text: string, before: readonly Part[], after: readonly Part[]): string {
  return before.reduce((list, { handle, text: preview }, at) => {
    const whole = after[at]?.text ?? preview;
    const number = /#(\d+)r?$/.exec(handle)?.[1];
    if (whole === preview || number === undefined) return list;
    return list.replace(
      new RegExp(`^(#${number}: .*?)${preview.length} characters`, "m"),
      `$1${whole.length} characters`,
    );
  }, text);
}

async function readFolded(text: string, { stored }: OriginalsPort): Promise<string | undefined> {
  const digits = findOwnHandle(text)?.slice("plimsoll:".length);
  const original = digits === undefined ? undefined : await stored(digits);
  return typeof original === "string" ? original : undefined;
}

/** Finds calls by their handles, for entry points that follow a session. `read` returns the result of a call by its full id. */
export function createCalled(
  listCalls: () => readonly CallNote[],
  read: (callId: string) => Found<readonly string[]>,
): Pick<RecallPort, "called"> & { handles(): readonly string[] } {
  return {
    async called(handle) {
      const callId = findCall(listCalls(), handle)?.callId;
      return callId === undefined ? undefined : read(callId);
    },
    handles() {
      const calls = listCalls();
      const name = createHandles(calls);
      return calls.map(({ callId }) => name(callId));
    },
  };
}

/** Handles that a request may use, with enough digits to tell them apart, from full hashes or from what older versions stored. */
export function nameApart(hashes: Iterable<string>): readonly string[] {
  const groups = new Map<string, Set<string>>();
  for (const named of hashes) {
    const hash = named.replace(/^plimsoll:/, "");
    const beginning = hash.slice(0, WHOLE_HANDLE_DIGITS);
    groups.set(beginning, (groups.get(beginning) ?? new Set()).add(hash));
  }
  return [...groups.values()].flatMap((group) => {
    let digits = WHOLE_HANDLE_DIGITS;
    const isUnambiguous = (): boolean => new Set([...group].map((hash) => hash.slice(0, digits))).size === group.size;
    while (!isUnambiguous()) digits++;
    return [...group].map((hash) => `plimsoll:${hash.slice(0, digits)}`);
  });
}

export interface HashedOriginals {
  /** The full hash of everything within reach. Anything else is never returned or named. */
  hashes(): readonly string[] | Promise<readonly string[]>;
  read(hash: string): Found<Stored>;
}

/** For entry points that follow no session: they have originals, but no calls. */
export function createHashPort({ hashes, read }: HashedOriginals): RecallPort {
  return {
    async stored(digits) {
      const named = findByDigits(await hashes(), digits);
      const [hash] = named;
      if (named.length > 1) return { several: nameApart(named) };
      return hash === undefined ? undefined : read(hash);
    },
    called: () => undefined,
    own: hashes,
    quoted: () => [],
  };
}

/** A model may give fewer digits than a handle has, or the whole hash. */
export function findByDigits(hashes: readonly string[], digits: string): readonly string[] {
  return hashes.filter((hash) => {
    const own = hash.replace(/^plimsoll:/, "");
    return own.startsWith(digits) || digits.startsWith(own);
  });
}
