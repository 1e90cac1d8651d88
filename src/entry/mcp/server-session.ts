import type { Originals } from "../../files/artifacts/originals.ts";
import { createHappening, type HappeningState, MAX_FIRST_BYTES } from "../../hosts/happening.ts";
import type { Host } from "../../hosts/host.ts";
import { findTranscript, openPlace, type Place } from "./place.ts";

/** What the tools read. The server lives as long as the session, so each read costs only what was added since the last. */
export interface ServerSession {
  readonly place: Place;
  readonly originals: Originals;
  transcript(): string | undefined;
  /** `undefined` until there is a transcript. */
  follow(): HappeningState | undefined;
  /** The session's id from the name of its transcript; empty if there is neither. */
  sessionId(): string;
}

export function createServerSession(place: Place, originals: Originals = openPlace(place)): ServerSession {
  let file: string | undefined;
  let follow: () => HappeningState = () => createHappening(place.host.vocabulary).state();
  const transcript = (): string | undefined => findTranscript(place);
  return {
    place,
    originals,
    transcript,
    follow() {
      const now = transcript();
      if (now === undefined) return undefined;
      if (now !== file) follow = followFile(place.host, now);
      file = now;
      return follow();
    },
    sessionId: () => place.sessionId || place.host.nameSession(transcript() ?? ""),
  };
}

/** Each call reads only what was added since the last. */
function followFile(host: Host, file: string): () => HappeningState {
  const transcript = host.openTranscript(file, { maxFirstBytes: MAX_FIRST_BYTES });
  let happening = createHappening(host.vocabulary);
  return () => {
    transcript.read({
      onEntry: (entry) => happening.feed(entry),
      onRestart: () => {
        happening = createHappening(host.vocabulary);
      },
    });
    return happening.state();
  };
}
