/** `boathook schedules check`: tries the feeds of the schedules file, step by step. */
import { action, CommandError, type CommandFactory } from "../../../cli/command.ts";
import type { CommandContext } from "../../../cli/context.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { facts, table, type Column } from "../../../cli/print.ts";
import { prepareFolder, readKept } from "../../../freight/source-check/keep-answers.ts";
import { replaying } from "../../../freight/source-check/kept-exchanges.ts";
import { startReport, type ReportedKind } from "../../../freight/source-check/report.ts";
import { withCheckPorts } from "../../../freight/source-check/with-ports.ts";
import { readSettingFile } from "../../../runtime/config-file.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { checkFeed, type FeedCheck } from "../check/check-feed.ts";
import type { Outcome } from "../check/outcome.ts";
import { readRecording } from "../check/recording.ts";
import { showCall } from "../search/call-view.ts";
import { SCHEDULES_SETTINGS } from "../settings.ts";
import type { Feed } from "../sources/feed-schema.ts";
import { readFeeds } from "../sources/feeds-file.ts";
import { CALL_COLUMNS } from "./call-columns.ts";

/** Calls of an answer that are printed; `--json` has all. */
const SHOWN_MAX = 30;

export const check: CommandFactory = (at) =>
  action(
    "check",
    "Try the schedules file: each server's name and certificate, the token, the first question of each feed, and what " +
      "the answer becomes. Without a feed, all. The exit status is 1 when a step fails. What it asks counts against " +
      "the carrier's quota.",
    "boathook schedules check",
    "boathook schedules check maeu-vessel-schedules --record answers",
    "boathook schedules check --replay answers/maeu-vessel-schedules.json",
  )
    .argument("[feed]", "its name")
    .option("--record <folder>", "keep the answers there, without credentials")
    .option("--replay <file>", "take kept answers instead of asking; the schedules file is not needed")
    .option(...JSON_OPTION)
    .action(async (name, { record, replay, json }) => {
      const report = startReport(at, json === true, REPORTED);
      if (replay === undefined) {
        const chosen = chosenOf(await feedsOf(at.environment), name);
        if (record !== undefined) await prepareFolder(record);
        await withCheckPorts(async (ports) => {
          for (const feed of chosen) report.take(await checkFeed(ports, feed, { record: record ?? null }));
        });
      } else {
        if (name !== undefined || record !== undefined) {
          throw new CommandError("--replay stands alone: the file says which feed it is about.");
        }
        const kept = await readKept(replay, readRecording);
        await withCheckPorts(async (ports) =>
          report.take(await checkFeed(replaying(ports, kept), kept.feed, { record: null, isReplay: true })),
        );
      }
      report.end();
    });

async function feedsOf(environment: CommandContext["environment"]): Promise<readonly Feed[]> {
  const setting = SCHEDULES_SETTINGS.schedulesFile;
  const file = await readSettingFile(setting, environment, readFeeds);
  if (file === null || file.feeds.length === 0) {
    throw new CommandError(`There is no feed to check: ${setting.name} names none (docs/schedules.md).`);
  }
  return file.feeds;
}

function chosenOf(feeds: readonly Feed[], name: string | undefined): readonly Feed[] {
  if (name === undefined) return feeds;
  const named = feeds.filter((feed) => feed.name === name);
  if (named.length > 0) return named;
  const known = feeds.map((feed) => feed.name).join(", ");
  throw new CommandError(`The schedules file has no feed of that name; it has ${known}.`);
}

function printed({ feed, carrier, kind, steps, outcome, recorded }: FeedCheck) {
  const text = outcome === null ? null : outcomeText(outcome);
  return { title: `${feed}: ${kind} of ${carrier}`, steps, outcome: text, recorded };
}

const COLUMNS: readonly Column<CallRecord>[] = [["PORT", ({ port }) => port], ...CALL_COLUMNS];

function outcomeText({ calls, connections, skipped }: Outcome): string {
  const rest = calls.length - SHOWN_MAX;
  return [
    facts([
      ["Calls", String(calls.length)],
      ...(connections === 0 ? [] : [["Connections", String(connections)] as const]),
      ...skipped.map((reason) => ["Skipped", reason] as const),
    ]),
    calls.length === 0 ? "" : `\n${table(calls.slice(0, SHOWN_MAX), COLUMNS)}`,
    rest > 0 ? `and ${rest} more: --json has all\n` : "",
  ].join("");
}

const REPORTED: ReportedKind<FeedCheck> = { many: "feeds", nameOf: ({ feed }) => feed, printed, shown };

/** Calls as anybody may read them, without the ids that they have only in the record. */
function shown({ outcome, ...rest }: FeedCheck): object {
  if (outcome === null) return { ...rest, outcome };
  const calls = outcome.calls.map((call) => ({ ...showCall(call), id: undefined }));
  return { ...rest, outcome: { ...outcome, calls } };
}
