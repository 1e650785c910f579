import { action } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { jsonText } from "../../cli/table.ts";
import { withStore } from "./with-store.ts";

export const command = action({
  about:
    "Brings the database to the shape that this build needs. serve does the same when it starts; this is for " +
    "those who want it done before; where there is no database yet, it makes one. Of several at once one migrates and the others wait.",
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["BOATHOOK_DATABASE_URL=postgres://boathook@db/boathook boathook migrate"],
  async run({ options }, at) {
    const ran = await withStore(at, async ({ store }) => store.migrated.ran, { mayCreate: true });
    if (options.json === true) at.out(jsonText({ ran }));
    else if (ran.length === 0) at.out("The database is as it should be: nothing to migrate.\n");
    else at.out(`Migrated:\n${ran.map((name) => `  ${name}\n`).join("")}`);
    return 0;
  },
});
