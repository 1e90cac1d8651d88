import type { JsonObject } from "../../core/json.ts";
import { findOwnHandle } from "../../fold/marker.ts";
import { type CallNote, createHandles, findCall } from "../record/trail.ts";
import { answerRecall, type RecallAnswer, refuse } from "./answer-recall.ts";
import { SMALLEST_PAGE } from "./page-size.ts";
import { type Part, type Picked, pickParts } from "./pick-parts.ts";
import { findPictureNotes, parsePicture } from "./picture.ts";
import { nameQuestion, parseRecall, type Wanted } from "./recall-request.ts";

/**
 * What is kept under the first digits of a hash: its text, why that cannot be read, or, where several originals have the same digits,
 * the handle of each with as many digits as tell them apart.
 */
export type Stored = string | { readonly why: string } | { readonly several: readonly string[] };

/** Where an entry point has its originals. Everything that is not in here cannot be fetched, and is never named. */
export interface RecallPort {
  /** `undefined` where nothing is kept under these digits. */
  stored(digits: string): Found<Stored>;
  /** The result of a call by its handle, text first, then its pictures; nothing where the call is unknown. */
  called(handle: string): Found<readonly string[]>;
  /** Every handle that would be answered; asked for only where one is not. */
  known(): readonly string[] | Promise<readonly string[]>;
  /** The most characters of an answer. One question gets pages of one size. */
  pageCharacters(question: string): number;
}

type Found<Value> = Value | undefined | Promise<Value | undefined>;

/** From so many digits on a handle was copied, not shortened: all that it may mean is given. */
const WHOLE_HANDLE_DIGITS = 12;

/** The one `recall`: a page of what the handles stand for, or, in words, what is wrong with them. Rejects where the port does. */
export async function recall(input: JsonObject, port: RecallPort): Promise<RecallAnswer> {
  const request = parseRecall(input);
  if ("problem" in request) return refuse(request.problem);
  const picked = await Promise.all(request.wanted.map((wanted) => findWanted(wanted, port)));
  const known = picked.every((each) => "parts" in each) ? [] : await port.known();
  return answerRecall(request, picked, { known, pageCharacters: port.pageCharacters(nameQuestion(request)) });
}

/** What one handle stands for, or why it stands for nothing. */
export async function findWanted(wanted: Wanted, port: Pick<RecallPort, "stored" | "called">): Promise<Picked> {
  const { name, digits } = wanted;
  const stored = digits === undefined ? undefined : await port.stored(digits);
  if (typeof stored === "string") return unfold(pickParts(wanted, stored), port);
  if (stored && "why" in stored) return { missing: { name, why: stored.why } };
  if (stored) return pickSeveral(wanted, stored.several, port);
  const texts = (await port.called(name)) ?? [];
  if (texts.length === 0) return { missing: { name, why: "" } };
  const whole = (await readFolded(texts[0] ?? "", port)) ?? texts;
  return { parts: whole.map((text) => ({ name, handle: name, text })) };
}

/** A line of a ledger whose result was a picture is answered with the picture, not with where it is. */
async function addPictures(given: readonly Part[], { stored }: Pick<RecallPort, "stored">): Promise<Picked> {
  const parts = await Promise.all(
    given.map(async (part): Promise<readonly Part[]> => {
      const handles = part.isCall || part.behind ? [] : findPictureNotes(part.text);
      const texts = await Promise.all(handles.map((handle) => stored(handle.slice("plimsoll:".length))));
      const pictures = texts.map((text, index) => ({ name: handles[index] ?? "", handle: handles[index] ?? "", text }));
      return [part, ...pictures.filter((picture): picture is Part => isPictureText(picture.text))];
    }),
  );
  return { parts: parts.flat() };
}

function isPictureText(text: unknown): boolean {
  return typeof text === "string" && parsePicture(text) !== undefined;
}

/** Originals whose hashes begin alike are given side by side, each under a handle that is its own. */
async function pickSeveral(
  wanted: Wanted,
  several: readonly string[],
  { stored }: Pick<RecallPort, "stored">,
): Promise<Picked> {
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

/** What was folded before it left is given as the tool gave it: an answer never needs a second call. */
async function unfold(picked: Picked, port: Pick<RecallPort, "stored">): Promise<Picked> {
  if (!("parts" in picked)) return picked;
  const whole = async (part: Part): Promise<Part> => {
    const [text = part.text] = (await readFolded(part.text, port)) ?? [];
    if (part.behind === undefined) return { ...part, text };
    return { ...part, text, behind: await Promise.all(part.behind.map(whole)) };
  };
  return addPictures(await Promise.all(picked.parts.map(whole)), port);
}

/** A result that was folded is asked for as the tool gave it, not as its preview. */
async function readFolded(
  text: string,
  { stored }: Pick<RecallPort, "stored">,
): Promise<readonly string[] | undefined> {
  const digits = findOwnHandle(text)?.slice("plimsoll:".length);
  const original = digits === undefined ? undefined : await stored(digits);
  return typeof original === "string" ? [original] : undefined;
}

/** Calls by their handles, for entry points that follow a session: `read` gives the result of a call by its whole id. */
export function createCalled(
  listCalls: () => readonly CallNote[],
  read: (callId: string) => Found<readonly string[]>,
): Pick<RecallPort, "called"> & { handles(): readonly string[] } {
  return {
    async called(handle) {
      const calls = listCalls();
      const listed = listStretch(calls, handle);
      if (listed !== undefined) return [listed];
      const callId = findCall(calls, handle)?.callId;
      return callId === undefined ? undefined : read(callId);
    },
    handles() {
      const calls = listCalls();
      const name = createHandles(calls);
      return calls.map(({ callId }) => name(callId));
    },
  };
}

/** The handles that a request may name, with as many digits as tell them apart; out of whole hashes or of what older versions kept. */
export function nameApart(hashes: Iterable<string>): readonly string[] {
  const groups = new Map<string, Set<string>>();
  for (const named of hashes) {
    const hash = named.replace(/^plimsoll:/, "");
    const beginning = hash.slice(0, WHOLE_HANDLE_DIGITS);
    groups.set(beginning, (groups.get(beginning) ?? new Set()).add(hash));
  }
  return [...groups.values()].flatMap((group) => {
    let digits = WHOLE_HANDLE_DIGITS;
    const isTold = (): boolean => new Set([...group].map((hash) => hash.slice(0, digits))).size === group.size;
    while (!isTold()) digits++;
    return [...group].map((hash) => `plimsoll:${hash.slice(0, digits)}`);
  });
}

/** `call:a..call:b`, as the record writes where it had no room: the calls in between, a line each. */
function listStretch(calls: readonly CallNote[], handle: string): string | undefined {
  const [first, last] = handle.split("..").map((end) => findCall(calls, end));
  if (!first || !last) return undefined;
  const name = createHandles(calls);
  const ends = [calls.indexOf(first), calls.indexOf(last)];
  const between = calls.slice(Math.min(...ends), Math.max(...ends) + 1);
  return between
    .map((call) => `r${call.request} ${call.tool} ${call.subject} ${call.characters} ${name(call.callId)}`)
    .join("\n");
}

/** Originals that are known by their hashes, and where their texts are. */
export interface HashedOriginals {
  /** The whole hash of everything within reach: what is not in here is never given or named. */
  hashes(): readonly string[] | Promise<readonly string[]>;
  read(hash: string): Stored | undefined | Promise<Stored | undefined>;
}

/** For entry points that follow no session: there are originals, and no calls. */
export function createHashPort({ hashes, read }: HashedOriginals): RecallPort {
  return {
    async stored(digits) {
      const named = findByDigits(await hashes(), digits);
      const [hash] = named;
      if (named.length > 1) return { several: nameApart(named) };
      return hash === undefined ? undefined : read(hash);
    },
    called: () => undefined,
    known: async () => nameApart(await hashes()),
    // Pages of one size, so that the second goes on where the first ended, whichever process gives it.
    pageCharacters: () => SMALLEST_PAGE,
  };
}

/** A model may give fewer digits than a handle has, or all of the hash. */
export function findByDigits(hashes: readonly string[], digits: string): readonly string[] {
  return hashes.filter((hash) => {
    const own = hash.replace(/^plimsoll:/, "");
    return own.startsWith(digits) || digits.startsWith(own);
  });
}
