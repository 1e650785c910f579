import { products } from "../src/products/index.ts";
import { settingsTable } from "../src/runtime/configuration.ts";

/** docs/settings.md as it should be; a test holds it against what is there. */
export function settingsPage(): string {
  return `# Settings

Boathook is set up by environment variables. They are checked when a process starts, all at once: if any is
wrong, or a name that begins with \`BOATHOOK_\` is not known, nothing starts and one message says what to
mend. \`npx boathook config\` prints each setting with the value that is in force.

A duration is a whole number and a unit: \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`. Entries of a list have commas between
them. An empty value counts as unset.

<!-- Written by \`npm run docs:settings\` from src/runtime/settings.ts: change it there. -->

${settingsTable(products)}
`;
}
