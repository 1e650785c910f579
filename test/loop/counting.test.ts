/** Counted steps tell a reader that is quadratic in its input from one that is linear. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { stepsCounted } from "./counted.ts";
import { countingText } from "./counting.ts";

type Reader = (list: readonly string[]) => unknown;

const QUADRATIC = {
  "a copy with one more": "list.reduce((all, one) => [...all, one], [])",
  "an object with one more": "list.reduce((all, one) => ({ ...all, [one]: 1 }), {})",
  "a map with one more": "list.reduce((all, one) => new Map([...all, [one, 1]]), new Map())",
  "a concatenation": "list.reduce((all, one) => all.concat(one), [])",
  "the rest behind each": "list.reduce((all) => { const [, ...rest] = all; return rest; }, list)",
  "a slice behind each": "list.reduce((all) => all.slice(1), list)",
  "the first taken out": "list.map(((all) => () => all.shift())([...list]))",
  "a search of all before": "list.filter((one, at) => list.indexOf(one) !== at)",
  "a filter of all before": "list.map((one) => list.filter((other) => other === one))",
  "a loop in a loop": "list.map((one) => { for (const other of list) if (other === '') return one; })",
  "a loop without a block": "list.map(() => { let at = 0; while (at < list.length) at += 1; })",
  "a search from the beginning of a text": "list.map(() => list.text.indexOf('?'))",
  "the same text read again": "list.map(() => list.text.split(','))",
  "the same JSON read again": "list.map(() => JSON.parse(list.json))",
  "a method that may not be there": "list.map((one) => list?.map?.((other) => other === one))",
};

const LINEAR = {
  "a list that grows": "list.reduce((all, one) => { all.push(one); return all; }, [])",
  "a set": "[...new Set(list)].map((one) => ({ one }))",
  "a search that goes on": "list.reduce((from) => list.text.indexOf(',', from) + 1, 0)",
  "slices of a text": "list.map((one, at) => list.text.slice(at))",
  "names of a table": "list.map((one) => ['a', 'b'].includes(one))",
};

async function growthOf(body: string): Promise<number> {
  const text = countingText({ path: "reader.js", text: `export default (list) => ${body};` });
  const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { default: Reader };
  const stepsOf = (n: number): number => {
    const items = Array.from({ length: n }, (_, at) => `n${at}`);
    const list = Object.assign(items, { text: items.join(), json: JSON.stringify(items) });
    const before = stepsCounted();
    module.default(list);
    return stepsCounted() - before;
  };
  return stepsOf(400) / stepsOf(200);
}

for (const [name, body] of Object.entries(QUADRATIC))
  test(`a quadratic reader takes four times the steps for twice as much: ${name}`, async () => {
    const growth = await growthOf(body);
    assert.ok(growth > 3.5, `${growth}`);
  });

for (const [name, body] of Object.entries(LINEAR))
  test(`a linear reader takes twice the steps for twice as much: ${name}`, async () => {
    const growth = await growthOf(body);
    assert.ok(growth > 1.9 && growth < 2.2, `${growth}`);
  });
