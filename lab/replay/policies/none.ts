import { NOTHING_TO_DO, type Policy } from "../../../src/replay/policy.ts";

export const none: Policy = {
  name: "none",
  about: "nothing is ever taken out, as if the window had no end",
  create: () => ({ plan: () => NOTHING_TO_DO }),
};
