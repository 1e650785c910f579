/**
 * Every delivery that a test receives matches its product's published schema. Test receivers report each delivery
 * here. A mismatch fails the test file at its end: thrown on receipt, it would end in the service under test.
 */
import assert from "node:assert/strict";

import { Compile, type Validator } from "typebox/schema";

import { buildDeliveryBody } from "../../src/model/delivery-body.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { deliverySchema } from "../../src/model/delivery-schema.ts";
import { products } from "../../src/products/index.ts";
import { atEndOfFile } from "./endings.ts";

/** How many validation errors are reported; the rest are of the same kind. */
const ERRORS_MAX = 5;

const checkData = createEventDataCheck(products);
const schemaErrors: string[] = [];
const validators = new Map<string, Validator>();

atEndOfFile(() => {
  assert.deepEqual(schemaErrors.splice(0), [], "every delivery is what the published schema says");
});

/** A delivery as it arrived: the headers' names in small letters say whose it is. */
export function checkDelivery(headers: Readonly<Record<string, unknown>>, body: string): void {
  const tags = Object.keys(headers).flatMap((name) => /^x-(\w+)-delivery$/.exec(name)?.[1] ?? []);
  checkBody(tags.join(), body);
}

/** Events where nothing is delivered: what would have been. */
export function checkEvents(events: readonly RaisedEvent[]): void {
  for (const { product, type, data, occurredAtMs } of events) {
    checkBody(product, buildDeliveryBody("01900000-0000-7000-8000-000000000001", type, occurredAtMs, data));
  }
}

function checkBody(tag: string, body: string): void {
  if (schemaErrors.length === ERRORS_MAX) return;
  const validator = validatorOf(tag);
  const value = JSON.parse(body) as unknown;
  if (validator === null || validator.Check(value)) return;
  const { type, data } = value as { readonly type: string; readonly data: unknown };
  const told = validator.Errors(value)[1].map(({ instancePath, message }) => `${instancePath} ${message}`);
  // The published schema says only that `data` is not what `type` asks for.
  const ofData = checkData(tag, type, data);
  if (!ofData.ok) told.push(ofData.message);
  schemaErrors.push(`${tag}: ${told.join("; ")}: ${body.slice(0, 500)}`);
}

/** None for a product of a test's own. */
function validatorOf(tag: string): Validator | null {
  const known = validators.get(tag);
  if (known !== undefined) return known;
  const product = products.find((one) => one.tag === tag);
  if (product === undefined) return null;
  const validator = Compile(deliverySchema(product));
  validators.set(tag, validator);
  return validator;
}
