/** The products (spec 1: products). A new one is a folder beside this file and a line here. */
import { air } from "./air/product.ts";
import { loading } from "./loading/product.ts";
import type { ProductManifest } from "./manifest.ts";
import { operations } from "./operations/product.ts";
import { ocean } from "./ocean/product.ts";
import { rates } from "./rates/product.ts";
import { schedules } from "./schedules/product.ts";

export const products: readonly ProductManifest[] = [ocean, air, schedules, rates, loading, operations];
