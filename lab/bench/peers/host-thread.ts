import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Change, SentMessage } from "./change.ts";

export type Call =
  | {
      readonly kind: "open";
      readonly planner: number;
      readonly peer: string;
      readonly windowTokens: number;
      readonly baseTokens: number;
    }
  | {
      readonly kind: "plan";
      readonly planner: number;
      readonly joined: readonly SentMessage[];
      readonly tokens: number;
    }
  | { readonly kind: "close"; readonly planner: number };

type Answer = { readonly change: Change } | { readonly error: string };

/** No peer takes that long; a thread that died would otherwise hold the replay for ever. */
const PATIENCE_MS = 120_000;

export interface HostThread {
  call(call: Call): Change;
}

/**
 * Peers answer with promises and a policy plans at once, so they run in a thread of their own and the caller waits for it.
 * They are loaded there from their packages as installed; nothing of theirs is bundled.
 */
export function openHostThread(): HostThread {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const { port1: near, port2: far } = new MessageChannel();
  const worker = new Worker(new URL("./host.mjs", import.meta.url), {
    workerData: { port: far, flag },
    transferList: [far],
    execArgv: [],
  });
  worker.unref();
  near.unref();
  let sequence = 0;
  return {
    call(call) {
      const turn = ++sequence;
      near.postMessage({ turn, call });
      // A late notice of the answer before may wake us, so it is the turn that counts.
      for (let seen = Atomics.load(flag, 0); seen !== turn; seen = Atomics.load(flag, 0)) {
        if (Atomics.wait(flag, 0, seen, PATIENCE_MS) === "timed-out")
          throw new Error(`the peers' thread gave no answer to ${call.kind}`);
      }
      const received: { readonly message: Answer } | undefined = receiveMessageOnPort(near);
      if (!received) throw new Error(`the peers' thread answered nothing to ${call.kind}`);
      const { message } = received;
      if ("error" in message) throw new Error(`${message.error} (is \`npm install\` done in lab/bench/peers?)`);
      return message.change;
    },
  };
}
