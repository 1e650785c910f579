/** The faults of `test/faults/`, again and again: `npm run test:soak`, an hour or so. */
import { test } from "node:test";

import { stopDatabaseAgainAndAgain } from "../faults/database-stops.ts";
import { fillAgainAndAgain, smallDisk } from "../faults/disk-full.ts";
import { freezeAgainAndAgain } from "../faults/freezing.ts";
import { killNodes, killServices } from "../faults/killing.ts";
import { noNetworks, partAgainAndAgain } from "../faults/parting.ts";

test("serve killed five hundred times under load, with its database or without, loses nothing that it accepted", async (t) => {
  await killServices(t, 500);
});

test("a node killed five hundred times under load loses nothing that it accepted", async (t) => {
  await killNodes(t, 500);
});

test("nodes frozen past their lease thirty times lose nothing", async (t) => {
  await freezeAgainAndAgain(t, 30, false);
});

test("nodes frozen in the middle of transactions lose nothing", async (t) => {
  await freezeAgainAndAgain(t, 10, true);
});

test("two services that the network cuts off from their database and receivers forty times lose nothing", async (t) => {
  const reason = noNetworks();
  if (reason !== null) return t.skip(reason);
  await partAgainAndAgain(t, 40);
});

test("a database stopped at once thirty times costs errors, and nothing accepted", async (t) => {
  await stopDatabaseAgainAndAgain(t, 30);
});

test("a disk that is full again and again costs errors, and nothing accepted", async (t) => {
  const disk = smallDisk(t);
  if ("reason" in disk) return t.skip(disk.reason);
  await fillAgainAndAgain(t, disk.folder, 10);
});
