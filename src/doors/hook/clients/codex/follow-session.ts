import { statSync } from "node:fs";
import { codex } from "../../../../hosts/codex/host.ts";
import { createHappening, type HappeningState, MAX_FIRST_BYTES } from "../../../../hosts/happening.ts";

/** As the other client's: how far it was read. Nothing goes on from there, because an answer may be waiting for its usage. */
export interface FollowedState extends HappeningState {
  readonly cursor: { readonly offset: number };
  readonly reader: Readonly<Record<string, never>>;
}

/** What a session has come to, read from its rollout up to the end it has now. */
export function followSession(file: string): { readonly state: FollowedState; readonly size: number } {
  const { size } = statSync(file);
  let happening = createHappening(codex.vocabulary);
  codex.openTranscript(file, { maxFirstBytes: MAX_FIRST_BYTES }).read({
    onEntry: (entry) => happening.feed(entry),
    onRestart: () => {
      happening = createHappening(codex.vocabulary);
    },
  });
  return { state: { cursor: { offset: size }, reader: {}, ...happening.state() }, size };
}
