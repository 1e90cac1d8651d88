import { clipLine } from "../../../core/clip-text.ts";
import { sumContextTokens } from "../../../core/usage.ts";
import { hostOf, nameClient, nameSession, readSession } from "../../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../../hosts/host.ts";
import { sumMissedUsd } from "../../../measure/cache-miss.ts";
import { billRequests, isLowerBound } from "../../../models/economics/bill.ts";
import { findFoldable } from "../../../policy/foldable.ts";
import { assessSession, attributeSession } from "../../../recorded/assess-session.ts";
import { createCalendar } from "../../../recorded/calendar.ts";
import type { ScannedFile } from "../../../recorded/join-scans.ts";
import { findLastRequestMs } from "../../../recorded/list-own-sessions.ts";
import { adviseSample, adviseSession, lookAroundSession, openOutlooks } from "../../person/advise-session.ts";
import { chooseAdvice, chooseForSample, keepShown, readIgnored } from "../../person/choose-advice.ts";
import { noteAtLeast } from "../../person/labels.ts";
import { reportLimits, reportPeriods } from "../../person/report-limits.ts";
import { reportLookBack } from "../../person/report-look-back.ts";
import { type CollectedLookBack, collectLookBack } from "../collect-usage.ts";
import { CliError, type Command, defineCommand, type Terminal } from "../command.ts";
import { wrapText } from "../help.ts";
import { joinLines, paint, renderLowerUsd, renderSafely, renderTokens } from "../print/style.ts";
import { noteSample, type RecentFile, readRecent } from "../read-recent.ts";
import { renderLoadLine, renderParts } from "../render-parts.ts";
import { shortenAmong } from "../require-session.ts";

/** A part below this share of a window gets no line on the first screen. */
const SMALL_PART = 0.005;
const OTHERS_SHOWN = 4;

export const nowCommand: Command = defineCommand({
  name: "now",
  summary: "Shows what to do now, what your last 30 days cost, and the contents and cost of your newest session",
  options: {},
  examples: {
    "plimsoll now": `shows your newest session in full, and the ${OTHERS_SHOWN} sessions before it in one line each`,
  },
  async run(invocation, terminal) {
    const looked = await lookAround(terminal);
    const { isSample, others, all } = looked;
    if (invocation.flags.has("json")) {
      const foldable = findFoldable(looked.newest.read().recording);
      const collapse = looked.advised.collapse();
      return { json: { isSample, ...lookClosely(looked, terminal), foldable, collapse, ...all }, text: () => "" };
    }
    // Print the most important part before computing the rest.
    terminal.print(renderTop(looked, terminal));
    const view = lookClosely(looked, terminal);
    terminal.print(`\n${renderSession(view, terminal)}`);
    if (others.length > 0) terminal.print(`\n${paint(terminal, "bold", "Earlier sessions")}`);
    for (const [index, other] of others.slice(0, OTHERS_SHOWN).entries())
      terminal.print(renderOther(other, index + 2, terminal));
    const more = isSample
      ? "plimsoll --help"
      : `plimsoll inspect --session ${view.session}, plimsoll stats, plimsoll --help`;
    terminal.print(`\n${paint(terminal, "dim", `More: ${more}`)}`);
    return undefined;
  },
});

export async function renderFirstScreen(terminal: Terminal): Promise<string> {
  return renderTop(await lookAround(terminal), terminal);
}

type LookedAround = Awaited<ReturnType<typeof lookAround>>;

async function lookAround(terminal: Terminal) {
  const { newest, scanned, ...recent } = await readRecent(terminal);
  const nothing = "no recorded session, and the sample session is missing: reinstall the package";
  if (!newest) throw CliError.foundNothing(nothing);
  const all = collectLookBack(scanned, terminal);
  const outlooks = openOutlooks(terminal);
  const around = lookAroundSession(all, terminal);
  const advise = ({ file, read }: RecentFile) =>
    adviseSession(hostOf(file.path, terminal.hosts), outlooks.look(file, read), around, {
      ...terminal,
      transcript: file.path,
    });
  const advised = recent.isSample
    ? adviseSample(newest.read(), { ...terminal, transcript: newest.file.path })
    : advise(newest);
  const running = findRunning(recent.others, terminal).map((file) => ({
    file: file.path,
    advice: advise({ file, read: () => readSession(file.path, terminal.hosts) }).advice,
  }));
  outlooks.save();
  const chosen = recent.isSample
    ? chooseForSample(advised.advice, newest.file.path)
    : chooseAdvice(
        [{ file: newest.file.path, advice: advised.advice }, ...running],
        { ...all, unused: around.unused },
        {
          nowMs: terminal.nowMs(),
          calendar: createCalendar(terminal.environment),
          isIgnored: readIgnored(terminal),
          nameTyped: (file) => nameShort(file, scanned, terminal),
        },
      );
  if (terminal.isTerminal) keepShown(terminal, chosen);
  return { ...recent, newest, scanned, all, advised, chosen };
}

/** A session without additions for this long is over or paused. */
const RUNNING_MS = 10 * 60_000;
const MOST_RUNNING = 3;
/** A longer one takes more time to read than its advice is worth. */
const MOST_READ_BYTES = 40e6;

/** The other sessions that run now. */
function findRunning(others: readonly ScannedFile[], terminal: Terminal): readonly TranscriptFile[] {
  const nowMs = terminal.nowMs();
  // Clocks differ a little between machines; a file of another year is not running.
  const isRecent = (ms: number): boolean => Math.abs(nowMs - ms) < RUNNING_MS;
  const running = others.filter(
    ({ file, steps }) =>
      isRecent(findLastRequestMs({ steps }, file)) && isRecent(file.modifiedMs) && file.bytes < MOST_READ_BYTES,
  );
  return running.slice(0, MOST_RUNNING).map(({ file }) => file);
}

function renderTop({ isSample, newest, others, scanned, all, chosen }: LookedAround, terminal: Terminal): string {
  const { client, title } = nameFile(newest, scanned, terminal);
  const other = others.find(({ file }) => file.path === chosen.file);
  const limits = reportLimits(all, terminal.nowMs(), createCalendar(terminal.environment));
  const back = renderLookBack(all, terminal);
  const { sentence, command, place } = chosen;
  const run = command === undefined ? "" : ` ${place === "client" ? "In the agent, run" : "Run"}: ${command}`;
  const [name, of] = other
    ? [other.title || other.sessionId, { which: "another running session", client: other.file.client }]
    : [title, { which: isSample ? "the sample session" : "your newest session", client }];
  const which = `${of.which}${of.client === undefined ? "" : `, in ${of.client}`}`;
  const clipped = renderSafely(clipLine(name, Math.max(12, terminal.columns - 40)));
  return joinLines(
    isSample && [...wrapText(noteSample(terminal, "plimsoll"), terminal.columns, ""), ""],
    wrapText(`${sentence}${run}`, terminal.columns, "").map((line) => paint(terminal, "bold", line)),
    chosen.file !== undefined && paint(terminal, "dim", `${which}: ${clipped}`),
    all.periods.length > 0 && ["", ...wrapText(reportPeriods(all), terminal.columns, "  ")],
    limits.length > 0 && ["", paint(terminal, "bold", "Limits")],
    limits.flatMap(({ name, text }) => wrapText(`  ${name}: ${text}`, terminal.columns, "  ")),
    back.length > 0 && ["", ...back],
  );
}

/** As few characters of its id as find it. */
function nameShort(file: string, scanned: readonly ScannedFile[], { hosts }: Terminal): string {
  const ids = scanned.map((one) => nameSession(one.file.path, hosts));
  return shortenAmong(nameSession(file, hosts), ids);
}

function nameFile({ file, read }: RecentFile, scanned: readonly ScannedFile[], { hosts }: Terminal) {
  const known = scanned.find((one) => one.file.path === file.path);
  // The sample is in no account.
  const { title, sessionId } = known ?? { ...read().transcript, ...read().accounts };
  return { client: nameClient(hostOf(file.path, hosts), hosts), title: title || sessionId };
}

/** Everything `now` shows about a session except the advice. */
function lookClosely({ newest, scanned, chosen }: LookedAround, terminal: Terminal) {
  const session = newest.read();
  const file = newest.file.path;
  const { client, title } = nameFile(newest, scanned, terminal);
  const { steps, misses } = session.accounts;
  const bill = billRequests(steps);
  return {
    transcript: file,
    host: session.host.name,
    client,
    isOnlyRead: session.host.isOnlyRead === true,
    session: nameShort(file, scanned, terminal),
    title,
    directory: session.transcript.cwd,
    advice: chosen,
    health: assessSession(session, terminal),
    attribution: attributeSession(session).at(-1),
    damagedLines: session.tally.malformed,
    costUsd: session.host.recordsUsage === false ? undefined : bill.spend.totalUsd,
    isAtLeast: isLowerBound(bill),
    unpricedRequests: bill.unpriced,
    unfinalOutputRequests: bill.unfinal,
    cacheMisses: misses.length,
    missedUsd: sumMissedUsd(misses).usd,
    unpricedMisses: misses.filter(({ extraUsd }) => extraUsd === undefined).length,
  };
}

function renderSession(view: ReturnType<typeof lookClosely>, terminal: Terminal): string {
  const { client, directory, health, attribution } = view;
  const heading = (text: string): string => `\n${paint(terminal, "bold", text)}`;
  const missed =
    view.cacheMisses > 0
      ? `, of which ${renderLowerUsd(view.missedUsd, view.unpricedMisses > 0)} for ${view.cacheMisses} prompt-cache ${view.cacheMisses === 1 ? "miss" : "misses"}`
      : "";
  const where = [client, directory && `in ${renderSafely(directory)}`].filter(Boolean).join(" ");
  const fitted = { damagedLines: view.damagedLines, leastShare: SMALL_PART, columns: terminal.columns };
  const notes = noteAtLeast(view.unfinalOutputRequests, view.unpricedRequests);
  return joinLines(
    paint(terminal, "bold", renderSafely(clipLine(view.title, terminal.columns))),
    paint(terminal, "dim", `${where}: ${renderSafely(view.transcript)}`),
    renderLoadLine(health, terminal),
    paint(terminal, "dim", `source: ${health.source} (${health.confidence}): ${health.note}`),
    attribution && [heading("What fills the window"), renderParts(attribution, fitted)],
    heading("What the session has cost so far"),
    view.costUsd === undefined
      ? `  not recorded by ${client}`
      : `  ${renderLowerUsd(view.costUsd, view.isAtLeast)}${missed}`,
    notes.map((note) => paint(terminal, "dim", `  ${note}`)),
    view.isOnlyRead && ["", `Plimsoll reads what ${client} records, but does not run inside ${client}.`],
  );
}

function renderOther({ file, title, sessionId, steps }: ScannedFile, number: number, terminal: Terminal): string {
  const last = steps.findLast(({ isSidechain }) => !isSidechain);
  const size = last === undefined ? "unknown size" : renderTokens(sumContextTokens(last.usage));
  const bill = billRequests(steps);
  const client = nameClient(hostOf(file.path, terminal.hosts), terminal.hosts);
  const label = `${renderSafely(clipLine(title || sessionId, 46))}${client === undefined ? "" : ` (${client})`}`;
  return `  ${number}  ${size.padEnd(14)}  ${renderLowerUsd(bill.spend.totalUsd, isLowerBound(bill)).padEnd(9)}  ${label}`;
}

function renderLookBack(collected: CollectedLookBack, terminal: Terminal): readonly string[] {
  const lookBack = reportLookBack(collected, collected.replay);
  if (!lookBack) return [];
  const see = (command: string): string => paint(terminal, "dim", `      ${command}`);
  return [
    paint(terminal, "bold", lookBack.total.text),
    see(lookBack.total.command),
    ...lookBack.parts.flatMap(({ text, command }) => [...wrapText(`  ${text}`, terminal.columns, "  "), see(command)]),
    ...lookBack.notes
      .flatMap((line) => wrapText(`  ${line}`, terminal.columns, "  "))
      .map((line) => paint(terminal, "dim", line)),
  ];
}
