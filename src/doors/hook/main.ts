import { toOneLine } from "../../core/clip-text.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import { print, runEvent, STDERR, STDOUT, writeJournal } from "./frame.ts";
import { readInput } from "./read-input.ts";

/** `node hook.cjs EVENT` with the event's JSON on standard input. Ends with 0 whatever happens. */
async function main(): Promise<void> {
  const event = process.argv[2] ?? "";
  if (process.env.PLIMSOLL_OFF === "1") return;
  const { text, folder, client, deeds, isSilent } = await runEvent(event, readQuietly(), process.env);
  print(STDOUT, text);
  for (const deed of deeds) if (deed.kind === "failed") print(STDERR, `plimsoll: ${toOneLine(deed.why)}\n`);
  // The status line is drawn after every message: its runs would drown the others.
  if (isSilent || (event === "statusline" && deeds.length === 0)) return;
  const ran: DeedDetail = { kind: "ran", ms: Math.round(process.uptime() * 1000) };
  writeJournal(folder, { event, client, atMs: Date.now(), deeds: [...deeds, ran] });
}

function readQuietly(): string {
  try {
    return readInput();
  } catch {
    // No standard input is no event, which the frame says.
    return "";
  }
}

// Everything that can fail is caught where it fails; what nobody thought of must not fail the event either. And leaving at
// once saves taking down what the system takes down anyway.
main().then(leave, leave);

function leave(): void {
  process.exit(0);
}
