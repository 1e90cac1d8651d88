import { checkPacket, type Packet, renderPacketAnswer } from "../../../../survive/packet/build-packet.ts";
import { draftPacket } from "../../../../survive/packet/draft-packet.ts";
import { PACKET_MAX_TOKENS } from "../../../../survive/packet/packet.ts";
import { chooseTranscript, JSON_OPTION, SESSION_OPTIONS } from "../../choose-transcript.ts";
import { CliError, type Command, type Invocation, type Terminal } from "../../command.ts";
import { renderJson } from "../../print/render-json.ts";
import { renderPage } from "../../print/render-page.ts";
import { readHappened } from "../../read-happened.ts";
import { requireText } from "../../require-text.ts";

export const packetCommand: Command = {
  name: "packet",
  isVerbatim: true,
  summary: "Experimental: what a subagent must know that it cannot read off the code",
  positional: { name: "TASK", help: "what it is to do, beginning with a verb" },
  options: [
    { name: "accept", value: "LINES", help: "how one tells that it is done; several with ; between them" },
    { name: "types", value: "LINES", help: "types and signatures it must keep to; several with ; between them" },
    { name: "out", value: "LINES", help: "what it must leave alone; several with ; between them" },
    {
      name: "check",
      value: "FILE",
      help: `judge a packet that somebody wrote, at most ${PACKET_MAX_TOKENS} tokens; - for what is piped in`,
    },
    ...SESSION_OPTIONS,
    JSON_OPTION,
  ],
  examples: [
    {
      command: 'plimsoll packet "Reject expired tokens" --accept "rejects a token whose expiry lies before now"',
      shows: "decisions, demands, failed approaches and changed files of the newest session around the task",
    },
    {
      command: "plimsoll packet Reject expired tokens --json",
      shows: "the packet, its tokens and what is wrong with it",
    },
  ],
  run(invocation, terminal) {
    const given = invocation.values.get("check");
    const packet = given === undefined ? draft(invocation, terminal) : checkPacket(requireText(given, terminal));
    if (invocation.flags.has("json")) terminal.print(renderJson({ ...packet, text: packet.text ?? null }));
    else terminal.print(renderPage(renderPacketAnswer(packet), terminal));
  },
};

function draft(invocation: Invocation, terminal: Terminal): Packet {
  const { positionals, values } = invocation;
  const task = positionals.join(" ").trim();
  if (task === "") throw new CliError('plimsoll packet needs a task: plimsoll packet "Reject expired tokens"');
  const list = (name: string): readonly string[] =>
    (values.get(name) ?? "")
      .split(";")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  const { state, cwd } = readHappened(chooseTranscript(invocation, terminal));
  return draftPacket(
    state,
    { task, acceptance: list("accept"), typeSurface: list("types"), outOfScope: list("out") },
    { root: cwd },
  );
}
