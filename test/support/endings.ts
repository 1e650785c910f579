/** What support modules end or check once a file's tests and hooks have ended, whichever process the file shares. */
import { after } from "node:test";

type Ending = () => void | Promise<void>;

const endings: Ending[] = [];

// Where a file has the process for itself.
after(endFile);

/** Calls it at the end of each file, not only of the one that imports the caller first. */
export function atEndOfFile(ending: Ending): void {
  endings.push(ending);
}

export async function endFile(): Promise<void> {
  for (const ending of endings) await ending();
}
