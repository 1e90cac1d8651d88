import type { Message, Role } from "./message.ts";

/** What a provider refuses, or a model misreads. `subject` is the call, message or block id concerned, if there is one. */
export interface Violation {
  readonly rule:
    | "orphanResult"
    | "unansweredCall"
    | "repeatedResult"
    | "leadingAssistant"
    | "emptyMessage"
    | "emptyConversation"
    | "repeatedId";
  readonly subject: string;
}

/**
 * Every rule the conversation breaks, in order. Recorded conversations break some already (an interrupted call has no
 * result), so what an edit must keep is: no violation that was not there before.
 */
export function findViolations(messages: readonly Message[]): readonly Violation[] {
  const violations: Violation[] = [];
  const ids = new Set<string>();
  let openCalls = new Set<string>();
  let answered = new Set<string>();
  let previousRole: Role | undefined;

  for (const message of messages) {
    if (message.blocks.length === 0) violations.push({ rule: "emptyMessage", subject: message.id });
    for (const { id } of [message, ...message.blocks]) {
      if (ids.has(id)) violations.push({ rule: "repeatedId", subject: id });
      ids.add(id);
    }
    // A mid-conversation system message stands between a call and its results without parting them.
    if (message.role === "system") continue;
    if (previousRole === undefined && message.role === "assistant")
      violations.push({ rule: "leadingAssistant", subject: message.id });
    // Parallel calls, and their results, may come as several messages in a row; an assistant message after a user's closes
    // the round.
    if (previousRole === "user" && message.role === "assistant") {
      for (const callId of openCalls) violations.push({ rule: "unansweredCall", subject: callId });
      openCalls = new Set();
      answered = new Set();
    }
    previousRole = message.role;

    for (const block of message.blocks) {
      if (block.kind === "toolCall") openCalls.add(block.callId);
      if (block.kind !== "toolResult") continue;
      if (openCalls.delete(block.callId)) answered.add(block.callId);
      else
        violations.push({
          rule: answered.has(block.callId) ? "repeatedResult" : "orphanResult",
          subject: block.callId,
        });
    }
  }
  for (const callId of openCalls) violations.push({ rule: "unansweredCall", subject: callId });
  if (previousRole === undefined) violations.push({ rule: "emptyConversation", subject: "" });
  return violations;
}

/** The first violation of `after` that `before` did not have, or not as often. */
export function findNewViolation(before: readonly Message[], after: readonly Message[]): Violation | undefined {
  const known = new Map<string, number>();
  for (const key of findViolations(before).map(renderViolation)) known.set(key, (known.get(key) ?? 0) + 1);
  return findViolations(after).find((violation) => {
    const left = known.get(renderViolation(violation)) ?? 0;
    known.set(renderViolation(violation), left - 1);
    return left <= 0;
  });
}

export function renderViolation(violation: Violation): string {
  return `${violation.rule}:${violation.subject}`;
}
