/** `boathook carriers check` and its like: tries the entries of a file, or replays answers that such a check kept. */
import type { CommandUnknownOpts } from "@commander-js/extra-typings";

import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { readSettingFile } from "../../runtime/config-file.ts";
import { jsonLog } from "../../runtime/log.ts";
import type { Setting } from "../../runtime/setting.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import { openUpstreamHttp } from "../upstream/http.ts";
import type { ReadEntries } from "../upstream/upstream-file.ts";
import { checkEntry, type CheckedKind } from "./check.ts";
import { prepareFolder, readKept, replaying } from "./kept-answers.ts";
import { startReport, type Reported } from "./report.ts";
import type { CheckPorts } from "./step.ts";

/** How the command is typed, and what it prints. `Typed` are the options of its own, as they are typed. */
export type CheckCommand<Entry, About, Outcome, Who extends object, Typed extends object> = Reported<
  Outcome,
  Who
> & {
  /** `carrier`: what an entry is of. */
  readonly one: string;
  readonly setting: Setting<string, null>;
  readonly guide: string;
  readonly readEntries: (text: string) => ReadEntries<Entry>;
  /** `one question`: what is asked of each. */
  readonly question: string;
  /** What it does without argument and options. */
  readonly without: string;
  readonly examples: readonly [string, ...string[]];
  readonly argument: readonly [name: string, about?: string];
  readonly options: readonly Option[];
  /** Entries are named by it: `SCAC`. */
  readonly key: string;
  readonly keyOf: (entry: Entry) => string;
  readonly named: (entries: readonly Entry[], name: string) => readonly Entry[];
  /** Throws `CommandError` where nothing can be asked so. */
  readonly aboutOf: (typed: Typed, entries: readonly Entry[]) => About;
  /** Without a name; absent: all. Throws likewise. */
  readonly chosenFor?: (entries: readonly Entry[], about: About) => readonly Entry[];
  /** Throws likewise, where no chosen entry can be asked so. */
  readonly refuse?: (chosen: readonly Entry[], about: About) => void;
  readonly recordFor?: string;
  /** What a file of kept answers is about. */
  readonly replayed?: string;
};

type Option = readonly [flags: string, about: string, read?: (text: string) => unknown];

const NONE = { entries: [] };

type Shared = { readonly record?: string; readonly replay?: string; readonly json?: true };

export function checkCommand<Entry, About, Answer, Outcome, Who extends object, Typed extends object>(
  kind: CheckedKind<Entry, About, Answer, Outcome, Who>,
  typed: CheckCommand<Entry, About, Outcome, Who, Typed>,
): CommandFactory {
  const { whom, file } = kind.words;
  const { one, setting, recordFor = "", replayed } = typed;
  const options: readonly Option[] = [
    ...typed.options,
    ["--record <folder>", `keep the answers there, without credentials${recordFor}`],
    ...(replayed === undefined
      ? []
      : [["--replay <file>", `take kept answers instead of asking; the ${file} is not needed`] as const]),
    JSON_OPTION,
  ];
  return (at) => {
    const command: CommandUnknownOpts = action(
      "check",
      `Try the ${file}: each server's name and certificate, the token, ${typed.question}, and what the answer becomes. ` +
        `${typed.without} The exit status is 1 when a step fails. What it asks counts against the ${whom}'s quota.`,
      ...typed.examples,
    ).argument(...typed.argument);
    for (const [flags, about, read] of options) {
      if (read === undefined) command.option(flags, about);
      else command.option(flags, about, read);
    }
    return command.action(async (...words: readonly unknown[]) => {
      const [name, given] = words as readonly [name: string | undefined, options: Typed & Shared];
      const { record = null, replay, json, ...own } = given;
      const report = startReport(at, json === true, typed);
      if (replay === undefined) {
        const { entries } = (await readSettingFile(setting, at.environment, typed.readEntries)) ?? NONE;
        if (entries.length === 0)
          throw new CommandError(`There is no ${one} to check: ${setting.name} names none (${typed.guide}).`);
        const about = typed.aboutOf(own as unknown as Typed, entries);
        const ofAll = (): readonly Entry[] => typed.chosenFor?.(entries, about) ?? entries;
        const chosen = name === undefined ? ofAll() : typed.named(entries, name);
        if (chosen.length === 0) {
          const known = entries.map(typed.keyOf).join(", ");
          throw new CommandError(`The ${file} has no ${one} of that ${typed.key}; it has ${known}.`);
        }
        typed.refuse?.(chosen, about);
        if (record !== null) await prepareFolder(record);
        await withPorts(async (ports) => {
          for (const entry of chosen) report.take(await checkEntry(ports, kind, entry, about, { record }));
        });
      } else {
        if (name !== undefined || record !== null || Object.keys(own).length > 0)
          throw new CommandError(`--replay stands alone: the file says which ${replayed} it is about.`);
        const kept = await readKept(replay, kind.file.read!);
        await withPorts(async (ports) =>
          report.take(
            await checkEntry(replaying(ports, kept), kind, kept.entry, kept.about, { isReplay: true }),
          ),
        );
      }
      report.end();
    });
  };
}

/** The network, the time and chance as they are. */
async function withPorts(work: (ports: CheckPorts) => Promise<void>): Promise<void> {
  const log = jsonLog("warn");
  const clock = startSystemClock(log);
  const { http, destroy } = openUpstreamHttp(clock);
  try {
    await work({ http, clock, random: systemRandom(), log });
  } finally {
    clock.stop();
    await destroy();
  }
}
