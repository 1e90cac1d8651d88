/**
 * Stands behind the module under test and in place of every tool: nothing that was recorded is ever run. What the tool is
 * said to have returned is the client's own record of it; the words that the model reads are put in by the other plugin.
 */
export function register(on) {
  on("tool.call", onCall).catch(deny);
}

async function onCall($, e) {
  const text = await $.fs.read(`${$.plugin.root}/results/${e.tool_use_id}.json`).catch(() => undefined);
  const { result } = text === undefined ? {} : JSON.parse(text);
  return result === undefined ? { deny: "as recorded" } : { result };
}

/** Nor does anything run when this plugin fails. */
async function deny() {
  return { deny: "as recorded" };
}
