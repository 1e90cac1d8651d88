import type { JsonObject } from "../../../core/json.ts";
import { textField } from "../../../core/json-fields.ts";
import { readHead } from "../../../files/read-head.ts";
import { findTextField } from "../../find-text-field.ts";
import type { Environment, Served } from "../../host.ts";
import { rollouts } from "./rollouts.ts";

/**
 * A server of a plugin is started in the plugin's folder and told neither project nor session; but every call says whose it is (seen
 * in 0.166), and the session's own record says where it works.
 */
export function findCaller(meta: JsonObject, environment: Environment): Served | undefined {
  if (!Object.keys(meta).some((name) => name.startsWith("x-codex-"))) return undefined;
  const sessionId = textField(meta, "threadId") || textField(meta, "sessionId");
  const rollout = sessionId === "" ? undefined : rollouts.findTranscript(environment, "", sessionId);
  return rollout === undefined ? undefined : { project: findTextField(readHead(rollout), "cwd"), sessionId };
}
