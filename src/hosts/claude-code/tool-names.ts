/** Names of tools that are looked at before they run. In a file of their own, because a hook asks for them before it loads anything else. */

/** These bring files into the window; the guard looks at no other. */
export const READING_TOOLS: readonly string[] = ["Read", "NotebookRead", "Glob", "Grep", "Bash"];
export const SHELL_TOOLS: readonly string[] = ["Bash", "PowerShell"];
export const WORKER_TOOLS: readonly string[] = ["Agent", "Task"];
