// Attacks whose response is short, but wrong: repeated writes, counts that differ from the rows, names that are not
// served.
import assert from 'node:assert/strict';
import { ARRAY, ask, NDJSON, type StreamAttack, TEN } from './stream-attack.ts';

/** Errors that look as if the server's own plan were out of date. */
const ERRORS = [
  ['XX000', 'cache lookup failed for type 4711'],
  ['XX000', 'cache lookup failed for function 4711'],
  ['0A000', 'cached plan must not change result type'],
  ['26000', 'prepared statement does not exist'],
  ['42P01', 'relation does not exist'],
  ['42883', 'function does not exist'],
  ['42804', 'types do not match'],
] as const;

export const REPEATED_WRITES: readonly StreamAttack[] = ERRORS.flatMap(([state, message]) =>
  ['/rpc/misfit', '/misfits'].map((target) => ({
    name: `a write to ${target} that raises ${state}, ${message}, runs once`,
    stage: TEN,
    run: async (scene) => {
      const body = JSON.stringify({ state, message });
      const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
      const [[before] = []] = await scene.harbor.query('select last_value::int from api.runs');
      for (let round = 1; round <= 3; round += 1) {
        const client = ask(scene, { method: 'POST', target, headers });
        client.send(body);
        const [answer] = await client.finish();
        assert.ok((answer?.status ?? 0) >= 400);
        const [[after] = []] = await scene.harbor.query('select last_value::int from api.runs');
        assert.equal(Number(after) - Number(before), round, 'runs');
      }
    },
  })),
);

/** `Content-Range` states the correct number of rows or none. */
export const COUNTED_ROWS: readonly StreamAttack[] = [
  ['/heir?select=id,kin(name)', NDJSON],
  ['/heir?select=id,...kin(name)', NDJSON],
  ['/chances', NDJSON],
  ['/far', NDJSON],
  ['/far', ARRAY],
  ['/far', 'text/csv'],
  ['/split', ARRAY],
  ['/split', 'text/csv'],
  ['/heads', ARRAY],
].map(([target = '', accept = '']) => ({
  name: `${target} as ${accept} has as many rows as it states`,
  stage: TEN,
  run: async (scene) => {
    const headers = { Accept: accept, Prefer: 'count=exact' };
    for (let round = 0; round < 5; round += 1) {
      const answers = await ask(scene, { method: 'GET', target, headers }).finish();
      const { status, headers: found, body } = answers[0] ?? { status: 0, headers: new Map(), body: Buffer.alloc(0) };
      assert.ok(status === 200 || status === 206, body.toString('utf8', 0, 300));
      const [, first, last] = /^(\d+)-(\d+)\//u.exec(found.get('content-range') ?? '') ?? [];
      const rows = countRows(body.toString('utf8'), accept);
      if (first !== undefined) assert.equal(rows, Number(last) - Number(first) + 1, found.get('content-range'));
    }
  },
}));

function countRows(text: string, accept: string): number {
  if (accept === ARRAY) return (JSON.parse(text) as readonly unknown[]).length;
  return text.split('\n').length - 1;
}

/** Casts that would reveal names that are not served. */
export const NAMED_CASTS: readonly StreamAttack[] = [
  {
    name: 'casts to types that name tables, functions and roles',
    stage: TEN,
    run: async (scene) => {
      const kinds = 'class,proc,procedure,oper,operator,role,namespace,type,config,dictionary,collation'.split(',');
      const casts = kinds.flatMap((kind) => [`reg${kind}`, `_reg${kind}`, `pg_catalog.reg${kind}`, `REG${kind}`]);
      for (const cast of casts) {
        const { status, text } = await scene.host.ask(`/berth?select=n:id::${cast}`);
        const { code } = JSON.parse(text) as { readonly code?: string };
        assert.ok(status === 400 && /^SVC1(?:27|00)$/u.test(code ?? ''), `${cast}: ${status} ${text}`);
      }
    },
  },
];
