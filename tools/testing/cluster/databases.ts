// The databases of tests: one for each process, and more for sessions that commit. Each is a copy of the template.
import { quoteIdentifier, quoteLiteral } from '../../../src/contract/identifiers.ts';
import { parseJsonObject } from '../../../src/util/json-object.ts';
import { withDatabase } from '../../embedded/script/sql-session.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { runSql } from '../sql/run-sql.ts';
import { renderTryDatabase } from './cluster-rules.ts';
import type { ClusterMember } from './join-cluster.ts';
import type { SequenceState } from './sequences.ts';
import type { Template } from './template.ts';

/** As many processes can run tests at once. */
const MAX_PROCESSES = 150;

/** Rows that were rolled back stay in the files of a database, which is copied again when it has grown by so many bytes. */
const MAX_GROWTH = 8 * 1024 * 1024;

/** A copy whose tests are rolled back. */
export interface RolledBackCopy {
  /** Of the superuser. */
  readonly uri: string;
  /** As the template has them; undefined: the copy is new, and they are to be noted. */
  readonly sequences: SequenceState | undefined;
}

/** The comment of a copy that the next process may use. */
interface Note {
  /** OID of the template. */
  readonly template: string;
  readonly sequences: SequenceState;
}

export class TestDatabases {
  readonly #member: ClusterMember;
  readonly #template: Pick<Template, 'name'> & Partial<Template>;
  /** Of this process: no other one uses databases that begin with it. */
  readonly #prefix: string;
  #count = 0;

  private constructor(member: ClusterMember, template: Pick<Template, 'name'> & Partial<Template>, prefix: string) {
    this.#member = member;
    this.#template = template;
    this.#prefix = prefix;
  }

  /** @param template without an OID: it changes, so that no copy is kept */
  static async open(
    member: ClusterMember,
    template: Pick<Template, 'name'> & Partial<Template>,
  ): Promise<TestDatabases> {
    return new TestDatabases(member, template, `test_${await takeNumber(member.session)}_`);
  }

  /**
   * Returns the copy that an earlier process with this number has left, if its contents are still those of the template:
   * every transaction in it was rolled back. Otherwise it makes one. Call it first.
   */
  async takeRolledBack(): Promise<RolledBackCopy> {
    const { session, uri } = this.#member;
    const own = `${this.#prefix}1`;
    const sequences = await this.#findNoted(own);
    const left = await runSql(session, 'select datname from pg_catalog.pg_database where starts_with(datname, $1)', [
      this.#prefix,
    ]);
    for (const [name] of left) if (sequences === undefined || name !== own) await drop(session, name ?? '');
    if (sequences === undefined) return { uri: await this.create(), sequences };
    this.#count = 1;
    // Those of a process that was killed.
    await runSql(
      session,
      'select pg_catalog.pg_terminate_backend(pid, 5000) from pg_catalog.pg_stat_activity where datname = $1',
      [own],
    );
    return { uri: withDatabase(uri, own), sequences };
  }

  async #findNoted(name: string): Promise<SequenceState | undefined> {
    const { oid } = this.#template;
    if (oid === undefined) return undefined;
    const rows = await runSql(
      this.#member.session,
      `select shobj_description(oid, 'pg_database') from pg_catalog.pg_database
where datname = $1 and pg_database_size(oid) < pg_database_size($2::oid) + $3::bigint`,
      [name, oid, String(MAX_GROWTH)],
    );
    const { template, sequences } = parseJsonObject(rows[0]?.[0] ?? '') ?? {};
    return template === oid && Array.isArray(sequences) ? sequences.map(String) : undefined;
  }

  /** Lets the next process use the copy. @param sequences of the copy, which is new */
  async noteSequences({ uri }: RolledBackCopy, sequences: SequenceState): Promise<void> {
    const { oid } = this.#template;
    if (oid === undefined) return;
    const note: Note = { template: oid, sequences };
    const text = `comment on database ${quoteIdentifier(nameOf(uri))} is ${quoteLiteral(JSON.stringify(note))}`;
    await runSql(this.#member.session, text);
  }

  /** @returns the superuser's URI of a new copy */
  async create(): Promise<string> {
    this.#count += 1;
    const name = `${this.#prefix}${this.#count}`;
    await runSql(
      this.#member.session,
      `create database ${quoteIdentifier(name)} template ${quoteIdentifier(this.#template.name)}`,
    );
    return withDatabase(this.#member.uri, name);
  }

  /** @param uri from `create`; nobody else may use the database any more */
  async remove(uri: string): Promise<void> {
    await drop(this.#member.session, nameOf(uri));
  }
}

function nameOf(uri: string): string {
  return decodeURIComponent(new URL(uri).pathname.slice(1));
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
