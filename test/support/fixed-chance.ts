import fc from "fast-check";

/**
 * Loaded before every file of `npm test`, which tries the same made-up cases every time: what fails is what was changed.
 * `npm run test:deep` looks at others in every run.
 */
fc.configureGlobal({ seed: 1876 });
