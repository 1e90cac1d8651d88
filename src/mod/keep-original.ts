import { sha256 } from "../core/sha256.ts";
import { encodeUtf8 } from "../core/utf8.ts";
import { nameArtifactFile, renderArtifactFile } from "../fold/artifact-file.ts";
import { redactSecrets } from "../fold/redact-secrets.ts";
import type { Engine } from "./engine.ts";
import { readRegular } from "./read-regular.ts";

export interface Original {
  readonly output: string;
  readonly tool: string;
  readonly command: string;
}

export interface Shelf {
  keep(original: Original): Promise<{ readonly sha256: string; readonly path: string } | undefined>;
  /** By its whole hash, or the digits that a handle shows. */
  read(digits: string): Promise<string | undefined>;
}

const QUOTED = ".plimsoll/artifacts";

/**
 * The project's artifacts, in the layout of `store/artifacts.ts`, through the engine's own file system. That one cannot set
 * a file's mode, so the folder itself is closed to others before anything is put in it.
 */
export function createShelf(
  $: Engine,
  place: { readonly root: string; readonly sessionId: string; readonly nowMs: () => number },
): Shelf {
  const folder = `${place.root}/${QUOTED}`;
  let opened: Promise<boolean> | undefined;
  const names = new Set<string>();

  const open = async (): Promise<boolean> => {
    for (const path of [`${place.root}/.plimsoll`, folder]) {
      const stat = await $.fs.stat(path).catch(() => undefined);
      // A repository may come with a link in this place, and what we store must not end up where it leads.
      if (stat?.isLink) return false;
    }
    const ignore = `${folder}/.gitignore`;
    await $.fs.stat(ignore).catch(() => $.fs.write(ignore, "*\n"));
    await $.process.run(["chmod", "700", folder]).catch(() => undefined);
    return true;
  };

  const nameFree = async (generated: string, tool: string): Promise<string> => {
    for (let copy = 1; ; copy++) {
      const name = nameArtifactFile(generated, tool, copy);
      if (names.has(name)) continue;
      // Taken before it is looked for: another result may be kept at the same moment.
      names.add(name);
      if (!(await $.fs.exists(`${folder}/${name}`))) return name;
    }
  };

  return {
    async keep({ output, tool, command }) {
      opened ??= open().catch(() => false);
      if (!(await opened)) return undefined;
      const hash = await hashText(output);
      const generated = new Date(place.nowMs()).toISOString();
      const file = await nameFree(generated, tool);
      const record = {
        file,
        sha256: hash,
        bytes: encodeUtf8(output).length,
        tool,
        command: redactSecrets(command).slice(0, 1000),
        sessionId: place.sessionId,
        generated,
      };
      await Promise.all([
        $.fs.write(`${folder}/objects/${hash.slice(0, 2)}/${hash}`, output),
        $.fs.write(`${folder}/${file}`, renderArtifactFile({ tool, generated, command, output })),
        $.fs.write(`${folder}/records/${file}.json`, `${JSON.stringify(record)}\n`),
      ]);
      return { sha256: hash, path: `${QUOTED}/${file}` };
    },
    async read(digits) {
      if (!/^[0-9a-f]{6,64}$/.test(digits)) return undefined;
      const shelf = `${folder}/objects/${digits.slice(0, 2)}`;
      const entries = await $.fs.list(shelf).catch(() => []);
      const found = entries.filter(({ name }) => name.startsWith(digits));
      const [only] = found;
      if (found.length !== 1 || only === undefined) return undefined;
      const text = await readRegular($, `${shelf}/${only.name}`);
      return (await hashText(text)) === only.name ? text : undefined;
    },
  };
}

/** The engine's own hash takes a fifth of the time of ours. */
async function hashText(text: string): Promise<string> {
  if (globalThis.crypto?.subtle === undefined) return sha256(text);
  const digest = await globalThis.crypto.subtle.digest("SHA-256", encodeUtf8(text).slice());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
