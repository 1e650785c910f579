import { execFile } from "node:child_process";
import { promisify } from "node:util";

import packageJson from "../../../package.json" with { type: "json" };
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";
import { nameOfBuild, thisBuild } from "../../runtime/build.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";

const REGISTRY_WAIT_MS_MAX = 15_000;

export const command: CommandFactory = (at) =>
  action(
    "version",
    "Print the version of Boathook and its commit where that is known, with --json the version of its Node.js as well.",
    "boathook version",
    "boathook version --check",
  )
    .option("--check", "ask the npm registry for the newest version; nothing else ever does")
    .option(...JSON_OPTION)
    .action(async ({ check, json }) => {
      const build = thisBuild();
      const { version } = build;
      const answer = { ...build, node: process.versions.node };
      if (check !== true) return printAnswer(at, answer, `boathook ${nameOfBuild(build)}`, json);
      const newest = await newestVersion(at.environment);
      const verdict = isNewer(newest, version) ? `${newest} is available` : "nothing newer is published";
      printAnswer(at, { ...answer, newest }, `boathook ${version}: ${verdict}`, json);
    });

/** By npm, which knows the registry, proxy and certificates of this machine. */
async function newestVersion(environment: ProcessContext["environment"]): Promise<string> {
  const words = ["view", packageJson.name, "version", "--no-update-notifier", "--fetch-retries=0"];
  const options = { env: environment as NodeJS.ProcessEnv, timeout: REGISTRY_WAIT_MS_MAX };
  try {
    return (await promisify(execFile)("npm", words, options)).stdout.trim();
  } catch (cause) {
    throw new CommandError(`The newest version is unknown: ${reasonOf(cause)}`, 1);
  }
}

function reasonOf(cause: unknown): string {
  const { code, killed, stderr } = cause as { code?: unknown; killed?: boolean; stderr?: string };
  if (code === "ENOENT") return "npm is not installed.";
  if (killed === true) return `the npm registry did not answer within ${REGISTRY_WAIT_MS_MAX / 1000} s.`;
  const said = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr ?? "")?.[1] ?? `status ${String(code)}`;
  if (said === "E404") return "the npm registry has no such package.";
  return `the npm registry cannot be reached (${said}).`;
}

/** Of two versions, `1.2.3`. */
function isNewer(one: string, other: string): boolean {
  const [ours, theirs] = [other, one].map((version) => version.split(/[.-]/, 3).map(Number));
  const at = [0, 1, 2].find((index) => ours![index] !== theirs![index]);
  return at !== undefined && theirs![at]! > ours![at]!;
}
