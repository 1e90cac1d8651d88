import { renderUsd } from "../../../models/economics/render-usd.ts";
import { type CompactionNotice, renderAnnouncement } from "../../../survive/record/render-announcement.ts";
import type { ClientPort } from "../client-port.ts";
import { type Live, styleOf } from "../live.ts";
import { countRecalls } from "../recall-tool.ts";
import { createWatch } from "../watch.ts";
import { parseRows } from "./compaction-event.ts";
import { compactionSettled, type PendingCompaction, windowBegan } from "./life.ts";
import { withoutMark } from "./rewound.ts";
import type { RowExtras } from "./row-extras.ts";

/** After so many lines a person knows where the settings are. */
const HINTED_LINES = 3;

/** Reports a compaction once the next request was measured. Without a measure, as at the end of a session, the estimate is recorded, and nothing is shown. */
export async function settleCompaction($: ClientPort, live: Live, measuredTokens: number | undefined): Promise<void> {
  const { pending } = live.life;
  if (pending === undefined) return;
  live.life = compactionSettled(live.life);
  if (!(await hasLanded($, pending))) {
    takeBack(live, pending);
    return;
  }
  const { landmark: _, before: __, expectedTokens, steeredBy: ___, ...done } = pending;
  const tokensAfter = measuredTokens ?? expectedTokens;
  if (pending.by === "plimsoll") live.totals.compactions++;
  live.totals.savedTokens = 0;
  live.journal.note("session.compact", {
    kind: "compacted",
    ...done,
    tokensAfter,
    ...(measuredTokens === undefined ? { isEstimated: true } : {}),
  });
  await countRecalls(live, { compactions: 1, recalls: 0 });
  if (measuredTokens !== undefined) $.ui.log(renderLine(live, pending, tokensAfter));
}

async function hasLanded($: ClientPort, { landmark }: PendingCompaction): Promise<boolean> {
  const rows = await $.session.messages().catch(() => undefined);
  // No answer from the client does not mean that it failed.
  if (!Array.isArray(rows)) return true;
  return parseRows(rows).some(({ text }) => withoutMark(text).includes(landmark));
}

/** The client goes on with the old conversation, and so do we. */
function takeBack(live: Live, { before }: PendingCompaction): void {
  live.watch = createWatch({ ...live.watch.save(), load: before.load }, styleOf(live.root, live.settings), live.health);
  const extras = joinExtras(before.beside, live.conversation.beside);
  live.conversation = { ...live.conversation, keptAnswers: before.keptAnswers, beside: extras };
  live.life = windowBegan(live.life);
  live.journal.note("session.compact", {
    kind: "ignored",
    what: "compaction",
    why: "the client ignored the compaction and continued with the whole conversation",
  });
}

function joinExtras(before: RowExtras, since: RowExtras): RowExtras {
  const rows = new Set(before.rows);
  const isNew = (row: string): boolean => !rows.has(row);
  return {
    ...since,
    retold: before.retold ?? [],
    rows: [...before.rows, ...since.rows.filter(isNew)],
    answers: [...before.answers, ...since.answers.filter(isNew)],
    asides: [...before.asides, ...since.asides.filter(({ after }) => isNew(after))],
    rich: [...before.rich, ...since.rich.filter(({ row }) => isNew(row))],
  };
}

function renderLine(live: Live, settled: PendingCompaction, tokensAfter: number): string {
  if (settled.by === "client") return settled.why;
  const line = `${announce(live, { ...settled, tokensAfter })}${renderNotePrice(settled)}`;
  if (live.journal.last("compacted", HINTED_LINES + 1).length > HINTED_LINES) return line;
  const by = settled.trigger === "manual" ? undefined : settled.steeredBy;
  const early = by === "line" ? '"line": false' : '"early": "off"';
  const off = `/plimsoll off stops such compactions; to stop them for good, set ${early}`;
  const hint = by === undefined ? 'to let the client compact, set "compaction": "native"' : off;
  return `${line} · /plimsoll why shows details · ${hint} in ${nameSettings(live)}`;
}

function renderNotePrice({ note }: PendingCompaction): string {
  if (note === undefined) return "";
  return ` · with a note in the model's own words${note.usd === undefined ? "" : `, which cost ${renderUsd(note.usd)}`}`;
}

/** A compaction in one line, with what it saves. */
export function announce(
  { watch, cacheLife }: Live,
  done: Pick<CompactionNotice, "trigger" | "tokensBefore" | "tokensAfter" | "why">,
): string {
  const { model, compactionPointTokens } = watch.health();
  const share1h = cacheLife.isHour ? 1 : 0;
  const baseTokens = watch.baseTokens() - watch.repeatedTokens();
  return renderAnnouncement({ ...done, model, compactionPointTokens, baseTokens, share1h });
}

export function nameSettings({ settingsFile }: Live): string {
  return settingsFile.endsWith("/.claude/plimsoll.json") ? "~/.claude/plimsoll.json" : settingsFile;
}
