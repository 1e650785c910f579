/** The command line of Boathook: its commands, on this process, with the store behind them. */
import type { CommandContext, ExitStatus } from "../../cli/context.ts";
import { nameOfBuild, thisBuild } from "../../runtime/build.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import type { ClosableStore } from "./open-store.ts";
import type { OperatorApi } from "./operator.ts";

/** Runs one command line; never rejects. Prints an error that a person can fix as one sentence, without a stack trace. */
export async function runCommandLine(words: readonly string[], at: ProcessContext): Promise<ExitStatus> {
  if (words.length === 1 && /^(?:version|--version|-v)$/.test(words[0]!)) {
    // Scripts ask this often, and the parser takes 10 ms to load.
    at.out(`boathook ${nameOfBuild(thisBuild())}\n`);
    return 0;
  }
  try {
    const { withEnvFile } = await import("./env-file.ts");
    const given = withEnvFile(words, at);
    return await runWithStore(given.words, given.at);
  } catch (error) {
    const { failureOf } = await import("./failure.ts");
    const { message, status } = failureOf(error);
    at.err(`${message}\n`);
    return status;
  }
}

/** Opens the store when the command asks for it, and closes it behind the command. */
async function runWithStore(words: readonly string[], at: ProcessContext): Promise<ExitStatus> {
  const [{ runCommand }, { commands }] = await Promise.all([
    import("../../cli/run.ts"),
    import("./commands.ts"),
  ]);
  let store: Promise<ClosableStore> | null = null;
  const open: CommandContext["open"] = async (options = {}) => {
    const { openCommandStore } = await import("./open-store.ts");
    // Requests side by side share one store; after a failure the next one tries again.
    return (store ??= openCommandStore(at, options).catch((cause: unknown) => {
      store = null;
      throw cause;
    }));
  };
  let api: OperatorApi | null = null;
  const ask: CommandContext["ask"] = async (...request) => {
    const { operatorApi } = await import("./operator.ts");
    return (api ??= operatorApi(at, open)).ask(...request);
  };
  try {
    return await runCommand(words, commands, { ...at, exitStatus: 0, open, ask });
  } finally {
    await (api as OperatorApi | null)?.close();
    const opened = await (store as Promise<ClosableStore> | null)?.catch(() => null);
    await opened?.close();
  }
}
