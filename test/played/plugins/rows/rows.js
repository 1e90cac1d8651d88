/**
 * Stands before the module under test: every result on its way into the conversation gets its recorded words, whatever the
 * client's own tool made of it, and the recorded clock is set to when it came.
 */
export function register(on) {
  on("session.append", onRow).catch(failOpen);
}

async function onRow($, e, next) {
  if (e.door !== "tool-result" || e.agentId !== undefined) return next(e);
  const content = [];
  for (const block of e.message.content) content.push(block.type === "tool_result" ? await restore($, block) : block);
  return next({ ...e, message: { ...e.message, content } });
}

async function restore($, block) {
  const text = await $.fs.read(`${$.plugin.root}/results/${block.tool_use_id}.json`).catch(() => undefined);
  if (text === undefined) return block;
  const { content, isError, atMs } = JSON.parse(text);
  if (atMs > 0) await $.fs.write(`${$.plugin.root}/../clock.txt`, String(atMs));
  // The engine takes no picture from a module: what the tool itself has shown stays.
  const isPicture = Array.isArray(content) && content.some((part) => part.type === "image");
  return isPicture ? block : { ...block, content, is_error: isError };
}

async function failOpen(_, e, next) {
  return next(e);
}
