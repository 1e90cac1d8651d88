import type { Kind } from "./kind.ts";
import { codeKind } from "./kinds/code.ts";
import { diffKind } from "./kinds/diff.ts";
import { encodedKind } from "./kinds/encoded.ts";
import { jsonKind } from "./kinds/json.ts";
import { listingKind } from "./kinds/listing.ts";
import { logKind } from "./kinds/log.ts";
import { markupKind } from "./kinds/markup.ts";
import { plainKind } from "./kinds/plain.ts";
import { proseKind } from "./kinds/prose.ts";
import { searchHitsKind } from "./kinds/search-hits.ts";
import { stackTraceKind } from "./kinds/stack-trace.ts";
import { tableKind } from "./kinds/table.ts";
import { testOutputKind } from "./kinds/test-output.ts";

/** The one list of kinds. Between equally confident ones the first wins, so the more special come first. */
export const KINDS: readonly Kind[] = [
  encodedKind,
  diffKind,
  testOutputKind,
  stackTraceKind,
  searchHitsKind,
  listingKind,
  jsonKind,
  markupKind,
  tableKind,
  logKind,
  codeKind,
  proseKind,
];

/** The fallback. */
export const PLAIN: Kind = plainKind;
