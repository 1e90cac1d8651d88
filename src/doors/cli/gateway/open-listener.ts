import { errorCode } from "../../../core/error-code.ts";
import { type Gateway, startGateway } from "../../gateway/gateway.ts";
import { CliError, type Invocation, type Terminal } from "../command.ts";
import { readGatewaySettings } from "./gateway-settings.ts";

export interface ListenerOptions {
  readonly host?: string;
  readonly port: number;
  /** The API behind it where the person names none. */
  readonly defaultUpstream?: string | undefined;
}

export interface Listener {
  readonly gateway: Gateway;
  readonly upstream: string;
  readonly store: string;
}

/** Starts a gateway as the person has asked for it, or says in a sentence why it cannot. Loaded only where it is wanted. */
export async function openListener(
  invocation: Invocation,
  terminal: Terminal,
  { host = "127.0.0.1", port, defaultUpstream }: ListenerOptions,
): Promise<Listener> {
  const settings = await readGatewaySettings(invocation, terminal, defaultUpstream);
  try {
    const gateway = await startGateway({ ...settings, host, port });
    return { gateway, upstream: settings.upstream.origin, store: settings.storeName };
  } catch (error) {
    const code = errorCode(error);
    if (code === "EADDRINUSE")
      throw new CliError(`port ${port} is taken: pass another --port, or 0 for any that is free`);
    if (code === "EADDRNOTAVAIL") throw new CliError(`${host} is no address of this machine`);
    if (error instanceof TypeError) throw new CliError(error.message);
    throw error;
  }
}
