import assert from "node:assert/strict";
import { test } from "node:test";

import Type from "typebox";

import { resource } from "../../src/http/resource.ts";
import { nullable } from "../../src/model/data-types.ts";

type Parcel = { readonly name: string; readonly weight: number | null; readonly state: string };

test("a resource has a schema and what fills it, and a value that the schema does not allow does not compile", () => {
  const parcel = resource("Parcel", {
    name: [Type.String(), ({ name }: Parcel) => name],
    weight: [nullable(Type.Number()), ({ weight }: Parcel) => weight],
  });
  assert.deepEqual(parcel.view({ name: "a", weight: null, state: "" }), { name: "a", weight: null });
  const shown: unknown = JSON.parse(JSON.stringify(parcel.schema));
  assert.deepEqual(shown, {
    type: "object",
    title: "Parcel",
    required: ["name", "weight"],
    properties: { name: { type: "string" }, weight: { anyOf: [{ type: "number" }, { type: "null" }] } },
  });

  // @ts-expect-error: the weight may be null, and the schema says that it is not.
  resource("Parcel", { weight: [Type.Number(), ({ weight }: Parcel) => weight] });
  // @ts-expect-error: the state may be any text, and the schema says that it is one of two.
  resource("Parcel", { state: [Type.Enum(["here", "gone"]), ({ state }: Parcel) => state] });
});
