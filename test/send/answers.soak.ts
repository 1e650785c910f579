/** The comparison of `answers.property.test.ts` over many more answers. */
import { test } from "node:test";

import { forAllAsync } from "../support/runs.ts";
import { anyAnswer, arriving, checkBesideOthers } from "./answers.ts";

test("no answer of half a million is understood otherwise than by undici and by node:http", () =>
  forAllAsync(500_000, arriving(anyAnswer), checkBesideOthers));
