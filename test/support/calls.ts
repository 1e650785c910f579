/** How much a piece of code does, as a number that no machine changes. */
import { Session, type Profiler } from "node:inspector";

/** How often functions of the source file are called by `work`, closures included. */
export function callsIn(file: string, work: () => void): number {
  const session = new Session();
  session.connect();
  const url = import.meta.resolve(`../../${file}`);
  let counted: readonly Profiler.ScriptCoverage[] = [];
  // Within one thread the answers come at once.
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  try {
    work();
    session.post("Profiler.takePreciseCoverage", (cause, { result }) => {
      if (cause !== null) throw cause;
      counted = result;
    });
  } finally {
    session.disconnect();
  }
  const calls = counted.filter((script) => script.url === url).flatMap(({ functions }) => functions);
  return calls.reduce((sum, { ranges: [whole] }) => sum + whole!.count, 0);
}
