import path from "node:path";
import { isObject, listField, textField } from "../../../../core/json.ts";
import { readObject } from "../../../../files/read-regular-file.ts";
import { pi as host } from "../../../../hosts/pi/host.ts";
import { findPackage } from "../find-package.ts";
import { type Agent, type AgentPlace, type AgentPlan, settled } from "./agent.ts";

const MAX_BYTES = 1 << 20;

/** Pi installs packages by itself, and Plimsoll is one. */
export const pi: Agent = {
  name: "pi",
  planInstall: () => typeLine("install", findPackage()),
  planRemoval: (place) => typeLine("remove", findSource(place) ?? findPackage()),
  examine(place) {
    const source = findSource(place);
    if (source === undefined)
      return {
        isInstalled: false,
        what: "not installed; plimsoll install --host pi prints the command to run",
        problems: [],
      };
    return { isInstalled: true, what: `installed as ${source}; in pi, run /plimsoll to see what it did`, problems: [] };
  },
  impossible: ["in pi, Plimsoll gives no advice on the load, refuses no tool calls and writes no state files"],
};

function typeLine(verb: "install" | "remove", source: string): AgentPlan {
  const note = "pi installs and removes packages itself, so nothing was changed here.";
  return settled({ status: "by-agent", file: null, line: `pi ${verb} ${source}` }, note);
}

function findSource({ terminal }: AgentPlace): string | undefined {
  // A file that is missing or invalid counts as empty.
  const settings = readObject(path.join(host.locateHome(terminal.environment), "settings.json"), MAX_BYTES) ?? {};
  const sources = listField(settings, "packages").map((one) =>
    isObject(one) ? textField(one, "source") : String(one),
  );
  return sources.find((source) => /(?:^|[:/\\])plimsoll(?:@|[/\\]?$)/.test(source) || source === findPackage());
}
