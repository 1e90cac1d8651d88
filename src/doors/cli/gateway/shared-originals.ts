import { errorCode } from "../../../core/error-code.ts";
import type { StoreResult } from "../../../files/store-result.ts";
import type { StoredOriginal } from "../../gateway/store/postgres-original.ts";
import { CliError, EXIT_FAILURE } from "../command.ts";

/** An original from the database of a fleet; the driver is loaded only now. */
export async function readSharedOriginal(name: string, handle: string): Promise<StoreResult<StoredOriginal>> {
  const { readDatabaseOriginal } = await import("../../gateway/store/open-store.ts");
  try {
    return await readDatabaseOriginal(name, handle);
  } catch (error) {
    // The address may hold a password, and some errors hold the address.
    const code = errorCode(error) || "no answer";
    throw new CliError(`the database could not be asked (${code}): is --store right, and is it up?`, EXIT_FAILURE);
  }
}
