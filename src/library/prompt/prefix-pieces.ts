import type { JsonObject } from "../../core/json.ts";
import type { AssembledPrompt } from "./assemble-prompt.ts";
import { hasBoundaryAtEnd } from "./breakpoint-candidates.ts";
import { listPieces } from "./request-pieces.ts";
import { DYNAMIC_BOUNDARY } from "./section.ts";

/** What one request began with: a prompt as it was assembled, or the whole request as it was sent. */
export type PromptRequest = AssembledPrompt | JsonObject;

/** A step of a prefix, with a name that people know it by. */
export interface PrefixPiece {
  readonly name: string;
  /** What is compared: also the speaker, because the same words from another one are another prefix. */
  readonly role: string;
  readonly text: string;
  readonly images: number;
  readonly isStatic: boolean;
  /** Whether a cached prefix may end here. */
  readonly isBreakpoint: boolean;
}

export interface PrefixPieces {
  readonly pieces: readonly PrefixPiece[];
  /** A prompt is followed by a conversation, so its end must stay where it is; a request's end may grow. */
  readonly mayGrow: boolean;
}

export function toPrefixPieces(request: PromptRequest): PrefixPieces {
  return isPrompt(request)
    ? { pieces: listPromptPieces(request), mayGrow: false }
    : { pieces: listRequestPieces(request), mayGrow: true };
}

function isPrompt(request: PromptRequest): request is AssembledPrompt {
  return typeof request.staticHash === "string" && typeof request.staticText === "string";
}

function listPromptPieces({ sections }: AssembledPrompt): readonly PrefixPiece[] {
  const pieces = sections.map(({ name, text, kind }): PrefixPiece => {
    return { name, role: "", text, images: 0, isStatic: kind === "static", isBreakpoint: false };
  });
  const boundary = { role: "", text: DYNAMIC_BOUNDARY, images: 0, isStatic: true, isBreakpoint: true };
  return [
    ...pieces.filter(({ isStatic }) => isStatic),
    { ...boundary, name: "boundary" },
    ...pieces.filter(({ isStatic }) => !isStatic),
  ];
}

/** Without a boundary line the whole of tools and system has to be taken for static: nothing says otherwise. */
function listRequestPieces(request: JsonObject): readonly PrefixPiece[] {
  const pieces = listPieces(request);
  const boundary = pieces.findIndex(({ place, text }) => place === "system" && hasBoundaryAtEnd(text));
  return pieces.map(({ name, role, text, images, place, breakpoints }, at) => ({
    name,
    role: `${place} ${role}`,
    text,
    images,
    isStatic: place !== "messages" && (boundary < 0 || at <= boundary),
    isBreakpoint: breakpoints.length > 0,
  }));
}
