// The databases of tests: one for each process, and more for sessions that commit. Each is a copy of the template.
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { withDatabase } from '../../embedded/script/sql-session.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { runSql } from '../sql/run-sql.ts';
import { renderTryDatabase } from './cluster-rules.ts';
import type { ClusterMember } from './join-cluster.ts';

/** As many processes can run tests at once. */
const MAX_PROCESSES = 150;

export class TestDatabases {
  readonly #member: ClusterMember;
  readonly #template: string;
  /** Of this process: no other one uses databases that begin with it. */
  readonly #prefix: string;
  #count = 0;

  private constructor(member: ClusterMember, template: string, prefix: string) {
    this.#member = member;
    this.#template = template;
    this.#prefix = prefix;
  }

  static async open(member: ClusterMember, template: string): Promise<TestDatabases> {
    const prefix = `test_${await takeNumber(member.session)}_`;
    // Those of a process that has ended.
    const rows = await runSql(
      member.session,
      'select datname from pg_catalog.pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const [name] of rows) await drop(member.session, name ?? '');
    return new TestDatabases(member, template, prefix);
  }

  /** @returns the superuser's URI of a new copy */
  async create(): Promise<string> {
    this.#count += 1;
    const name = `${this.#prefix}${this.#count}`;
    await runSql(
      this.#member.session,
      `create database ${quoteIdentifier(name)} template ${quoteIdentifier(this.#template)}`,
    );
    return withDatabase(this.#member.uri, name);
  }

  /** @param uri from `create`; nobody else may use the database any more */
  async remove(uri: string): Promise<void> {
    await drop(this.#member.session, decodeURIComponent(new URL(uri).pathname.slice(1)));
  }
}

async function takeNumber(session: Session): Promise<number> {
  for (let number = 0; number < MAX_PROCESSES; number += 1) {
    const rows = await runSql(session, renderTryDatabase(number));
    if (rows[0]?.[0] === 't') return number;
  }
  throw new Error(`More than ${MAX_PROCESSES} processes run tests of this project.`);
}

async function drop(session: Session, name: string): Promise<void> {
  await runSql(session, `drop database if exists ${quoteIdentifier(name)} with (force)`);
}
