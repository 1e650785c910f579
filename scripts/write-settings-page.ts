/** `npm run docs:settings`: writes docs/settings.md from the table of settings. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { settingsPage } from "./settings-page.ts";

writeFileSync(join(import.meta.dirname, "..", "docs", "settings.md"), settingsPage());
