import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type Gateway, type GatewayOptions, startGateway } from "../../src/entry/gateway/gateway.ts";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import type { GatewayStore } from "../../src/entry/gateway/store/gateway-store.ts";

export interface OpenGateway extends Gateway {
  readonly folder: string;
  readonly store: GatewayStore;
}

/** Code that runs for the first time on a busy machine is slow; the budget has tests of its own. */
const AMPLE_MS = 120_000;

/** Called when the test is over, newest first. */
export function atEnd(close: () => Promise<void>): void {
  onTestFinished(close);
}

export function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-gateway-"));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A gateway in front of an API on loopback, with a folder of its own, both gone with the test. */
export async function openGateway(
  upstream: string,
  options: Partial<GatewayOptions> & { readonly folder?: string } = {},
): Promise<OpenGateway> {
  const folder = options.folder ?? createFolder();
  const store = options.store ?? createFileStore({ folder });
  const gateway = await startGateway({ upstream: new URL(upstream), budgetMs: AMPLE_MS, ...options, store });
  atEnd(() => gateway.drain(0));
  return { ...gateway, folder, store };
}
