import { RECALL_DESCRIPTION, RECALL_PARAMETERS } from "../../../survive/recall/recall-request.ts";
import { isRecord } from "../../../wire/is-json.ts";
import { parseSpan } from "../request/json-spans.ts";
import { locateField, type RequestFields } from "../request/request-fields.ts";
import type { ParsedRequest, Wire } from "../wire.ts";

const NAME = "plimsoll_recall";

/** Read once: the fields are the same object for as long as what they say is the same. */
const names = new WeakMap<RequestFields, string>();

/** A name that no tool of the client has; the same for as long as the client offers the same tools. */
export function nameRecallTool({ bytes, fields }: ParsedRequest): string {
  const known = names.get(fields);
  if (known !== undefined) return known;
  const { tools } = fields;
  const offered = tools && parseSpan(bytes, locateField(tools, bytes));
  const taken = new Set(Array.isArray(offered) ? offered.map((tool) => (isRecord(tool) ? tool.name : undefined)) : []);
  let name = NAME;
  for (let count = 2; taken.has(name); count++) name = `${NAME}_${count}`;
  names.set(fields, name);
  return name;
}

/** As it stands behind the client's last tool, always the same bytes. */
export function renderRecallTool(name: string, { bytes }: Wire): Buffer {
  const text = { description: RECALL_DESCRIPTION, parameters: RECALL_PARAMETERS };
  return Buffer.from(`,${JSON.stringify(bytes.renderTool(name, text))}`);
}
