import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionScript } from "./script-session.ts";

/** The plugins of a play, in the order in which the client is to load them. */
export interface PlayedPlugins {
  readonly folders: readonly string[];
  /** Where the recorded time is written, and where that of the next prompt waits until it is there. */
  readonly clock: string;
  readonly promptClock: string;
}

/** Writes what stands around the module under test, and the module itself with the recorded clock in place of the machine's. */
export async function writePlugins(
  script: SessionScript,
  place: {
    readonly root: string;
    /** Where the sources of the two plugins lie. */
    readonly sources: string;
    /** The module's plugin; left out, the client plays alone. */
    readonly module?: string | undefined;
  },
): Promise<PlayedPlugins> {
  const { root, sources, module } = place;
  const [clock, promptClock] = [join(root, "clock.txt"), join(root, "prompt-clock.txt")];
  await writeFile(clock, String(script.steps[0]?.promptAtMs ?? 0));
  const [rows, calls, timed] = [join(root, "rows"), join(root, "calls"), join(root, "module")];
  await writePlugin(rows, "rows", sources);
  await writePlugin(calls, "calls", sources);
  for (const { callId, content, isError, atMs, detail } of script.results.values()) {
    await writeFile(join(rows, "results", `${callId}.json`), JSON.stringify({ content, isError, atMs }));
    if (detail !== undefined && !isError)
      await writeFile(join(calls, "results", `${callId}.json`), JSON.stringify({ result: detail }));
  }
  if (module === undefined) return { folders: [rows, calls], clock, promptClock };
  await cp(module, timed, { recursive: true });
  await setClock(join(timed, "hooks/plimsoll.js"), clock);
  return { folders: [rows, timed, calls], clock, promptClock };
}

async function writePlugin(folder: string, name: string, sources: string): Promise<void> {
  await mkdir(join(folder, ".claude-plugin"), { recursive: true });
  await mkdir(join(folder, "hooks"));
  await mkdir(join(folder, "results"));
  const manifest = { name: `recorded-${name}`, version: "1.0.0", description: "Plays a recorded session" };
  await writeFile(join(folder, ".claude-plugin/plugin.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "hooks/hooks.json"), JSON.stringify({ modules: [`./${name}.js`] }));
  await cp(join(sources, name, `${name}.js`), join(folder, "hooks", `${name}.js`));
}

/**
 * A module has a realm of its own whose clock cannot be changed from outside, so a copy of the built module gets a `Date` of
 * its own, set from a file before each event. Nothing else in it is touched.
 */
async function setClock(bundle: string, clock: string): Promise<void> {
  const source = await readFile(bundle, "utf8");
  const timed = ["session.*", "tool.*"].reduce((text, events) => {
    const name = text.split(`("${events}",`)[1]?.match(/^\w+/)?.[0];
    const head = new RegExp(`async function ${name}\\((\\w+),\\w+,\\w+\\)\\{`);
    if (name === undefined || !head.test(text)) throw new Error(`the built module has no hook of ${events}`);
    return text.replace(head, (found, engine) => `${found}await readRecordedClock(${engine});`);
  }, source);
  await writeFile(bundle, renderClock(clock) + timed);
}

function renderClock(clock: string): string {
  return `const MachineDate = globalThis.Date;
let recordedMs;
class Date extends MachineDate {
  constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); }
  static now() { return recordedMs ?? MachineDate.now(); }
}
async function readRecordedClock($) {
  const atMs = Number(await $.fs.read(${JSON.stringify(clock)}).catch(() => ""));
  if (atMs > 0) recordedMs = atMs;
}
`;
}
