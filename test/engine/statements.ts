/** Statements of an engine's that a test answers itself: whose answers come late, or not at all. */
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Connection } from "../../src/store/database.ts";
import type { Statement } from "../../src/store/sql.ts";
import type { Harness } from "./harness.ts";

type Rows = object[];
/** `run` asks the database. */
type Handle = (run: () => Promise<Rows>) => Promise<Rows>;
type AnyRows = (statement: Statement, parameters: readonly unknown[]) => Promise<Rows>;

/** Answers the statements for which `choose` has a handle, on the database's connections and new ones of a node's own. */
export function intercept({ test }: Harness, choose: (name: string) => Handle | null): void {
  const { database } = test;
  const { rows, dedicated } = database;
  const answering = (ask: Connection["rows"]): Connection["rows"] => {
    const run = ask as AnyRows;
    const answer: AnyRows = (statement, parameters) => {
      const handle = choose(statement.name);
      return handle === null ? run(statement, parameters) : handle(() => run(statement, parameters));
    };
    return answer as Connection["rows"];
  };
  database.rows = answering(rows);
  database.dedicated = async (cell, onLost) => {
    const connection = await dedicated(cell, onLost);
    return { ...connection, rows: answering(connection.rows) };
  };
}

/** Answers the next statements of that name; returns whether they have come. */
export function answerNext(on: Harness, name: string, handle: Handle, count = 1): () => boolean {
  let left = count;
  intercept(on, (asked) => {
    if (left === 0 || asked !== `${name}@${on.cell.schema}`) return null;
    left -= 1;
    return handle;
  });
  return () => left === 0;
}

/** The statement runs, and its answer is lost. */
export const lost: Handle = async (run) => {
  await run();
  throw new StoreUnavailable("the answer was lost", { cause: null });
};

export const away: Handle = async () => {
  throw new StoreUnavailable("the database cannot be reached", { cause: null });
};

/** The database answers the next statement of that name, but the answer arrives only with `deliver`, or is lost. */
export function delayNext(on: Harness, name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isAnswered = false;
  answerNext(on, name, async (run) => {
    const answer = await run();
    isAnswered = true;
    await promise;
    return answer;
  });
  return {
    isAnswered: () => isAnswered,
    deliver: resolve,
    lose: () => reject(new StoreUnavailable("the answer was lost", { cause: null })),
  };
}
