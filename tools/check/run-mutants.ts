// `rowhouse check --mutate -- COMMAND`: changes one policy, grant or `security_invoker` at a time, runs the tests against
// it, and reports the changes that no test notices (`project.md` §6 item 4).
//
// Each change is made in a copy of the template of `rowhouse/testing`. The tests are told to copy that database instead,
// so nothing is built again, and nothing of the project changes.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { quoteIdentifier } from '../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';
import type { CheckFormat } from '../command-line/choices.ts';
import { withConnection, withDatabase } from '../embedded/script/sql-session.ts';
import { type Problem, problemOf, reportProblems } from '../project/folder/problem.ts';
import { type Project, readProject } from '../project/folder/read-project.ts';
import { readProjectScope } from '../project/run/web-roles.ts';
import { messageOf, tryOr } from '../support/thrown.ts';
import { type ClusterMember, joinCluster } from '../testing/cluster/join-cluster.ts';
import { MUTATION_VARIABLE, type MutationRun } from '../testing/cluster/mutation-run.ts';
import { nameTemplate, provideTemplate } from '../testing/cluster/template.ts';
import { runSql } from '../testing/sql/run-sql.ts';
import { applyAllowances } from './apply-allowances.ts';
import { type Finding, MUTANT_SURVIVED, rankFindings, sortFindings } from './lints/finding.ts';
import { type Mutant, planMutants } from './mutants/mutant.ts';
import { readMutantFacts } from './mutants/read-facts.ts';
import { runTests, type TestRun } from './mutants/run-tests.ts';
import { describeSurvivor, readUses } from './mutants/survivor.ts';
import { renderFindings } from './render-findings.ts';
import { NOT_RUN } from './run-check.ts';
import { indexSources, locate } from './source-index.ts';

export interface MutateOptions {
  readonly kind: 'mutate';
  /** The folder of the project. */
  readonly folder: string;
  readonly format: CheckFormat;
  /** The command that runs the tests. */
  readonly tests: readonly [string, ...string[]];
}

type Failed = readonly Problem[];

/** @returns 0 if the tests notice every mutant, 1 if they miss one, 3 if they could not run */
export async function runMutants(options: MutateOptions): Promise<number> {
  const interrupt = new AbortController();
  const abort = (): void => interrupt.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, abort);
  try {
    const survived = await findSurvivors(options, interrupt.signal);
    if (survived.ok) {
      process.stdout.write(renderFindings(survived.value, options));
      return rankFindings(survived.value);
    }
    reportProblems(survived.error);
    return NOT_RUN;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, abort);
  }
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function findSurvivors(
  { folder, tests }: MutateOptions,
  signal: AbortSignal,
): Promise<Result<ReturnType<typeof sortFindings>, Failed>> {
  const read = await readProject(await realpath(folder).catch(() => folder));
  if (!read.ok) return read;
  const project = read.value;
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'rowhouse-mutants-'));
  try {
    return await withCluster(project, async (member, template) => {
      const planned = await withConnection(withDatabase(member.uri, template), async (client) => {
        const scope = await readProjectScope(client, project);
        return scope.ok ? ok(planMutants(await readMutantFacts(client, scope.value.roles))) : scope;
      });
      if (!planned.ok) return planned;
      const trial = new Trial({ root: project.root, member, template, tests, scratch, signal });
      const findings = await trial.run(planned.value, project);
      if (!findings.ok) return findings;
      return ok(
        sortFindings(applyAllowances(findings.value, indexSources(project), (lint) => lint === MUTANT_SURVIVED)),
      );
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Joins the cluster of the tests, and makes the template unless it exists. Their messages are for the user. */
async function withCluster<T>(
  project: Project,
  work: (member: ClusterMember, template: string) => Promise<Result<T, Failed>>,
): Promise<Result<T, Failed>> {
  let member: ClusterMember | undefined;
  try {
    member = await joinCluster(project.root);
    const template = await nameTemplate(project);
    await provideTemplate(member, project, template);
    return await work(member, template);
  } catch (error) {
    return fail([problemOf(undefined, messageOf(error))]);
  } finally {
    await member?.session.close();
  }
}

interface TrialParts {
  readonly root: string;
  readonly member: ClusterMember;
  readonly template: string;
  readonly tests: readonly [string, ...string[]];
  /** A folder for files that nobody else reads. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** Of the usual time. */
const LIMIT_FACTOR = 3;
/** Below it, a pause of the machine would count as noticed. */
const MIN_LIMIT_MS = 5000;
const INTERRUPTED = 'Interrupted.';

/** The mutants are run one after another: the tests may use files or ports that only one run can have. */
class Trial {
  readonly #parts: TrialParts;

  constructor(parts: TrialParts) {
    this.#parts = parts;
  }

  async run(mutants: readonly Mutant[], project: Project): Promise<Result<readonly Finding[], Failed>> {
    const usesFile = path.join(this.#parts.scratch, 'uses');
    const usual = await this.#runUnchanged(usesFile);
    if (!usual.ok) return usual;
    const uses = readUses(tryOr(() => readFileSync(usesFile, 'utf8'), ''));
    if (uses.length === 0)
      return fail([
        problemOf(
          undefined,
          'The tests pass, but no change would reach them: none sends a request to this project with rowhouse/testing.',
        ),
      ]);
    const sources = indexSources(project);
    const limit = Math.max(Math.ceil(LIMIT_FACTOR * usual.value.milliseconds), MIN_LIMIT_MS);
    report(`The tests pass in ${renderTime(usual.value)}. Mutants: ${mutants.length}.`);
    const findings: Finding[] = [];
    for (const [index, mutant] of mutants.entries()) {
      const run = await this.#runMutant(mutant, limit);
      if (run.kind === 'interrupted') return fail([problemOf(undefined, INTERRUPTED)]);
      const place = locate(mutant.place, sources);
      const where = place === undefined ? mutant.object : `${place.file}:${place.line}`;
      report(
        `${index + 1}/${mutants.length} ${OUTCOMES[run.kind]} ${escapeLine(`${where}: ${mutant.change}`)}, ${renderTime(run)}`,
      );
      if (run.kind === 'passed') findings.push(describeSurvivor(mutant, uses));
    }
    return ok(findings);
  }

  async #runUnchanged(usesFile: string): Promise<Result<TestRun, Failed>> {
    const file = path.join(this.#parts.scratch, 'output');
    const output = openSync(file, 'w');
    const run = await this.#runTests({ template: this.#parts.template, usesFile }, { output, limit: undefined }).catch(
      () => undefined,
    );
    closeSync(output);
    if (run === undefined)
      return fail([problemOf(undefined, `Cannot run ${this.#parts.tests[0]}. Is it installed, and executable?`)]);
    if (run.kind === 'interrupted') return fail([problemOf(undefined, INTERRUPTED)]);
    if (run.kind === 'passed') return ok(run);
    process.stderr.write(tryOr(() => readFileSync(file, 'utf8'), '').slice(-MAX_OUTPUT));
    return fail([problemOf(undefined, 'The tests fail without any change. Nothing was changed.')]);
  }

  async #runMutant({ sql }: Mutant, limit: number): Promise<TestRun> {
    const { member, template } = this.#parts;
    // A database of this name is removed with former templates, should this process end before it is dropped.
    const mutated = `template_mutant_${process.pid}`;
    const name = quoteIdentifier(mutated);
    await runSql(member.session, `create database ${name} template ${quoteIdentifier(template)}`);
    try {
      await withConnection(withDatabase(member.uri, mutated), (client) =>
        client.query(`set search_path to ''; ${sql}`),
      );
      return await this.#runTests({ template: mutated, usesFile: null }, { output: undefined, limit });
    } finally {
      await runSql(member.session, `drop database ${name} with (force)`);
    }
  }

  #runTests(
    run: Omit<MutationRun, 'root'>,
    limits: { readonly output: number | undefined; readonly limit: number | undefined },
  ): Promise<TestRun> {
    const { root, tests, signal } = this.#parts;
    const environment = {
      ...process.env,
      [MUTATION_VARIABLE]: JSON.stringify({ root, ...run } satisfies MutationRun),
    };
    return runTests({ words: tests, environment, signal, ...limits });
  }
}

const MAX_OUTPUT = 64 * 1024;

const OUTCOMES: Readonly<Record<Exclude<TestRun['kind'], 'interrupted'>, string>> = {
  passed: 'NOT NOTICED',
  failed: 'noticed',
  timedOut: 'noticed (ended, too slow)',
};

function renderTime({ milliseconds }: TestRun): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
