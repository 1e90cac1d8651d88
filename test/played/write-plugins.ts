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

/** Writes what stands around the module under test, and the engine with the recorded clock in place of the machine's. */
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
  await setClock(join(timed, "engine/engine-main.cjs"), clock);
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

/** The engine's clock cannot be changed from outside, so a copy of the built engine gets a `Date` that reads a file. Nothing else in it is touched. */
async function setClock(engine: string, clock: string): Promise<void> {
  await writeFile(engine, renderClock(clock) + (await readFile(engine, "utf8")));
}

function renderClock(clock: string): string {
  return `const MachineDate = globalThis.Date;
globalThis.Date = class Date extends MachineDate {
  constructor(...given) { super(...(given.length === 0 ? [globalThis.Date.now()] : given)); }
  static now() {
    let recordedMs = 0;
    try { recordedMs = Number(require("node:fs").readFileSync(${JSON.stringify(clock)}, "utf8")); } catch {}
    return recordedMs > 0 ? recordedMs : MachineDate.now();
  }
};
`;
}
