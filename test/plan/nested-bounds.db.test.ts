// What a body with related rows costs before anything is sent: no long stretch of work, and few bytes of memory for each
// of its own, whatever its shape.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { isNestedAction } from '../../src/extensions/nested/nested-plan.ts';
import { planRequestInSlices } from '../../src/plan/plan-request.ts';
import { parseHead, readPayload } from '../../src/request/parse-request.ts';
import { planContextOf } from '../../src/serve/request-context.ts';
import { prepareNested } from '../../src/extensions/nested/script/nested-run.ts';
import { prepareRows } from '../../src/sql/render-script.ts';
import { runSlicesWithPauses } from '../../src/util/slices.ts';
import { loadCache } from '../support/load-cache.ts';
import { isLong } from '../support/long-form.ts';
import { contextOf, toRequest } from '../support/request-stages.ts';
import { resolved } from '../support/resolve-text.ts';

const MEGABYTE = 1_048_576;
const SIZES = isLong ? [1, 4, 16] : [1];

const cache = await loadCache(`
  create schema api;
  create table api.maker (id int generated always as identity primary key, name text);
  create table api.parent (id int generated always as identity primary key, name text, tag text, note json,
    maker int references api.maker);
  create table api.child (id int primary key, name text, parent int references api.parent, up int references api.child);
  create table api.label (id int generated always as identity primary key, name text);
  create table api.parent_label (parent int references api.parent, label int references api.label,
    primary key (parent, label));
`);

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

interface Cost {
  readonly error: ApiError | undefined;
  /** Number of slices. */
  readonly slices: number;
  /** Milliseconds of the longest one. */
  readonly longest: number;
  /** Bytes that are kept, for each byte of the body. */
  readonly kept: number;
}

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** @param maxRows as in the option; undefined: the default */
async function measure(line: string, text: string, maxRows?: number): Promise<Cost> {
  const environment = { SVC_DB_SCHEMAS: 'api', ...(maxRows && { SVC_NESTED_MAX_ROWS: String(maxRows) }) };
  const context = contextOf({ cache, config: resolved({ environment }) });
  const body = new TextEncoder().encode(text);
  const request = { ...toRequest(line, { Prefer: 'nested=write' }), body };
  const before = heldBytes();
  let [slices, longest, last] = [0, 0, performance.now()];
  const pause = (): Promise<void> => {
    slices += 1;
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    return Promise.resolve();
  };
  const prepare = async (): Promise<Result<unknown, ApiError>> => {
    const head = parseHead(request, context.settings);
    if (!head.ok) return head;
    const payload = await runSlicesWithPauses(readPayload(request, head.value, context.settings), pause);
    if (!payload.ok) return payload;
    const parsed = { ...head.value, payload: payload.value };
    const planned = await runSlicesWithPauses(planRequestInSlices(parsed, planContextOf(context, cache)), pause);
    if (!planned.ok || planned.value.kind !== 'mutate') return planned;
    const { statements } = prepareRows(planned.value, context);
    if (!isNestedAction(planned.value)) return ok(planned.value);
    const last = { main: statements.main, rowsParameter: statements.payloadParameter };
    return prepareNested(planned.value.parts, last, 'svc.', pause);
  };
  const prepared = await prepare();
  await pause();
  const kept = (heldBytes() - before) / body.length;
  return { error: prepared.ok ? undefined : prepared.error, slices, longest, kept };
}

function fill(bytes: number, make: (index: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < bytes; index += 1) {
    const part = make(index);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join(',');
}

const POST = 'POST /parent';
const PATCH = 'PATCH /parent?id=eq.1';
const NO_LIMIT = 100_000_000;

/** Bodies that are planned if the number of rows is not limited. */
const PLANNED: readonly (readonly [name: string, line: string, make: (bytes: number) => string])[] = [
  ['empty related rows', POST, (bytes) => `{"child":[${fill(bytes, () => '{}')}]}`],
  ['empty parents of an empty row', POST, (bytes) => `[{"child":[{}]},${fill(bytes, () => '{}')}]`],
  ['parents with empty arrays', POST, (bytes) => `[{"child":[{}]},${fill(bytes, () => '{"child":[]}')}]`],
  ['parents with one row each', POST, (bytes) => `[${fill(bytes, () => '{"child":[{}]}')}]`],
  [
    'rows to which parents refer',
    POST,
    (bytes) => `[${fill(bytes, () => '{"maker":{}}')}]`.replaceAll('maker', 'maker!maker'),
  ],
  ['rows beyond a junction', POST, (bytes) => `{"label":[${fill(bytes, () => '{}')}]}`],
  ['rows with a column', POST, (bytes) => `{"child":[${fill(bytes, (id) => `{"id":${id}}`)}]}`],
  ['rows with long values', POST, (bytes) => `{"child":[${fill(bytes, () => `{"name":"${'x'.repeat(5000)}"}`)}]}`],
  ['one long value', POST, (bytes) => `{"name":"${'x'.repeat(bytes)}","child":[{}]}`],
  ['one long value of escapes', POST, (bytes) => `{"name":"${String.raw`\u0041`.repeat(bytes / 6)}","child":[{}]}`],
  ['one wide value', POST, (bytes) => `{"note":[${fill(bytes, () => '1')}],"child":[{}]}`],
  ['repeated columns', POST, (bytes) => `{${fill(bytes, () => '"name":1')},"child":[{}]}`],
  ['repeated relationships', POST, (bytes) => `{${fill(bytes, () => '"child":[]')},"label":[{}]}`],
  ['relationships that are null', POST, (bytes) => `[{"child":[{}]},${fill(bytes, () => '{"child":null}')}]`],
  ['ignored keys', `${POST}?columns=name`, (bytes) => `{"child":[{}],${fill(bytes, (index) => `"k${index}":1`)}}`],
  ['rows to update', PATCH, (bytes) => `{"child":{"update":[${fill(bytes, (id) => `{"id":${id},"name":"n"}`)}]}}`],
  ['rows to delete', PATCH, (bytes) => `{"child":{"delete":[${fill(bytes, (id) => `{"id":${id}}`)}]}}`],
  ['rows to set', PATCH, (bytes) => `{"child":{"set":[${fill(bytes, (id) => `{"id":${id}}`)}]}}`],
  ['rows to link', PATCH, (bytes) => `{"label":{"connect":[${fill(bytes, (id) => `{"id":${id}}`)}]}}`],
  ['rows to create', PATCH, (bytes) => `{"child":{"create":[${fill(bytes, () => '{}')}]}}`],
];

const UNKNOWN = { kind: 'columnNotFound' };
const REFUSED: readonly (readonly [name: string, make: (bytes: number) => string, error: object])[] = [
  ['unknown keys', (bytes) => `{${fill(bytes, (index) => `"k${index}":1`)}}`, UNKNOWN],
  ['unknown keys in related rows', (bytes) => `{"child":[${fill(bytes, () => '{"k":1}')}]}`, UNKNOWN],
  ['keys that differ', (bytes) => `[${fill(bytes, () => '{}')},{"k":1}]`, { kind: 'invalidBody' }],
  ['a long key', (bytes) => `{"child":[{"${'k'.repeat(bytes)}":1}]}`, { kind: 'limitExceeded', status: 400 }],
  ['a deep value', (bytes) => `{"note":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`, { kind: 'limitExceeded' }],
  ['a body that is cut off', (bytes) => `{"child":[${fill(bytes, () => '{}')}`, { kind: 'invalidBody' }],
  ['a long string that is cut off', (bytes) => `{"name":"${'x'.repeat(bytes)}`, { kind: 'invalidBody' }],
];

/** Bytes of the longest slice, several times what a slice usually has. */
const SLICE = 262_144;

describe.each(SIZES)('%i MB', (size) => {
  test.each(PLANNED)('B33 %s are read in slices and kept as positions', async (name, line, make) => {
    const text = make(size * MEGABYTE);
    const cost = await measure(line, text, NO_LIMIT);
    if (isLong) console.log(name, size, cost);
    expect(cost.error).toBeUndefined();
    expect(cost.slices).toBeGreaterThan(text.length / SLICE);
    expect(cost.longest).toBeLessThan(1000);
    expect(cost.kept).toBeLessThan(20);
  });

  test.each(REFUSED)('B33 %s are refused in slices', async (name, make, error) => {
    const text = make(size * MEGABYTE);
    const cost = await measure(POST, text);
    if (isLong) console.log(name, size, cost);
    expect(cost.error).toMatchObject(error);
    expect(cost.longest).toBeLessThan(1000);
    expect(cost.kept).toBeLessThan(20);
  });
});
