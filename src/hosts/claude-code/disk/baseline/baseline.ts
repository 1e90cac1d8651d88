import type { Baseline } from "../../../baseline.ts";
import { locateClientHome } from "../projects.ts";
import { readAgents, readSkills } from "./read-definitions.ts";
import { readInstructions } from "./read-instructions.ts";
import { readServerConfigs } from "./read-server-configs.ts";

export const baseline: Baseline = {
  readInstructions: (environment, project, activeFile) =>
    readInstructions({ project, clientHome: locateClientHome(environment), home: environment.HOME, activeFile }),
  readDefinitions(environment, project, tokenizer) {
    const places = { project, clientHome: locateClientHome(environment) };
    return { agents: readAgents(places, tokenizer), skills: readSkills(places, tokenizer) };
  },
  readServers: (environment, project) => readServerConfigs(project, environment),
};
