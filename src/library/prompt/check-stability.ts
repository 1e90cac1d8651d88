import { hashText } from "../../core/hash.ts";
import { type Tokenizer, tokenizerOf } from "../../models/tokens.ts";
import { findBreak, type PrefixBreak } from "./find-break.ts";
import { type PrefixPiece, type PrefixPieces, type PromptRequest, toPrefixPieces } from "./prefix-pieces.ts";
import { estimatePieceTokens } from "./request-pieces.ts";

/** One step of a prefix: two requests share everything up to the last step whose `prefixHash` is the same in both. */
export interface PrefixHash {
  readonly name: string;
  readonly isStatic: boolean;
  readonly hash: string;
  /** Of everything up to here. */
  readonly prefixHash: string;
  readonly tokens: number;
}

export interface RequestHashes {
  readonly staticPrefixHash: string;
  readonly staticTokens: number;
  readonly pieces: readonly PrefixHash[];
}

export interface StabilityReport {
  readonly requests: readonly RequestHashes[];
  /** Whether every request began with the same static part. */
  readonly isStaticStable: boolean;
  readonly breaks: readonly PrefixBreak[];
  readonly tokensRewritten: number;
}

/** Each request against the one before it: what broke the prefix, and what that cost. The model only decides how tokens are counted. */
export function checkStability(
  requests: readonly PromptRequest[],
  { model = "" }: { readonly model?: string } = {},
): StabilityReport {
  const tokenizer = tokenizerOf(model);
  const sequences = requests.map(toPrefixPieces);
  const hashed = sequences.map((sequence) => hashRequest(sequence, tokenizer));
  const breaks = sequences.flatMap((newer, index) => {
    const older = sequences[index - 1];
    const found = older && findBreak(older, newer, { request: index + 1, tokenizer });
    return found ? [found] : [];
  });
  return {
    requests: hashed,
    isStaticStable: new Set(hashed.map(({ staticPrefixHash }) => staticPrefixHash)).size <= 1,
    breaks,
    tokensRewritten: breaks.reduce((sum, { tokensRewritten }) => sum + tokensRewritten, 0),
  };
}

function hashRequest({ pieces }: PrefixPieces, tokenizer: Tokenizer): RequestHashes {
  let prefixHash = hashText("");
  const hashes = pieces.map((piece) => {
    const hash = hashPiece(piece);
    prefixHash = hashText(prefixHash + hash);
    const { name, isStatic } = piece;
    return { name, isStatic, hash, prefixHash, tokens: estimatePieceTokens(piece, tokenizer) };
  });
  const fixed = hashes.filter(({ isStatic }) => isStatic);
  return {
    staticPrefixHash: fixed.at(-1)?.prefixHash ?? hashText(""),
    staticTokens: fixed.reduce((sum, { tokens }) => sum + tokens, 0),
    pieces: hashes,
  };
}

function hashPiece({ role, text }: PrefixPiece): string {
  return hashText(JSON.stringify([role, text]));
}
