import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import type { Row } from "../../../hosts/claude-code/row-reader.ts";
import type { Live } from "../live.ts";
import { type Beside, describeRich, listPictures, type Rich } from "./beside-rows.ts";
import type { EngineMessage } from "./compaction-event.ts";

/** Finds pictures and the like of rows that we did not see come in, as in a session that is older than the plugin, in the conversation as it is sent. */
export async function recoverBeside(live: Live, told: readonly EngineMessage[], sent: unknown): Promise<Beside> {
  const { beside } = live.conversation;
  const seen = new Set(beside.rows);
  const unseen = told.filter(({ raw }) => !seen.has(textField(raw, "handle")));
  if (unseen.length === 0) return beside;
  const rows = findRows(unseen, Array.isArray(sent) ? sent.filter(isObject) : []);
  const rich = await Promise.all(rows.map((row) => keepPictures(live, row)));
  return { ...beside, rich: [...beside.rich, ...rich.flat()] };
}

/** Stores a row's pictures and returns its content; a picture that could not be stored has no handle. */
export async function keepPictures({ shelf }: Pick<Live, "shelf">, row: Row): Promise<readonly Rich[]> {
  const handles = new Map<string, string>();
  for (const url of listPictures(row)) {
    const kept = await shelf.keep({ output: url, tool: "picture", command: "" });
    if (kept !== undefined) handles.set(url, `plimsoll:${kept.sha256.slice(0, 12)}`);
  }
  return describeRich(row, handles);
}

function findRows(unseen: readonly EngineMessage[], sent: readonly JsonObject[]): readonly Row[] {
  const user = sent
    .filter(({ role }) => role === "user")
    .map((message) => listField(message, "content").filter(isObject));
  const blocks = user.flat();
  return unseen.flatMap(({ raw, role, text, results }): readonly Row[] => {
    if (role !== "user") return [];
    const answered = blocks.filter((block) => results.includes(textField(block, "tool_use_id")));
    const said = results.length > 0 ? [] : findPrompt(user, text);
    const content = [...answered, ...said];
    const uuid = textField(raw, "handle");
    return content.length === 0 ? [] : [{ door: "", uuid, origin: {}, message: { type: "user", content } }];
  });
}

/** The parts of the prompt with this text, and the pictures next to them. */
function findPrompt(user: readonly (readonly JsonObject[])[], text: string): readonly JsonObject[] {
  for (const blocks of user) {
    const pictures = blocks.filter(({ type }) => type === "image");
    const words = blocks.filter((block) => block.type === "text" && text.includes(textField(block, "text").trim()));
    if (pictures.length > 0 && (text === "" || words.length > 0)) return [...words, ...pictures];
  }
  return [];
}
