/** What a command sees of its process. */
export type ProcessContext = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes the answer to stdout. */
  out(text: string): void;
  /** Writes to stderr what a person should know besides. */
  err(text: string): void;
  /** Null: stdout is a file or a pipe. */
  readonly terminal: Terminal | null;
  /** The next line of stdin; empty at its end. */
  readLine(): Promise<string>;
  /** All of stdin. */
  readInput(): Promise<Buffer>;
  /** How to start this program again: the program, then its first arguments. */
  readonly program: readonly [string, ...string[]];
  /** Resolves at the first SIGINT or SIGTERM; another one then ends the process at once, with status 1. */
  untilSignal(): Promise<"SIGINT" | "SIGTERM" | "SIGHUP">;
  /** Reports uncaught errors; the process then ends at once, with status 1. */
  onCrash(report: (cause: unknown) => void): void;
  /** Ends the process at once, with status 1. */
  exitNow(): void;
};

export type Terminal = {
  /** Functions, since you may resize the terminal. */
  columns(): number;
  lines(): number;
  readonly colours: boolean;
};
