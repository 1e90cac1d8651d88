/** The first 32 bits of the fractional part of a root of each of the first primes: how the standard defines its constants. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Int32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return Int32Array.from(found, (prime) => (root(prime) % 1) * 0x1_0000_0000);
}

export const INITIAL: Int32Array = rootsOfPrimes(8, Math.sqrt);
export const ROUNDS: Int32Array = rootsOfPrimes(64, Math.cbrt);
