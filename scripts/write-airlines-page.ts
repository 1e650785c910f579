/** `npm run docs:airlines`: writes docs/airlines/README.md from the catalogue of airlines. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { airlinesPage } from "./airlines-page.ts";

const folder = join(import.meta.dirname, "..", "docs", "airlines");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "README.md"), airlinesPage());
