// The comments of constraints are read at each start, also from databases that have many tables and no statistics yet.
import { expect, test } from 'vitest';
import { catalogStatements } from '../../src/catalog/catalog-statements.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { createDatabase, runSql } from '../support/database.ts';
import { API } from '../support/load-cache.ts';
import { use } from '../support/use.ts';

const PARTITIONS = 60;

const database = await use(createDatabase());
await runSql(
  database.uri,
  `create schema api;
     create table api.log (day int, size int not null, constraint sized check (size > 0)) partition by range (day);
     alter table api.log add constraint one_a_day unique (day);
     comment on constraint sized on api.log is 'too small';
     comment on constraint one_a_day on api.log is 'a day has one log';
     do $$ begin
       for day in 1..${PARTITIONS} loop
         execute format('create table api.log_%s partition of api.log for values from (%s) to (%s)', day, day, day + 1);
       end loop;
     end $$;`,
);

const statement = catalogStatements(API).find(({ name }) => name === 'constraintComments');
const query = { text: statement?.text ?? '', values: [...(statement?.parameters ?? [])] };

interface Plan {
  readonly 'Plan Rows': number;
  readonly Plans?: readonly Plan[];
}

function mostRows(plan: Plan): number {
  return Math.max(plan['Plan Rows'], ...(plan.Plans ?? []).map(mostRows));
}

test('B88f each partition has the comments of its parent, under its own names', async () => {
  const { rows } = await withConnection(database.uri, (client) =>
    client.query<string[]>({ ...query, rowMode: 'array' as const }),
  );
  const ofLast = rows
    .filter(([, table]) => table === `log_${PARTITIONS}`)
    .map(([, , name, comment]) => [name, comment]);
  expect(new Set(ofLast.map(String))).toEqual(
    new Set(['sized,too small', `log_${PARTITIONS}_day_key,a day has one log`]),
  );
});

test('without statistics, the comments are planned for no more rows than pg_attribute has', async () => {
  const { plan, columns } = await withConnection(database.uri, async (client) => {
    const explained = await client.query<{ readonly 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
      `explain (format json) ${query.text}`.replaceAll('$1', `'{api}'`),
    );
    const counted = await client.query<{ readonly count: number }>('select count(*)::int as count from pg_attribute');
    return { plan: explained.rows[0]?.['QUERY PLAN'][0]?.Plan, columns: counted.rows[0]?.count };
  });
  if (plan === undefined) throw new Error('no plan');
  expect(mostRows(plan)).toBeLessThan(Number(columns));
});
