import {
  checkPacket,
  draftPacket,
  PACKET_MAX_TOKENS,
  type Packet,
  renderPacketAnswer,
} from "../../../../survive/packet/draft-packet.ts";
import { CliError, type Command, defineCommand, type Invocation, type Terminal } from "../../command.ts";
import { renderPage } from "../../print/style.ts";
import { chooseTranscript, readHappened, SESSION_OPTIONS } from "../../require-session.ts";
import { requireText } from "../../require-text.ts";

export const packetCommand: Command = defineCommand({
  name: "packet",
  isVerbatim: true,
  summary: "Experimental: prints what a subagent must know and cannot learn from the code",
  positional: { name: "TASK", help: "the subagent's task, starting with a verb" },
  options: {
    accept: { value: "LINES", help: "the criteria for a finished task, separated by ;" },
    types: { value: "LINES", help: "types and signatures that the subagent must keep, separated by ;" },
    out: { value: "LINES", help: "what the subagent must not change, separated by ;" },
    check: {
      value: "FILE",
      help: `check an existing packet in this file (- for standard input); a packet may have at most ${PACKET_MAX_TOKENS} tokens`,
    },
    ...SESSION_OPTIONS,
  },
  examples: {
    'plimsoll packet "Reject expired tokens" --accept "rejects a token that has expired"':
      "prints the task, and the newest session's decisions, constraints, failed approaches and changed files",
    "plimsoll packet Reject expired tokens --json": "prints the packet, its size in tokens and its problems as JSON",
  },
  run(invocation, terminal) {
    const given = invocation.values.get("check");
    const packet = given === undefined ? draft(invocation, terminal) : checkPacket(requireText(given, terminal));
    return {
      json: { ...packet, text: packet.text ?? null },
      text: () => renderPage(renderPacketAnswer(packet), terminal),
    };
  },
});

function draft(invocation: Invocation, terminal: Terminal): Packet {
  const { positionals, values } = invocation;
  const task = positionals.join(" ").trim();
  if (task === "") throw new CliError('plimsoll packet needs a task, such as: plimsoll packet "Reject expired tokens"');
  const list = (name: string): readonly string[] => {
    const lines = (values.get(name) ?? "").split(";").map((line) => line.trim());
    return lines.filter((line) => line !== "");
  };
  const { state, cwd } = readHappened(chooseTranscript(invocation, terminal));
  const given = { task, acceptance: list("accept"), typeSurface: list("types"), outOfScope: list("out") };
  return draftPacket(state, given, { root: cwd });
}
