import path from "node:path";
import { isObject, listField, textField } from "../../../../core/json.ts";
import { readObject } from "../../../../files/read-regular-file.ts";
import { pi as host } from "../../../../hosts/pi/host.ts";
import { findPackage } from "../find-package.ts";
import type { Agent, AgentPlace, AgentPlan } from "./agent.ts";

const MAX_BYTES = 1 << 20;

/** Pi installs packages by itself, and Plimsoll is one. */
export const pi: Agent = {
  name: "pi",
  planInstall: () => typeLine("install", findPackage()),
  planRemoval: (place) => typeLine("remove", findSource(place) ?? findPackage()),
  examine(place) {
    const source = findSource(place);
    const what =
      source === undefined
        ? "not installed; plimsoll install --agent pi prints the command to run"
        : `installed as ${source}; in pi, run /plimsoll to see what it did`;
    return { isInstalled: source !== undefined, what, problems: [] };
  },
  impossible: ["in pi, Plimsoll gives no advice on the load, refuses no tool calls and writes no state files"],
};

function typeLine(verb: "install" | "remove", source: string): AgentPlan {
  const notes = ["pi installs and removes packages itself, so nothing was changed here."];
  return { status: "by-agent", file: null, line: `pi ${verb} ${source}`, notes };
}

function findSource({ terminal }: AgentPlace): string | undefined {
  // A file that is missing or invalid counts as empty.
  const settings = readObject(path.join(host.locateHome(terminal.environment), "settings.json"), MAX_BYTES) ?? {};
  const sources = listField(settings, "packages").map((one) =>
    isObject(one) ? textField(one, "source") : String(one),
  );
  return sources.find((source) => /(?:^|[:/\\])plimsoll(?:@|[/\\]?$)/.test(source) || source === findPackage());
}
