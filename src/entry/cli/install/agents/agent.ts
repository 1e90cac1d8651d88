import type { Terminal } from "../../command.ts";
import type { Client } from "../find-client.ts";

/** An agent other than Claude Code: how to install Plimsoll in it, remove it, and check it. */
export interface Agent {
  /** The name of its host in `hosts/`. */
  readonly name: string;
  planInstall(place: AgentPlace): AgentPlan;
  planRemoval(place: AgentPlace): AgentPlan;
  examine(place: AgentPlace): Examined;
  /** What Plimsoll cannot do in it, one sentence each. */
  readonly impossible: readonly string[];
}

export interface AgentPlace {
  readonly terminal: Terminal;
  readonly program: Client | undefined;
}

export interface AgentPlan {
  /** `by-agent`: the agent does it by itself, with the command that the person types. */
  readonly status: "due" | "already" | "by-agent";
  /** The file that makes the agent load it; `null` if that is internal to the agent. */
  readonly file: string | null;
  /** What the file contains or would contain, or the command to type. */
  readonly line: string;
  /** Whether it changes a file of the person's own, so that they are asked first. */
  readonly asksFirst?: boolean;
  /** Shown in any case. */
  readonly notes: readonly string[];
  /** Carries out a plan that is due, and returns further remarks. */
  carryOut?(): Promise<readonly string[]>;
}

export interface Examined {
  readonly isInstalled: boolean;
  readonly what: string;
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly what: string;
  readonly fix: string;
}
