/** Puts it together: the process that we are, and the command that it was started with. */
import { runCommandLine } from "./service/commands/command-line.ts";
import { systemProcessContext } from "./runtime/system-process-context.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), systemProcessContext());
