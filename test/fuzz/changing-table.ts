// A table, views, functions and a composite type whose columns change, and the definitions that were in force when.
import type { Client } from 'pg';
import { loadDriver } from '../../src/postgres/connect/load-driver.ts';
import type { Random } from '../support/generate/random.ts';

export const ROWS = 220;
const TYPES = ['int', 'text', 'bigint', 'numeric', 'varchar', 'smallint'] as const;

export interface ChangingColumn {
  readonly name: string;
  /** The value of the row `id` is `id * 10 + digit`. */
  readonly digit: number;
  readonly type: (typeof TYPES)[number];
  /** Another number if the column was dropped and added again. */
  readonly attribute: number;
}

export interface Definition {
  /** Besides `id`, which comes first. */
  readonly columns: readonly ChangingColumn[];
  /** Columns of the composite type. */
  readonly fields: readonly ChangingColumn[];
  /** Times of `performance.now()`: the commit was sent, and the commit of the next one was confirmed. */
  readonly from: number;
  until: number;
}

/** Dropped columns count towards PostgreSQL's limit of 1,600. */
const MAX_MOVES = 1500;

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const COLUMNS: readonly ChangingColumn[] = NAMES.map((name, digit) => ({
  name,
  digit,
  type: 'int',
  attribute: digit,
}));

const VIEWS = `
  create view api.all_things as select * from api.things;
  create view api.made_things as select * from api.inlined();
  grant select on api.all_things, api.made_things to anon;`;

export class ChangingTable {
  static readonly setup: string = `
    create role gate login noinherit;
    create role anon;
    grant anon to gate;
    create schema api;
    grant usage on schema api to anon;
    create table api.owner (id int primary key);
    insert into api.owner values (1);
    create table api.things (id int primary key, ${NAMES.map((name) => `${name} int`).join(', ')});
    insert into api.things select id, ${NAMES.map((_, digit) => `id * 10 + ${digit}`).join(', ')}
      from generate_series(1, ${ROWS}) as id;
    analyze api.things;
    create type api.thing as (id int, ${NAMES.map((name) => `${name} int`).join(', ')});
    create function api.inlined() returns setof api.things language sql stable as 'select * from api.things';
    create function api.called() returns setof api.things language plpgsql stable as
      'begin return query select * from api.things; end';
    create function api.written() returns setof api.things language sql volatile as 'select * from api.things';
    create function api.kids(api.owner) returns setof api.things language sql stable as 'select * from api.things';
    create function api.called_kids(api.owner) returns setof api.things language plpgsql stable as
      'begin return query select * from api.things; end';
    ${made(COLUMNS)}
    ${VIEWS}
    grant select on all tables in schema api to anon;`;
  readonly #client: Client;
  readonly #random: Random;
  #moves = 0;
  #history: Definition[] = [{ columns: COLUMNS, fields: COLUMNS, from: -Infinity, until: Infinity }];

  private constructor(client: Client, random: Random) {
    this.#client = client;
    this.#random = random;
  }

  static async open(uri: string, random: Random): Promise<ChangingTable> {
    const client = new (loadDriver().Client)({ connectionString: uri });
    await client.connect();
    return new ChangingTable(client, random);
  }

  /** Returns the definitions that were in force at some time since then. */
  since(time: number): readonly Definition[] {
    return this.#history.filter(({ until }) => until >= time);
  }

  /** @returns what has changed, or the SQLSTATE of the failure */
  async change(): Promise<string> {
    const before = this.#history.at(-1);
    if (before === undefined) throw new Error('no definition');
    const { name, sql, columns, fields } = this.#plan(before);
    try {
      await this.#client.query(`begin; ${sql}`);
    } catch (error) {
      await this.#client.query('rollback');
      return String((error as { readonly code?: string }).code);
    }
    const next = { columns, fields, from: performance.now(), until: Infinity };
    this.#history = [...this.#history.slice(-100), next];
    await this.#client.query('commit');
    before.until = performance.now();
    return name;
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  #plan({ columns, fields }: Definition): Omit<Definition, 'from' | 'until'> & { name: string; sql: string } {
    const random = this.#random;
    const mayMove = this.#moves < MAX_MOVES;
    const kind = random.pick(['retype', 'swap', 'fields', 'fieldNames', mayMove ? 'move' : 'retype'] as const);
    if (kind === 'move') this.#moves += 1;
    const [one, other] = [random.roll(NAMES.length), random.roll(NAMES.length)];
    const type = random.pick(TYPES);
    const drop = 'drop view api.all_things, api.made_things;';
    const table = 'alter table api.things';
    const { name = '', digit = 0 } = columns[one] ?? {};
    switch (kind) {
      case 'retype':
        return {
          name: kind,
          sql: `${drop} ${table} alter ${name} type ${type} using ${name}::${type}; ${VIEWS}`,
          columns: columns.map((column, place) => (place === one ? { ...column, type } : column)),
          fields,
        };
      case 'swap':
        return {
          name: kind,
          sql: `${drop} ${rename(table, columns, [one, other])} ${VIEWS}`,
          columns: swapNames(columns, [one, other]),
          fields,
        };
      case 'move':
        return {
          name: kind,
          // Rewritten as a whole, because a snapshot that is older would see null in rows that are only updated.
          sql: `${drop} ${table} add moved ${type} generated always as ((id * 10 + ${digit})::${type}) stored;
            ${table} alter moved drop expression; ${table} drop ${name}; ${table} rename moved to ${name}; ${VIEWS}`,
          columns: [
            ...columns.filter((_, place) => place !== one),
            { name, digit, type, attribute: performance.now() },
          ],
          fields,
        };
      case 'fields': {
        const changed = fields.map((field, place) => (place === one ? { ...field, type } : field));
        const sql = `alter type api.thing alter attribute ${fields[one]?.name} type ${type}; ${made(changed)}`;
        return { name: kind, sql, columns, fields: changed };
      }
      case 'fieldNames': {
        const sql = rename('alter type api.thing', fields, [one, other]).replaceAll('rename', 'rename attribute');
        return { name: kind, sql, columns, fields: swapNames(fields, [one, other]) };
      }
    }
  }
}

/** The function whose rows are of the composite type; its body has its types. */
function made(fields: readonly ChangingColumn[]): string {
  const values = fields.map(({ digit, type }) => `(id * 10 + ${digit})::${type}`).join(', ');
  return `create or replace function api.made() returns setof api.thing language sql stable as
    'select id, ${values} from generate_series(1, ${ROWS}) as id';`;
}

type Pair = readonly [number, number];

function rename(subject: string, columns: readonly ChangingColumn[], [one, other]: Pair): string {
  const [first, second] = [columns[one]?.name, columns[other]?.name];
  if (first === second) return '';
  return `${subject} rename ${first} to swapped; ${subject} rename ${second} to ${first}; ${subject} rename swapped to ${second};`;
}

function swapNames(columns: readonly ChangingColumn[], [one, other]: Pair): readonly ChangingColumn[] {
  const [first = '', second = ''] = [columns[one]?.name, columns[other]?.name];
  return columns.map((column, place) => {
    if (place === one) return { ...column, name: second };
    return place === other ? { ...column, name: first } : column;
  });
}
