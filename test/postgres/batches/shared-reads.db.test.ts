// Many reads of two roles over few sessions, with errors, disconnecting clients, terminated backends and schema
// changes: every read gets its own reply. `ROWHOUSE_READS` sets the number of reads, `ROWHOUSE_SEED` the seed.
import { expect, test } from 'vitest';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { Random } from '../../support/generate/random.ts';
import { createDatabase, runSql } from '../../support/database.ts';
import { bodyOf, rowsOf } from '../support/connect-test.ts';
import { Dispatch } from '../support/dispatch.ts';
import { mainStatement, readScript, SEARCH_PATH } from '../support/scripts.ts';

const READS = Number(process.env['ROWHOUSE_READS'] ?? 10_000);
const SEED = Number(process.env['ROWHOUSE_SEED'] ?? 1);
const CLIENTS = 64;
/** Number of reads between two schema changes or terminated sessions. */
const READS_BETWEEN = 500;
const ROLES = ['shared_captain', 'shared_sailor'];

const FIXTURE = `
  create table cargo (id int primary key, name text);
  insert into cargo select n, 'crate ' || n from generate_series(1, 100) n;
  ${ROLES.map((role) => `create role ${role}; grant select on cargo to ${role};`).join('\n')}
`;

const SETTINGS = `select set_config('search_path', $1, true), set_config('role', $2, true), set_config('request.jwt.claims', $3, true), set_config('transaction_read_only', 'on', true)`;
/** The last one is a setting that another read may have left in the session. */
const OWN = `current_user || ' ' || current_setting('request.jwt.claims') || ' ' || coalesce(current_setting('app.left', true), '')`;
const LEAVING = `left(set_config('app.left', 'left by ' || $1, false), 0)`;
const TEXTS = [
  `${OWN} || (select name from cargo where id = $1::int)`,
  `${OWN} || (select 'crate ' || id from cargo where id = $1::int) || ${LEAVING}`,
];
const BROKEN = `${OWN} || ${LEAVING} || 'crate ' || (100 / (100 / $1::int))`;

interface Asked {
  readonly script: TransactionScript;
  readonly answer: string;
  /** SQLSTATE that the statement itself raises. */
  readonly state: string | undefined;
}

function ask(number: number, random: Random): Asked {
  const role = random.pick(ROLES);
  const claims = `{"n":${number}}`;
  const settings = { text: SETTINGS, parameters: [SEARCH_PATH, role, claims] };
  const isBroken = random.chance(0.01);
  const text = isBroken ? BROKEN : random.pick(TEXTS);
  const key = isBroken ? 0 : 1 + random.roll(100);
  const main = mainStatement(text, [String(key)]);
  const leftovers = text === TEXTS[0] ? 'none' : random.pick(['settings', 'all'] as const);
  return {
    script: readScript(main, { role, settings, leftovers, mayRunConcurrently: leftovers !== 'settings' }),
    answer: `${role} ${claims} crate ${key}`,
    state: isBroken ? '22012' : undefined,
  };
}

/** Returns how the read ended, and fails the test if that is not allowed. */
function check({ answer, state }: Asked, reply: ScriptReply, hasLeft: boolean): string {
  if (reply.ok) {
    expect(state).toBe(undefined);
    expect(bodyOf(reply)).toBe(answer);
    return 'answered';
  }
  const { error } = reply;
  if (error.kind === 'connectionLost' || (error.kind === 'database' && error.connectionFault === 'ended'))
    return 'lost';
  const found = error.kind === 'database' ? error.report.sqlstate : error.kind;
  if (hasLeft && found === '57014') return 'left';
  expect([found, error]).toStrictEqual([state, error]);
  return 'refused';
}

test(`${READS} reads get their own replies (seed ${SEED})`, async () => {
  const database = await createDatabase();
  await runSql(database.uri, FIXTURE);
  const dispatch = await Dispatch.start(database.uri, { maxConnections: 4, isHedging: true });
  const counts: Record<string, number> = {};
  let next = 0;
  let disturbing: Promise<unknown> = Promise.resolve();

  const disturb = (turn: number): Promise<unknown> => {
    const type = turn % 4 === 0 ? 'varchar' : 'text';
    const statement =
      turn % 2 === 0
        ? `alter table cargo alter name type ${type}`
        : `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() limit 1`;
    return rowsOf(dispatch.control, statement);
  };
  const client = async (random: Random): Promise<void> => {
    while (next < READS) {
      next += 1;
      const turn = next / READS_BETWEEN;
      if (Number.isInteger(turn)) disturbing = disturbing.then(() => disturb(turn));
      const asked = ask(next, random);
      const controller = new AbortController();
      const running = dispatch.dispatcher.runScript(asked.script, controller.signal);
      if (random.chance(0.01)) setTimeout(() => controller.abort(), random.roll(3));
      const outcome = check(asked, await running, controller.signal.aborted);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  };

  const clients = Array.from({ length: CLIENTS }, (_, index) => client(new Random(SEED + index)));
  await Promise.all(clients);
  await disturbing;
  const { answered = 0, refused = 0, lost = 0, left = 0 } = counts;
  // Figures for the log of a long run.
  if (READS > 10_000)
    console.log(`${READS} reads, seed ${SEED}: ${answered} answered, ${refused} refused, ${left} left, ${lost} lost`);
  expect(answered + refused + lost + left).toBe(READS);
  expect(refused).toBeGreaterThan(0);
  expect(dispatch.dispatcher.statistics).toMatchObject({ waiting: 0, timeouts: 0 });
  await dispatch.stop();
  await database.drop();
  await runSql(new URL('/postgres', database.uri).href, `drop role ${ROLES.join(', ')}`);
}, 3_600_000);
