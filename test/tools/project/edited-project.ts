// A project whose files are edited while `ProjectLoop` follows them, without a program and a server around it. After each
// step its database can be compared with one in which the files have just run.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll } from 'vitest';
import { SchemaDelta } from '../../../tools/project/compare/schema-delta.ts';

import type { LoopParts } from '../../../tools/project/dev/loop-parts.ts';
import { ProjectLoop } from '../../../tools/project/dev/project-loop.ts';
import { renderQuestion } from '../../../tools/project/dev/report.ts';
import { Workspace } from '../../../tools/project/dev/workspace.ts';
import { renderProblem } from '../../../tools/project/folder/problem.ts';
import { readProject } from '../../../tools/project/folder/read-project.ts';
import { SchemaRun } from '../../../tools/project/run/schema-run.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { digestCatalog } from './catalog-digest.ts';
import { useFolders, writeFiles } from './folder.ts';

/** Answers a question; undefined: nobody is there. */
export type Answer = (question: string) => boolean | undefined | Promise<boolean | undefined>;

export class EditedProject {
  /** Of the development database. */
  readonly client: Client;
  readonly folder: string;
  /** How questions are answered from now on. */
  answer: Answer = () => undefined;
  /** Questions of the last save. */
  questions: string[] = [];
  readonly #fresh: Client;
  readonly #parts: LoopParts;
  #loop: ProjectLoop;
  #printed: string[] = [];

  constructor(
    clients: { readonly dev: Client; readonly fresh: Client },
    parts: Omit<LoopParts, 'ask' | 'askInExplorer' | 'show' | 'print'>,
  ) {
    this.client = clients.dev;
    this.#fresh = clients.fresh;
    this.folder = parts.root;
    this.#parts = {
      ...parts,
      ask: (question) => {
        const text = renderQuestion(question);
        this.questions.push(text);
        return Promise.resolve(this.answer(text));
      },
      askInExplorer: () => Promise.resolve(undefined),
      show: () => undefined,
      print: (text) => void this.#printed.push(text),
    };
    this.#loop = new ProjectLoop(this.#parts);
  }

  /** Writes files, removes those without a text, and waits for the update. @returns what was printed */
  async save(files: Readonly<Record<string, string | undefined>>): Promise<string> {
    for (const [file, text] of Object.entries(files)) {
      if (text === undefined) rmSync(path.join(this.folder, file));
      else writeFiles(this.folder, { [file]: text });
    }
    return this.update();
  }

  /** The files of `schema/`. */
  files(): readonly string[] {
    return readdirSync(path.join(this.folder, 'schema')).map((name) => `schema/${name}`);
  }

  async update(): Promise<string> {
    this.#printed = [];
    this.questions = [];
    await this.#loop.update();
    return this.#printed.join('\n');
  }

  /** Ends the loop and begins another one, as the next start of the program does. */
  async restart(changes: Partial<Pick<LoopParts, 'isLossAllowed'>> = {}): Promise<void> {
    await this.#loop.close();
    const { databases } = this.#parts;
    this.#loop = new ProjectLoop({
      ...this.#parts,
      ...changes,
      databases: { ...databases, isNew: false, isSeedDue: false },
    });
    await this.#loop.isUpToDate();
  }

  /** Continues as if a server ran that exposes these schemas. */
  serve(schemas: readonly string[]): void {
    this.#loop.attach({
      change: (apply) => apply(),
      onApplied: () => Promise.resolve(),
      schemas: () => schemas,
    });
  }

  get unserved(): ProjectLoop['unserved'] {
    return this.#loop.unserved;
  }

  isUpToDate(): Promise<boolean> {
    return this.#loop.isUpToDate();
  }

  isChangedByOthers(): Promise<boolean> {
    return this.#loop.isChangedByOthers();
  }

  /** Compares with a database in which the files have just run. @returns what only one of them has */
  async findDrift(): Promise<readonly string[]> {
    const project = await readProject(this.folder);
    if (!project.ok) throw new Error(project.error.map(renderProblem).join('\n'));
    await this.#fresh.query('begin');
    const problems = await new SchemaRun(this.#fresh).run(project.value.schema);
    if (problems.length > 0) throw new Error(problems.map(renderProblem).join('\n'));
    const wanted = await digestCatalog(this.#fresh);
    await this.#fresh.query('rollback');
    await this.client.query('begin');
    const found = await digestCatalog(this.client);
    await this.client.query('rollback');
    const [has, should] = [new Set(found), new Set(wanted)];
    return [
      ...wanted.filter((line) => !has.has(line)).map((line) => `missing: ${line}`),
      ...found.filter((line) => !should.has(line)).map((line) => `too much: ${line}`),
    ].sort();
  }

  async read(sql: string): Promise<unknown[]> {
    const { rows } = await this.client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows.flat();
  }

  /** Ends all sessions in the two databases of the loop but that of the test. */
  async endSessions(): Promise<void> {
    const { devUri, shadowUri } = this.#parts.databases;
    const names = [devUri, shadowUri].map((uri) => new URL(uri).pathname.slice(1));
    await this.client.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = any($1) and pid <> pg_backend_pid()',
      [names],
    );
  }

  async close(): Promise<void> {
    await this.#loop.close();
  }
}

/** @returns a function that makes a project of files, which have been applied; all is removed after the file */
export function useEditedProjects(): (
  files: Readonly<Record<string, string>>,
  options?: Partial<Pick<LoopParts, 'isLossAllowed' | 'rolesMode'>>,
) => Promise<EditedProject> {
  const makeFolder = useFolders();
  const databases: TestDatabase[] = [];
  const clients: Client[] = [];
  const projects: EditedProject[] = [];
  const connect = async (uri: string): Promise<Client> => {
    const client = new Client({ connectionString: uri });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  afterAll(async () => {
    await Promise.all(projects.map((project) => project.close()));
    await Promise.all(clients.map((client) => client.end()));
    for (const database of databases) await database.drop();
  });
  return async (files, options = {}) => {
    const root = makeFolder(files);
    const [dev, shadow, fresh] = [await createDatabase(), await createDatabase(), await createDatabase()];
    databases.push(dev, shadow, fresh);
    const [delta, workspace] = [await SchemaDelta.load(), Workspace.open(root)];
    if (!delta.ok || !workspace.ok) throw new Error('the project cannot be opened');
    const own = { dev: await connect(dev.uri), fresh: await connect(fresh.uri) };
    clients.push(own.dev, own.fresh);
    const project = new EditedProject(own, {
      root,
      delta: delta.value,
      databases: {
        devUri: dev.uri,
        shadowUri: shadow.uri,
        isNew: true,
        isSeedDue: true,
        dataFolder: undefined,
        record: () => Promise.resolve(),
        stop: () => Promise.resolve(),
      },
      workspace: workspace.value,
      connect,
      isLossAllowed: false,
      rolesMode: 'all',
      publish: () => Promise.resolve(),
      debug: undefined,
      ...options,
    });
    projects.push(project);
    await project.update();
    return project;
  };
}
