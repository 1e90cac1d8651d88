import { redactSecrets } from "../fold/redact-secrets.ts";
import { MEMORY_INDEX_FILE, nameTopicFile } from "../library/prompt/memory/memory-index.ts";
import { mergeMemories } from "../library/prompt/memory/merge-memories.ts";
import { renderStamp } from "../survive/project-state/stamp.ts";
import type { ProjectStore } from "./save-project-state.ts";

const TOPIC = "decisions";
const MAX_BYTES = 1_000_000;

/** Decisions, into the project's long-term memory, secrets masked; the first one begins it. */
export async function rememberDecisions(
  store: ProjectStore,
  project: string,
  lessons: readonly string[],
  nowMs: number,
): Promise<void> {
  const state = `${project}/.plimsoll`;
  const folder = `${state}/memory`;
  if (lessons.length === 0 || (await store.kindOf(state)) !== "folder") return;
  // What is in its place is somebody else's.
  if (((await store.kindOf(folder)) ?? "folder") !== "folder") return;
  if (((await store.kindOf(`${folder}/${MEMORY_INDEX_FILE}`)) ?? "file") !== "file") return;
  await store.alone(state, async () => {
    const file = nameTopicFile(TOPIC);
    const [index, topic] = [
      await read(store, `${folder}/${MEMORY_INDEX_FILE}`),
      await read(store, `${folder}/${file}`),
    ];
    const merged = mergeMemories(
      { index, topics: { [file]: topic } },
      lessons.map((text) => ({ topic: TOPIC, text: redactSecrets(text) })),
      { date: renderStamp(nowMs).slice(0, 10) },
    );
    // The topic first, so that no line of the index leads nowhere.
    for (const [name, text] of Object.entries(merged.changed)) await store.write(`${folder}/${name}`, text);
    if (merged.index !== index) await store.write(`${folder}/${MEMORY_INDEX_FILE}`, merged.index);
  });
}

/** Rejects where something is there that cannot be read whole: it must not be written over. */
async function read(store: ProjectStore, file: string): Promise<string> {
  const found = await store.read(file, MAX_BYTES);
  if (found !== undefined && "problem" in found) throw new Error(`${file} ${found.problem}`);
  return found?.text ?? "";
}
