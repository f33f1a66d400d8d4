// Clients read tables, views and functions in all formats while columns change type, name and order. Every row is one of
// a definition that was in force during its request, and PostgreSQL does not crash. The schema cache is not reloaded.
// `ROWHOUSE_LONG=1` runs it for ten minutes; `ROWHOUSE_FUZZ_SEED` chooses the changes and requests.
import process from 'node:process';
import { expect, test } from 'vitest';
import { startLocalServer } from '../support/local-server.ts';
import { Random } from '../support/generate/random.ts';
import { isLong } from '../support/long-form.ts';
import { startOwnPostgres } from '../support/own-postgres.ts';
import { runSql } from '../support/database.ts';
import { ChangingTable } from './changing-table.ts';
import { checkRows, type Format, FORMATS } from './changing-rows.ts';
import { use } from '../support/use.ts';

const CLIENTS = 6;
const DURATION_MS = isLong ? 600_000 : 5000;
/** A column is gone, another type was expected, an object was replaced, or a deadlock with the change. */
const ALLOWED: ReadonlySet<string> = new Set(['0A000', '40P01', '42703', '42804', '42883', '42P01', '42P13']);
/** Of PostgreSQL, with the state XX000, when an object vanishes under a statement. */
const VANISHED = /^(?:cache lookup failed for|could not open relation with OID|could not find |too few column names )/u;

const postgres = await use(startOwnPostgres());
await runSql(postgres.uri, ChangingTable.setup);
const uri = `postgresql://gate@127.0.0.1:${postgres.port}/postgres`;
const server = await use(startLocalServer({ uri, anon: 'anon' }, { 'db-pool': CLIENTS, 'db-max-rows': null }));

test(
  'no value has a wrong type, name or place while columns change',
  async () => {
    const seed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);
    const counts = new Map<string, number>();
    const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
    const table = await ChangingTable.open(postgres.uri, new Random(seed));
    const end = performance.now() + DURATION_MS;
    const faults: string[] = [];
    const isGoing = (): boolean => performance.now() < end && faults.length === 0;
    const change = async (): Promise<void> => {
      while (isGoing()) count(`change: ${await table.change()}`);
    };
    const read = async (client: number): Promise<void> => {
      const random = new Random(seed + 1 + client);
      while (isGoing()) {
        const request = randomRequest(random);
        const from = performance.now();
        const { status, text } = await server.get(request.path, {
          method: request.method,
          headers: { accept: FORMATS[request.format], 'content-type': 'application/json' },
          ...(request.method === 'POST' && { body: '{}' }),
        });
        const fault = status === 200 ? checkRows(request, text, table.since(from), count) : checkError(text, count);
        count(`request: ${request.format}`);
        if (fault !== undefined)
          faults.push(`seed ${seed}: ${request.method} ${request.path} ${request.format}: ${fault}`);
      }
    };
    await Promise.all([change(), ...Array.from({ length: CLIENTS }, (_, client) => read(client))]);
    await table.close();
    const lines = Array.from(counts, ([what, times]) => `${what}: ${times}`);
    if (isLong) console.log(`seed ${seed}\n${lines.join('\n')}`);
    expect(faults).toEqual([]);
  },
  DURATION_MS + 180_000,
);

interface ChangingRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly format: Format;
  /** Key of the rows, if they are embedded. */
  readonly embed: string | undefined;
  readonly isOfType: boolean;
  readonly isOfFunction: boolean;
}

/** `inlined` and the embed `kids` are put into the statement by PostgreSQL, the other functions are not. */
const RELATIONS = [
  '/things',
  '/all_things',
  '/made_things',
  '/rpc/inlined',
  '/rpc/called',
  '/rpc/written',
  '/rpc/made',
];
const QUERIES = ['', '', 'a=neq.-1', 'select=id,a,b', 'order=b', 'b=not.in.(-1,-2)'];

function randomRequest(random: Random): ChangingRequest {
  const format = random.pick(Object.keys(FORMATS) as Format[]);
  if (random.chance(0.2)) {
    const embed = random.pick(['kids', 'called_kids']);
    const path = `/owner?select=id,${embed}(${random.pick(['*', 'id,b,a'])})&${embed}.a=neq.-1`;
    return {
      method: 'GET',
      path,
      format: format === 'csv' ? 'json' : format,
      embed,
      isOfType: false,
      isOfFunction: true,
    };
  }
  const relation = random.pick(RELATIONS);
  const isOfType = relation === '/rpc/made';
  const isOfFunction = relation.startsWith('/rpc') || relation === '/made_things';
  const query = [random.pick(QUERIES), format === 'object' ? 'id=eq.7' : ''].filter((part) => part !== '').join('&');
  const method = relation === '/rpc/written' || (relation.startsWith('/rpc') && random.chance(0.1)) ? 'POST' : 'GET';
  return {
    method,
    path: `${relation}${query === '' ? '' : `?${query}`}`,
    format,
    embed: undefined,
    isOfType,
    isOfFunction,
  };
}

function checkError(text: string, count: (what: string) => void): string | undefined {
  const { code, message } = JSON.parse(text) as { readonly code: string; readonly message: string };
  count(`error: ${code}`);
  // A statement whose snapshot is older than the rewritten table finds no rows in it.
  if (message.startsWith('Cannot coerce')) return undefined;
  const isAllowed = ALLOWED.has(code) || (code === 'XX000' && VANISHED.test(message));
  return isAllowed ? undefined : text;
}
