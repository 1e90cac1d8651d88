import { existsSync } from "node:fs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where a Chromium of the system lies: `CHROMIUM` says so, or it is where Linux distributions put it. */
export const chromium: string | undefined = [process.env.CHROMIUM ?? "", ...PLACES].find(
  (place) => place !== "" && existsSync(place),
);

if (chromium === undefined)
  process.stderr.write(
    "No Chromium was found: the tests in a browser are skipped. Install one, or name it in CHROMIUM.\n",
  );
