/** A reporter that ends the process at the first failure, and says which test it was. */
import { writeSync } from "node:fs";
import type { TestEvent } from "node:test/reporters";

const STDOUT = 1;

export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== "test:fail" || event.data.todo !== undefined) continue;
    writeSync(STDOUT, event.data.name);
    process.exit(1);
  }
  yield "";
}
