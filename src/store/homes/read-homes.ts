import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { sleep } from "../../runtime/sleep.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { nameOfCell, OF_ACCOUNTS, type Cell } from "../cell.ts";
import type { Database, DatabaseAddress } from "../database.ts";
import type { Shards } from "../shards/on-shards.ts";
import { guardShards } from "../shards/shards.ts";
import { listCells, type ListedCell } from "./cells.ts";
import { readPlacements, workerAddress, type Placement } from "./citus.ts";
import { createHomes, type Home } from "./homes.ts";

const NO_SHARDS: Shards = new Map();

/** While a cell moves, every statement on it asks where it lives, and waits so long after the last answer. */
const READ_AFTER_MS_MIN = 100;

/**
 * Reads where the cells live: from the directory's list of cells, and on Citus from its metadata. `servers` are URLs by
 * name; cells that wait for their migrations take no statements.
 */
export function createHomeReader(
  directory: DatabaseAddress,
  servers: ReadonlyMap<string, string>,
  waits: (cell: Cell) => boolean,
  log: Log,
) {
  const addressAt = createAddresses(directory);
  const reach = createReachLog(log);
  let refresh: () => Promise<void> = async () => undefined;
  let listed: ReadonlyMap<number, ListedCell> = new Map();
  const homes = createHomes(directory, () => refresh());

  function homeOf(one: ListedCell | undefined, placement: Placement | undefined): Omit<Home, "shards"> {
    const server = one?.server ?? "";
    const owner = addressAt(serverNamed(servers, directory, server));
    if (placement === undefined) return { name: server, address: owner, owner };
    const address = addressAt(workerAddress(owner, placement));
    return { name: `${placement.host}:${placement.port}`, address, owner };
  }

  /** True: the cell lived elsewhere before. Statements go to a new home once its shards are guarded. */
  async function place(db: Database, cell: Cell, home: Omit<Home, "shards">): Promise<boolean> {
    const { address, owner } = home;
    const before = homes.placedAt(cell.schema);
    if (waits(cell)) {
      homes.place(cell.schema, { ...home, shards: null });
      return false;
    }
    const isElsewhere = before?.address !== address;
    if (!isElsewhere && before.shards !== null) return false;
    try {
      const shards = address === owner ? NO_SHARDS : await guardShards(db.at(address), cell);
      homes.place(cell.schema, { ...home, shards });
      reach.back(cell);
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      reach.gone(cell, home.name, cause.message);
      homes.place(cell.schema, { ...home, shards: null });
    }
    return before !== undefined && isElsewhere;
  }

  /** Rejects while the directory's server cannot be reached; the homes do not change. Returns who lived elsewhere. */
  async function read(db: Database, cells: readonly Cell[]): Promise<readonly Cell[]> {
    listed = new Map((await listCells(db, cells[0]!)).map((one) => [one.number, one]));
    const placements = new Map((await readPlacements(db)).map((one) => [one.schema, one]));
    const moved = await Promise.all(
      cells.map((cell) => place(db, cell, homeOf(listed.get(cell.number), placements.get(cell.schema)))),
    );
    return cells.filter((_, index) => moved[index]);
  }

  return {
    homes,
    read,
    /** How many cells of accounts the directory had when it was last read. */
    listedCount: () => [...listed.values()].filter(({ kind }) => kind === OF_ACCOUNTS).length,
    /** Where a server is, by its name. */
    serverAt: (name: string) => addressAt(serverNamed(servers, directory, name)),
    /** From now on statements that find their cell gone make the homes be read again. */
    follow(db: Database, cells: () => readonly Cell[], clock: Clock): () => Promise<void> {
      refresh = onceAtATime(clock, async () => {
        for (const cell of await read(db, cells())) {
          log.info({ cell: nameOfCell(cell) }, "a cell lives on another server now");
        }
      });
      return refresh;
    },
  };
}

/** Says once that a cell cannot be reached, however often that is tried, and once that it can. */
function createReachLog(log: Log) {
  const tries = new Map<string, number>();
  return {
    gone(cell: Cell, server: string, cause: string): void {
      const before = tries.get(cell.schema) ?? 0;
      tries.set(cell.schema, before + 1);
      if (before === 0)
        log.warn({ cell: nameOfCell(cell), server, cause }, "the server of a cell cannot be reached");
    },
    back(cell: Cell): void {
      const fields = { cell: nameOfCell(cell), tries: tries.get(cell.schema) };
      if (tries.delete(cell.schema)) log.info(fields, "the server of a cell is back");
    },
  };
}

/** Many statements may find out at the same time: they share one reading, some time after the one before. */
function onceAtATime(clock: Clock, read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const readLater = async (): Promise<void> => {
    const waitMs = readAtMs + READ_AFTER_MS_MIN - clock.monotonicMs();
    if (waitMs > 0) await sleep(clock, waitMs);
    await read();
    readAtMs = clock.monotonicMs();
  };
  return () =>
    (reading ??= readLater().finally(() => {
      reading = null;
    }));
}

/** Makes the same object of the same address. */
function createAddresses(directory: DatabaseAddress): (address: DatabaseAddress) => DatabaseAddress {
  const known = new Map([[JSON.stringify(directory), directory]]);
  return (address) => {
    const key = JSON.stringify(address);
    const one = known.get(key) ?? address;
    known.set(key, one);
    return one;
  };
}

function serverNamed(
  servers: ReadonlyMap<string, string>,
  directory: DatabaseAddress,
  name: string,
): DatabaseAddress {
  if (name === "") return directory;
  const url = servers.get(name);
  if (url === undefined) {
    throw new StartupError(`A cell lives on the server "${name}", which BOATHOOK_SERVERS does not name.`);
  }
  return { url };
}
