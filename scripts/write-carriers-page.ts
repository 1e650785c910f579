/** `npm run docs:carriers`: writes docs/carriers/README.md from the catalogue of carriers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { carriersPage } from "./carriers-page.ts";

writeFileSync(join(import.meta.dirname, "..", "docs", "carriers", "README.md"), carriersPage());
