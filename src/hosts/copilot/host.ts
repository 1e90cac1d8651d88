import { type JsonObject, listField } from "../../core/json.ts";
import type { LineRange } from "../../session/action.ts";
import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { openLines } from "../open-lines.ts";
import { findNumber, interpretBy, interpretResultBy } from "../tool-table.ts";
import { beginsSession, copilotSessions } from "./disk/sessions.ts";
import { createEventReader } from "./event-reader.ts";

const PATH = ["path"];
const EDIT = { kind: "edit", path: PATH } as const;
const RUN = { kind: "run", command: ["command"] } as const;
const SEARCH = { kind: "search", pattern: ["pattern"], path: ["path", "paths"] } as const;

export const copilot: Host = {
  ...recordsOnly,
  name: "copilot",
  title: "Copilot CLI",
  program: "copilot",
  renderResume: (sessionId) => `copilot --resume ${sessionId}`,
  commands: { compact: "/compact", anew: "/clear" },

  vocabulary: {
    interpretCall: interpretBy({
      view: { kind: "read", path: PATH, range: parseViewRange },
      create: { kind: "write", path: PATH, text: ["file_text"] },
      edit: EDIT,
      str_replace_editor: EDIT,
      apply_patch: { kind: "patch", text: ["input"] },
      bash: RUN,
      powershell: RUN,
      rg: SEARCH,
      grep: SEARCH,
      glob: SEARCH,
      web_fetch: { kind: "fetch", url: ["url"] },
      task: { kind: "delegate", description: ["description"], prompt: ["prompt"] },
      ask_user: { kind: "ask" },
    }),
    interpretResult: interpretResultBy({
      findExitCode: (text) => findNumber(text.slice(-200), /<exited with exit code (-?\d{1,10})>\s{0,9}$/),
      isRefused: (text, { isError }) =>
        isError && /permission (?:was )?denied|rejected by (?:the )?user/i.test(text.slice(0, 400)),
    }),
  },

  ...copilotSessions,

  isOnlyRead: true,
  recordsUsage: false,
  isOwn: (path, readHead) => path.endsWith(".jsonl") && beginsSession(readHead()),
  openTranscript: (path, options) => openLines(path, createEventReader, options),
  selectConversation: (entries) => entries.filter(({ uuid, isSidechain }) => uuid !== "" && !isSidechain),
};

/** `[first, last]`; a range that ends before it begins goes to the end of the file. */
function parseViewRange(input: JsonObject): LineRange | undefined {
  const [first, last] = listField(input, "view_range");
  if (typeof first !== "number" || typeof last !== "number") return undefined;
  return { first, last: last < first ? Number.MAX_SAFE_INTEGER : last };
}
