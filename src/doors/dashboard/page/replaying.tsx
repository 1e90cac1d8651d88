import type { ComponentChild } from "preact";
import type { ReplayTold } from "../wire.ts";

/** How far the background replay is; nothing where none runs. */
export function ReplayingNotice({ replay }: { readonly replay: ReplayTold | undefined }): ComponentChild {
  if (!replay?.isRunning) return null;
  return (
    <div class="replaying">
      <label>
        Computing in the background what Plimsoll would have saved: {Math.floor(replay.share * 100)} %
        <progress value={replay.share} max={1} />
      </label>
    </div>
  );
}
