import { join } from "node:path";
import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { type GroupMember, planLast } from "../../../fold/fold-group.ts";
import type { BirthFold } from "../../../layers/options/policy-folds.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import { type GroupedOutput, groupArrived, type OutputGroups } from "../../../policy/group-outputs.ts";
import type { HookContext } from "../hook.ts";

/** The fold of an output with earlier ones that share an artifact; `undefined` if it is alone. Of two simultaneous results one may be missed: the group is then full one result later. */
export function planInGroup(
  { folder }: HookContext,
  output: GroupedOutput,
  rule: BirthFold,
): ReturnType<typeof planLast> | undefined {
  if (folder === undefined) return undefined;
  const file = join(folder, SESSION_FILES.groups);
  const before = parseGroups(readObject(file) ?? {});
  const { groups, due } = groupArrived(before, output, rule);
  if (groups !== before) writeAtomically(file, JSON.stringify({ groups }));
  return due && planLast(due, output);
}

function parseGroups(value: JsonObject): OutputGroups {
  return listField(value, "groups")
    .filter(isObject)
    .map((group) => ({
      name: textField(group, "name"),
      members: listField(group, "members").filter(isObject).map(parseMember),
    }));
}

function parseMember(member: JsonObject): GroupMember {
  const [id = "", tool = "", command = "", text = ""] = ["id", "tool", "command", "text"].map((name) =>
    textField(member, name),
  );
  return { id, tool, command, text };
}
