import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forAll, forAllAsync, runs } from "../support/runs.ts";
import { anyAnswer, arriving, checkBesideOthers, checkCuts, wellFormed } from "./answers.ts";

describe("an answer", () => {
  test("that is well-formed is accepted, however it is cut", () =>
    forAll(runs(500), arriving(wellFormed), (arrival) => {
      const { kind } = checkCuts(arrival);
      assert.ok(kind === "complete" || (kind === "open" && !arrival.isClosed), kind);
    }));

  test("of any kind is the same answer, however it is cut", () =>
    forAll(runs(5_000), arriving(anyAnswer), (arrival) => void checkCuts(arrival)));

  test("that is well-formed is what undici and node:http understand", () =>
    forAllAsync(runs(500), arriving(wellFormed), checkBesideOthers));

  test("of any kind is refused, or what undici and node:http understand", () =>
    forAllAsync(runs(5_000), arriving(anyAnswer), checkBesideOthers));
});
