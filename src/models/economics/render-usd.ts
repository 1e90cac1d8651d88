/** Dollars as every entry point writes them: to the cent, small amounts to four digits. Without `Intl`, which takes 40 ms to load in every process. */
export function renderUsd(usd: number): string {
  const size = Math.abs(usd);
  const digits = size !== 0 && size < 0.1 ? 4 : 2;
  const text = size.toFixed(digits).replace(/\B(?=(?:\d{3})+\.)/g, ",");
  return `${usd < 0 ? "-" : ""}$${text}`;
}

/** An incomplete sum is shown as a lower bound. */
export function renderLowerUsd(usd: number, isAtLeast: boolean): string {
  return `${isAtLeast ? "at least " : ""}${renderUsd(usd)}`;
}
