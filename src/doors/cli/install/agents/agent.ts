import type { Terminal } from "../../command.ts";
import type { Client } from "../find-client.ts";

/** Another agent than Claude Code: how Plimsoll is put into it and taken out, and how it fares there. */
export interface Agent {
  /** As its host is called in `hosts/`. */
  readonly name: string;
  planInstall(place: AgentPlace): AgentPlan;
  planRemoval(place: AgentPlace): AgentPlan;
  /** What is there of Plimsoll, and what is wrong with it. */
  examine(place: AgentPlace): Examined;
  /** What cannot be done in it, a sentence each. */
  readonly impossible: readonly string[];
}

export interface AgentPlace {
  readonly terminal: Terminal;
  /** Its program; `undefined` where none is found. */
  readonly program: Client | undefined;
}

export interface AgentPlan {
  /** `by-agent`: the agent does it by itself, and the person types the line. */
  readonly status: "due" | "already" | "by-agent";
  /** The file that makes the agent load it; `null` where the agent keeps that to itself. */
  readonly file: string | null;
  /** What the file holds or would hold, or what is typed. */
  readonly line: string;
  /** Whether something of the person's own is written, so that they are asked first. */
  readonly asksFirst?: boolean;
  /** Told with it, whatever becomes of it. */
  readonly notes: readonly string[];
  /** Does it, and says what else there is to say. */
  carryOut(): Promise<readonly string[]>;
}

export interface Examined {
  readonly isInstalled: boolean;
  /** In words. */
  readonly what: string;
  readonly problems: readonly Problem[];
}

export function settled(plan: Omit<AgentPlan, "carryOut" | "notes">, ...notes: readonly string[]): AgentPlan {
  return { ...plan, notes, carryOut: async () => [] };
}

/** Something that is wrong, and what to do about it. */
export interface Problem {
  readonly what: string;
  readonly fix: string;
}
