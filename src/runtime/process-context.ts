/** What a command sees of the process that runs it, as an argument. */

export type ProcessContext = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes to stdout: what the command answers. */
  out(text: string): void;
  /** Writes to stderr: what a person should know beside the answer. */
  err(text: string): void;
  /** The terminal that stdout is; null when it goes to a file or a pipe. */
  readonly terminal: Terminal | null;
  /** All of stdin. */
  readInput(): Promise<Buffer>;
  /** How to run this program again in a process of its own: the program, then its first arguments. */
  readonly program: readonly [string, ...string[]];
  /** Resolves at the first SIGINT or SIGTERM; another one then ends the process at once, with status 1. */
  untilSignal(): Promise<"SIGINT" | "SIGTERM" | "SIGHUP">;
  /** Hears of errors that nobody caught; the process then ends at once, with status 1. */
  onCrash(report: (cause: unknown) => void): void;
  /** Ends the process, with status 1, though something keeps it from ending by itself. */
  exitNow(): void;
};

export type Terminal = {
  /** Asked anew each time, for it may be resized. */
  columns(): number;
  lines(): number;
  readonly colours: boolean;
};
