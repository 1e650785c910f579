/** Runs the command that this process was started with. */
import { runCommandLine } from "./service/commands/command-line.ts";
import { systemProcessContext } from "./runtime/system-process-context.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), systemProcessContext());
