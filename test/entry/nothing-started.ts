import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A folder whose settings name a program of its own; the program leaves `started` in it. */
export interface Trap {
  plant(project: string): void;
  /** What starts it: git, with these words, or a program that is found in PATH. */
  readonly springs: readonly string[];
  readonly input?: string;
  /** To be planted, it has git commit. */
  readonly commits?: boolean;
}

/** As many people have it, with folders of whichever project they are in. */
const PATH = `bin:./node_modules/.bin:${process.env.PATH}`;

const git = (folder: string, ...words: readonly string[]): string => {
  const who = ["-c", "user.name=someone", "-c", "user.email=someone@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...words], { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
};

const put = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const plantProgram = (file: string, started: string): void => {
  put(file, `#!/bin/sh\n: > '${started}'\nexit 1\n`);
  chmodSync(file, 0o755);
};

/** The program that all settings name, below the project as a repository would bring it. */
const programOf = (project: string): string => path.join(project, "trap.sh");

const config =
  (...entries: readonly (readonly [key: string, more?: string])[]) =>
  (project: string): void => {
    for (const [key, value = "TRAP"] of entries)
      git(project, "config", key, value.replace("TRAP", `'${programOf(project)}'`));
  };

const attribute = (project: string, text: string): void =>
  appendFileSync(path.join(project, ".gitattributes"), `* ${text}\n`);

const filtered =
  (key: string) =>
  (project: string): void => {
    attribute(project, "filter=x");
    config([key])(project);
  };

const differing =
  (key: string) =>
  (project: string): void => {
    attribute(project, "diff=x");
    config([key])(project);
  };

const hook = (project: string, folder: string): void => {
  const file = path.join(project, folder, "post-checkout");
  plantProgram(file, path.join(project, "started"));
};

const STAT = ["git", "diff", "--stat", "HEAD"];

/** A program of that name in folders that a PATH may hold. */
const inPath = (...springs: readonly string[]): Trap => ({
  springs,
  plant: (project) => {
    for (const folder of ["bin", "node_modules/.bin"])
      plantProgram(path.join(project, folder, springs[0] ?? ""), path.join(project, "started"));
  },
});

export const TRAPS: Readonly<Record<string, Trap>> = {
  "a clean filter": { springs: STAT, plant: filtered("filter.x.clean") },
  "a filter process": { springs: STAT, plant: filtered("filter.x.process") },
  "a smudge filter": { springs: ["git", "checkout", "--", "a.txt"], plant: filtered("filter.x.smudge") },
  "a text conversion": { springs: ["git", "diff"], plant: differing("diff.x.textconv") },
  "a diff driver": { springs: ["git", "diff"], plant: differing("diff.x.command") },
  "an external diff": { springs: ["git", "diff"], plant: config(["diff.external"]) },
  "a file system monitor": { springs: ["git", "status"], plant: config(["core.fsmonitor"]) },
  "a hook": { springs: ["git", "checkout", "-q", "-b", "other"], plant: (project) => hook(project, ".git/hooks") },
  "a folder of hooks": {
    springs: ["git", "checkout", "-q", "-b", "other"],
    plant: (project) => {
      hook(project, "hooks");
      git(project, "config", "core.hooksPath", "hooks");
    },
  },
  "an alias": { springs: ["git", "st"], plant: config(["alias.st", "!TRAP"]) },
  "an editor": { springs: ["git", "commit", "--allow-empty"], plant: config(["core.editor"]) },
  "a signing program": {
    springs: ["git", "commit", "--allow-empty", "-m", "x"],
    plant: (project) => {
      git(project, "config", "gpg.program", programOf(project));
      git(project, "config", "commit.gpgsign", "true");
    },
  },
  "a credential helper": {
    springs: ["git", "credential", "fill"],
    input: "protocol=https\nhost=example.org\n\n",
    plant: config(["credential.helper", "!TRAP"]),
  },
  "a program that asks for passwords": {
    springs: ["git", "credential", "fill"],
    input: "protocol=https\nhost=example.org\n\n",
    plant: (project) => void git(project, "config", "core.askPass", programOf(project)),
  },
  "an ssh command": {
    springs: ["git", "ls-remote", "ssh://nowhere.invalid/x"],
    plant: config(["core.sshCommand"]),
  },
  "a proxy command": {
    springs: ["git", "ls-remote", "git://nowhere.invalid/x"],
    plant: (project) => void git(project, "config", "core.gitProxy", programOf(project)),
  },
  "a promised object, fetched by an ssh command": {
    springs: STAT,
    plant: (project) => {
      const blob = git(project, "rev-parse", "HEAD:a.txt");
      config(
        ["core.sshCommand"],
        ["core.repositoryFormatVersion", "1"],
        ["extensions.partialClone", "origin"],
        ["remote.origin.url", "ssh://nowhere.invalid/x"],
        ["remote.origin.promisor", "true"],
      )(project);
      spawnSync("rm", ["-f", path.join(project, ".git/objects", blob.slice(0, 2), blob.slice(2))]);
    },
  },
  "a filter of an included file": {
    springs: STAT,
    plant: (project) => {
      attribute(project, "filter=x");
      put(path.join(project, "shared.config"), `[filter "x"]\n\tclean = '${programOf(project)}'\n`);
      git(project, "config", "include.path", "../shared.config");
    },
  },
  "a filter of the worktree's own configuration": {
    springs: STAT,
    plant: (project) => {
      attribute(project, "filter=x");
      git(project, "config", "extensions.worktreeConfig", "true");
      git(project, "config", "--worktree", "filter.x.clean", `'${programOf(project)}'`);
    },
  },
  "a filter of a submodule": {
    springs: STAT,
    commits: true,
    plant: (project) => {
      const inner = path.join(project, "inner");
      createRepository(inner);
      git(project, "add", "inner");
      git(project, "commit", "-q", "-m", "with a repository inside");
      // Of the same size, so that git has to look into it.
      put(path.join(inner, "a.txt"), "two\n");
      attribute(inner, "filter=x");
      git(inner, "config", "filter.x.clean", `'${programOf(project)}'`);
    },
  },
  "a git in a folder of PATH": inPath("git", "diff"),
  ...Object.fromEntries(
    ["chmod", "rm", "wc", "sed", "xdg-open", "node", "sh", "env"].map((tool) => [
      `a ${tool} in a folder of PATH`,
      inPath(tool, "x"),
    ]),
  ),
};

function createRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q");
  put(path.join(folder, "a.txt"), "one\n");
  git(folder, "add", "a.txt");
  git(folder, "commit", "-q", "-m", "first");
}

export interface TrappedProject {
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  hasStarted(): boolean;
  /** Does what would start the program: what an entry point would do that asks git, or trusts PATH. */
  spring(): void;
}

/** A repository with a file that has changed since its last commit, and these traps. */
export function plantTraps(root: string, ...names: readonly string[]): TrappedProject {
  const traps = names.map((name) => TRAPS[name] ?? inPath("no such trap"));
  const project = path.join(root, `project-${readdirSync(root).length}`);
  const home = `${project}-home`;
  mkdirSync(home);
  createRepository(project);
  plantProgram(programOf(project), path.join(project, "started"));
  // What commits is planted first: no trap is to be sprung here.
  for (const { plant } of traps.toSorted(
    (left, right) => Number(right.commits ?? false) - Number(left.commits ?? false),
  ))
    plant(project);
  put(path.join(project, "a.txt"), "one\ntwo\n");
  const env = {
    HOME: home,
    PATH,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "x",
    GIT_COMMITTER_NAME: "x",
    EMAIL: "x@example.org",
  };
  return {
    project,
    env,
    hasStarted: () => existsSync(path.join(project, "started")),
    spring: () => {
      for (const { springs, input = "" } of traps) {
        const [program = "", ...words] = springs;
        spawnSync(program, words, { cwd: project, env, input });
      }
    },
  };
}
