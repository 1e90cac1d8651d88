import type { Message } from "../../../core/message.ts";
import { renderFailure } from "../../../core/render-failure.ts";
import { findBaseMarks } from "../request/find-base-marks.ts";
import { insertBytes } from "../request/insert-bytes.ts";
import { advanceChain } from "../request/list-answers.ts";
import { locateField } from "../request/request-fields.ts";
import { within } from "../request/within.ts";
import type { GatewayStore, KnownLedger } from "../store/gateway-store.ts";
import type { ParsedRequest } from "../wire.ts";
import { fetchOriginal, toParts } from "./fetch-original.ts";
import type { RecallService } from "./recall-service.ts";
import { nameRecallTool, renderRecallTool } from "./recall-tool.ts";
import type { RecalledAnswer } from "./recalled-answer.ts";
import { listNeeds } from "./within-reach.ts";

export interface Served {
  readonly request: ParsedRequest;
  /** The body with its messages as they are to leave. */
  readonly pieces: readonly Buffer[];
  readonly store: GatewayStore;
  /** The hashes of what left this very request. */
  readonly left: readonly string[];
  /** System prompt and tools are to be cached for an hour, where the client leaves that open. */
  readonly isBaseLong: boolean;
  keep(recalled: RecalledAnswer): Promise<boolean>;
}

/** A model waits for what it asked for as long as for any tool. */
const READ_TIMEOUT_MS = 10_000;

export function createRecallService(served: Served): RecallService {
  const { request, pieces, store, left, isBaseLong, keep } = served;
  const tool = nameRecallTool(request);
  return {
    tool,
    wire: request.wire,
    async answer({ callId, input, at }) {
      const answer = await within(READ_TIMEOUT_MS, fetchOriginal(input, { store, left })).catch(
        (error: unknown) => ({ isError: true, words: `It cannot be read now: ${renderFailure(error)}` }) as const,
      );
      const parts = toParts(answer, request.wire);
      return { at, callId, tool, input, parts, isError: answer.isError, needs: listNeeds({ input, parts }, left) };
    },
    goOn: (messages) => addTool(pieces, { request, isBaseLong }, messages),
    keep: (rounds) => keep({ kind: "recalled", behind: chainAnswers(request.conversation.messages), rounds }),
  };
}

/**
 * The body with the tool behind the client's own, and with further messages. What is cached of a conversation begins with its tools, so
 * that the tool stays from then on.
 */
export function addTool(
  pieces: readonly Buffer[],
  { request, isBaseLong }: Pick<Served, "request" | "isBaseLong">,
  messages: readonly Uint8Array[] = [],
): readonly Buffer[] {
  const { wire, bytes, list, fields } = request;
  const { tools } = fields;
  if (!tools) return pieces;
  const added = messages.flatMap((message) => [COMMA, message]);
  return insertBytes(pieces, bytes.length, [
    {
      offset: locateField(tools, bytes).end - 1,
      isBehind: tools.isBehind,
      bytes: renderRecallTool(nameRecallTool(request), wire),
    },
    { offset: list.end - 1, isBehind: true, bytes: Buffer.concat(added) },
    ...(isBaseLong ? findBaseMarks(request) : []).map((mark) => ({ ...mark, bytes: LONG })),
  ]);
}

const COMMA = Buffer.from(",");
const LONG = Buffer.from(',"ttl":"1h"');

/** Kept like a decision; where somebody else has decided meanwhile, behind that. */
export async function keepRecalled(
  recalled: RecalledAnswer,
  { store, session, ledger }: { readonly store: GatewayStore; readonly session: string; readonly ledger: KnownLedger },
): Promise<KnownLedger | undefined> {
  let known = ledger;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const kept = await store.appendDecisions(session, [recalled], known);
    if (kept) return kept;
    known = await store.readLedger(session, known);
  }
  return undefined;
}

const MAX_ATTEMPTS = 5;

function chainAnswers(messages: readonly Message[]): string {
  return messages.reduce(advanceChain, "");
}
