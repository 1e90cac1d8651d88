/** Dollars as every door writes them: to the cent, and small ones to four digits. Without `Intl`, which takes 40 ms to wake in every process. */
export function renderUsd(usd: number): string {
  const size = Math.abs(usd);
  const digits = size !== 0 && size < 0.1 ? 4 : 2;
  const text = size.toFixed(digits).replace(/\B(?=(?:\d{3})+\.)/g, ",");
  return `${usd < 0 ? "-" : ""}$${text}`;
}

/** A sum in which something is missing is told as a lower bound. */
export function renderLowerUsd(usd: number, isAtLeast: boolean): string {
  return `${isAtLeast ? "at least " : ""}${renderUsd(usd)}`;
}
