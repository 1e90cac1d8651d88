import { join } from "node:path";
import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { type GroupMember, planLast } from "../../../fold/fold-group.ts";
import type { BirthFold } from "../../../layers/options/birth-fold.ts";
import { SESSION_FILES } from "../../../policy/deeds/data-paths.ts";
import { type GroupedOutput, groupArrived, type OutputGroups } from "../../../policy/group-outputs.ts";
import type { HookContext } from "../hook.ts";

/** The fold of an output together with earlier ones that share an artifact; `undefined` if it is alone. */
export function planInGroup(
  context: HookContext,
  output: GroupedOutput,
  rule: BirthFold,
): ReturnType<typeof planLast> | undefined {
  const earlier = joinGroup(context, output, rule);
  return earlier && planLast(earlier, output);
}

/** The outputs that share an artifact with this one. Of two simultaneous results one may be missed: the group is then full one result later. */
function joinGroup(
  { folder }: HookContext,
  output: GroupedOutput,
  rule: BirthFold,
): readonly GroupMember[] | undefined {
  if (folder === undefined) return undefined;
  const file = join(folder, SESSION_FILES.groups);
  const before = parseGroups(readObject(file) ?? {});
  const { groups, due } = groupArrived(before, output, rule);
  if (groups !== before) writeAtomically(file, JSON.stringify({ groups }));
  return due;
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
