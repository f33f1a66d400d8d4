// Attacks on databases that are not in UTF-8: values without an equivalent, which are detected when their row is sent.
import assert from 'node:assert/strict';
import { ARRAY, ask, expectBroken, get, NDJSON, type StreamAttack, TEN } from './stream-attack.ts';

export interface Encoding {
  readonly name: string;
  /** A byte without an equivalent in UTF-8. */
  readonly byte: number;
  readonly code: string;
}

export const ENCODINGS: readonly Encoding[] = [
  { name: 'WIN1252', byte: 0x81, code: '22P05' },
  // SQL_ASCII stores bytes unchanged.
  { name: 'SQL_ASCII', byte: 0xc8, code: '22021' },
];

const LABELS = 20_000;

export function renderLabels({ byte }: Encoding, anon: string): string {
  return `
    create table api.label (id int primary key, text text);
    insert into api.label select n, repeat('x', 100) || chr(case when n < ${LABELS} then 67 else ${byte} end)
      from generate_series(1, ${LABELS}) n;
    grant select on api.label to ${anon}`;
}

export function attackEncoding({ code }: Encoding): readonly StreamAttack[] {
  const targets = ['/label', '/label?id=gt.0', `/label?order=id&offset=1&limit=${LABELS}`];
  const held = [ARRAY, 'text/csv'].flatMap((accept) =>
    targets.map((target): StreamAttack => ({
      name: `${target} as ${accept} fails because of its last value`,
      stage: TEN,
      run: async (scene) => {
        const [answer] = await ask(scene, get(target, accept)).finish();
        assert.equal(answer?.status, 400);
        assert.equal((JSON.parse(answer.body.toString('utf8')) as { readonly code: string }).code, code);
      },
    })),
  );
  const lines: StreamAttack = {
    name: 'NDJSON is truncated at its last value',
    stage: TEN,
    run: async (scene) => expectBroken(await ask(scene, get('/label', NDJSON)).finish(), 'the lines'),
  };
  return [...held, lines];
}
