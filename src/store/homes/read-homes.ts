import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { sleep } from "../../runtime/sleep.ts";
import { nameOfCell, OF_ACCOUNTS, type Cell } from "../cell.ts";
import type { Database, DatabaseAddress } from "../database.ts";
import type { Shards } from "../shards/on-shards.ts";
import { guardShards } from "../shards/shards.ts";
import { cellList } from "./cells.sql.ts";
import { readPlacements, workerAddress, type Placement } from "./citus.ts";
import { createHomes, type Home } from "./homes.ts";

const NO_SHARDS: Shards = new Map();

/** While a cell moves, every statement on it asks where it lives, and waits so long after the last answer. */
const READ_AFTER_MS_MIN = 100;

/** Cells that wait for their migrations take no statements. */
type ReaderPorts = {
  readonly directory: DatabaseAddress;
  readonly waits: (cell: Cell) => boolean;
  readonly log: Log;
};

/** Reads where the cells live: on Citus its metadata says so, else all live beside the directory. */
export function createHomeReader(ports: ReaderPorts) {
  const { directory, log } = ports;
  let refresh: () => Promise<void> = async () => undefined;
  let listedCount = 0;
  const homes = createHomes(directory, () => refresh());
  const place = createPlace(ports, homes);

  /** Rejects while the directory's server cannot be reached; the homes do not change. Returns who lived elsewhere. */
  async function read(db: Database, cells: readonly Cell[]): Promise<readonly Cell[]> {
    listedCount = (await cellList(db, cells[0]!)).filter(({ kind }) => kind === OF_ACCOUNTS).length;
    const placements = new Map((await readPlacements(db)).map((one) => [one.schema, one]));
    const moved = await Promise.all(cells.map((cell) => place(db, cell, placements.get(cell.schema))));
    return cells.filter((_, index) => moved[index]);
  }

  return {
    homes,
    read,
    /** How many cells of accounts the directory had when it was last read. */
    listedCount: () => listedCount,
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

/** The returned function says whether the cell lived elsewhere before. Statements go to a new home once its shards are guarded. */
function createPlace({ directory, waits, log }: ReaderPorts, homes: ReturnType<typeof createHomes>) {
  const addressAt = createAddresses(directory);
  const reach = createReachLog(log);

  function homeOn(placement: Placement | undefined): Omit<Home, "shards"> {
    if (placement === undefined) return { name: "", address: directory };
    const address = addressAt(workerAddress(directory, placement));
    return { name: `${placement.host}:${placement.port}`, address };
  }

  return async (db: Database, cell: Cell, placement?: Placement): Promise<boolean> => {
    const before = homes.placedAt(cell.schema);
    const home = homeOn(placement);
    const refuse = () => homes.place(cell.schema, { ...home, shards: null });
    const { address } = home;
    if (waits(cell)) {
      refuse();
      return false;
    }
    const isElsewhere = before?.address !== address;
    if (!isElsewhere && before.shards !== null) return false;
    try {
      const shards = address === directory ? NO_SHARDS : await guardShards(db.at(address), cell);
      homes.place(cell.schema, { ...home, shards });
      reach.back(cell);
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      reach.gone(cell, home.name, cause);
      refuse();
    }
    return before !== undefined && isElsewhere;
  };
}

/** Says once that a cell cannot be reached, however often that is tried, and once that it can. */
function createReachLog(log: Log) {
  const tries = new Map<string, number>();
  return {
    gone(cell: Cell, server: string, cause: unknown): void {
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
