import type { JsonObject } from "../../core/json.ts";
import { textField } from "../../core/json-fields.ts";
import { decideIgnored } from "../../guard/decide-ignored.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";
import { readRegular } from "./read-regular.ts";

/** Why a call is refused, or nothing: ignored folders stay out of the window. */
export async function guardCall($: Engine, live: Live, e: JsonObject): Promise<string | undefined> {
  if (!live.settings.guardsIgnored) return undefined;
  live.ignoreRules ??= await readRules($, live.root);
  const tool = textField(e, "tool");
  const verdict = decideIgnored({ tool, input: e }, live.ignoreRules, { root: live.root, directory: live.root });
  if (!verdict.isBlocked) return undefined;
  live.journal.note("tool.call", { kind: "blocked", tool, why: verdict.reason });
  return verdict.reason;
}

/** Both files count, ours last, so that a line of ours can allow what the other one keeps out. */
async function readRules($: Engine, root: string): Promise<{ readonly text: string; readonly isDefault: boolean }> {
  const texts = await Promise.all(
    [".ckignore", ".plimsollignore"].map((name) => readRegular($, `${root}/${name}`).catch(() => "")),
  );
  const text = texts.filter((one) => one !== "").join("\n");
  return { text, isDefault: text === "" };
}
