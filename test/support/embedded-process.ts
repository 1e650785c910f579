/**
 * A process that uses the embedded PostgreSQL of the folder in its first argument, for the tests that
 * kill one. Prints a line of JSON when it holds the server; stops when its standard input ends.
 */
import { startEmbedded } from "../../src/store/embedded/embedded.ts";
import { silentLog } from "./log.ts";
import { realClock } from "./real-clock.ts";

const postgres = await startEmbedded({ dataFolder: process.argv[2]!, clock: realClock, log: silentLog });
console.log(JSON.stringify({ pid: postgres.pid(), adopted: postgres.adopted }));
process.stdin.resume().on("end", () => {
  void postgres.stop().then((how) => console.log(JSON.stringify({ how })));
});
