/**
 * Stands before the module under test: every result on its way into the conversation gets its recorded words, whatever the
 * client's own tool made of it. The recorded clock is set to when it came, and to when a prompt was said: not before the
 * prompt is there, because the client still tells the end of the turn before it once its answer is out.
 */
export function register(on) {
  on("session.append", onRow).catch(failOpen);
}

async function onRow($, e, next) {
  if (e.agentId !== undefined) return next(e);
  if (e.door === "prompt") await setClock($, await readQuietly($, "../prompt-clock.txt"));
  if (e.door !== "tool-result") return next(e);
  const content = [];
  for (const block of e.message.content) content.push(block.type === "tool_result" ? await restore($, block) : block);
  return next({ ...e, message: { ...e.message, content } });
}

async function restore($, block) {
  const text = await readQuietly($, `results/${block.tool_use_id}.json`);
  // A row that a compaction tells again has its words already, or what the module has put in their place.
  if (text === "" || JSON.stringify(block.content).includes("[FOLDED: ")) return block;
  const { content, isError, atMs } = JSON.parse(text);
  await setClock($, atMs);
  // The engine takes no picture from a module: what the tool itself has shown stays.
  const isPicture = Array.isArray(content) && content.some((part) => part.type === "image");
  return isPicture ? block : { ...block, content, is_error: isError };
}

async function setClock($, atMs) {
  if (Number(atMs) > 0) await $.fs.write(`${$.plugin.root}/../clock.txt`, String(atMs));
}

function readQuietly($, path) {
  return $.fs.read(`${$.plugin.root}/${path}`).catch(() => "");
}

async function failOpen(_, e, next) {
  return next(e);
}
