import type { Recording } from "./recording.ts";
import { bigOutput } from "./scenarios/big-output.ts";
import { compactAuto } from "./scenarios/compact-auto.ts";
import { compactManual } from "./scenarios/compact-manual.ts";
import { compactReactive } from "./scenarios/compact-reactive.ts";
import { demoSession } from "./scenarios/demo-session.ts";
import { errors } from "./scenarios/errors.ts";
import { hooks } from "./scenarios/hooks.ts";
import { images } from "./scenarios/images.ts";
import { interrupted } from "./scenarios/interrupted.ts";
import { modelSwitch } from "./scenarios/model-switch.ts";
import { parallel } from "./scenarios/parallel.ts";
import { resume } from "./scenarios/resume.ts";
import { subagents } from "./scenarios/subagents.ts";
import { tasks } from "./scenarios/tasks.ts";
import { thinking } from "./scenarios/thinking.ts";

/** Every recording there is; the only file that knows them all. */
export const RECORDINGS: readonly Recording[] = [
  parallel,
  errors,
  images,
  subagents,
  tasks,
  bigOutput,
  thinking,
  resume,
  modelSwitch,
  hooks,
  compactManual,
  compactAuto,
  compactReactive,
  interrupted,
  demoSession,
];
