import { errorCode } from "../../../core/error-code.ts";
import type { StoreResult } from "../../../files/store-result.ts";
import type { SharedStore, StoredOriginal } from "../../gateway/store/gateway-store.ts";
import { CliError, EXIT_FAILURE } from "../command.ts";

/** An original from the database of a fleet. */
export async function readSharedOriginal(
  shared: SharedStore,
  name: string,
  handle: string,
): Promise<StoreResult<StoredOriginal>> {
  try {
    return await shared.readOriginal(name, handle);
  } catch (error) {
    // The address may hold a password, and some errors hold the address.
    const code = errorCode(error) || "no answer";
    throw new CliError(`the database could not be asked (${code}): is --store right, and is it up?`, EXIT_FAILURE);
  }
}
