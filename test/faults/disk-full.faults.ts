import { test } from "node:test";

import { fillAgainAndAgain, serveOnFullDisk, smallDisk } from "./disk-full.ts";

test("a full disk costs errors and nothing accepted, and what was accepted goes on once there is room", async (t) => {
  const disk = smallDisk(t);
  if ("reason" in disk) return t.skip(disk.reason);
  await fillAgainAndAgain(t, disk.folder, 1);
});

test("on a full disk, operators and producers get a clear message, and the service recovers with the disk", async (t) => {
  const disk = smallDisk(t);
  if ("reason" in disk) return t.skip(disk.reason);
  await serveOnFullDisk(t, disk.folder);
});
