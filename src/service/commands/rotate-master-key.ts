import { resealSecrets } from "../../engine/reseal.ts";
import { masterKeysOf } from "../store.ts";
import { action } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { jsonText } from "../../cli/table.ts";
import { withStore } from "./with-store.ts";

export const command = action({
  about:
    "Seals every endpoint's secret anew under BOATHOOK_MASTER_KEY, opening it with BOATHOOK_MASTER_KEY_PREVIOUS. " +
    "Safe while the service runs, provided that it has both keys, and safe to repeat. Once it is done the new " +
    "key takes the old one's place, in data/master.key or wherever it is set, and the old one can go.",
  arguments: [],
  options: { json: JSON_OPTION },
  examples: [
    "openssl rand -base64 32 > new.key",
    'BOATHOOK_MASTER_KEY="$(cat new.key)" BOATHOOK_MASTER_KEY_PREVIOUS="$(cat data/master.key)" boathook rotate-master-key',
  ],
  async run({ options }, at) {
    const done = await withStore(at, ({ settings, store, random }) =>
      resealSecrets(store.database, store.cells, masterKeysOf(settings, random), random),
    );
    at.out(
      options.json === true
        ? jsonText(done)
        : `Sealed ${done.resealed} secrets anew; ${done.current} were under the current key already.\n`,
    );
    if (done.unopened === 0) return 0;
    at.err(
      `${done.unopened} secrets could not be opened and stay as they were. The first: ${done.reason}.\n`,
    );
    return 1;
  },
});
