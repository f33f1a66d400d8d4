// `rowhouse check`: examines the folder of a project, or a database (`project.md` §6).
import { readFile } from 'node:fs/promises';
import { fail, ok } from '../../src/contract/result.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import type { CheckFormat } from '../command-line/choices.ts';
import { withBuiltProject } from '../diff/built-project.ts';
import { readDatabase } from '../diff/read-target.ts';
import { type Outcome, type Problem, problemOf, reportProblems } from '../project/folder/problem.ts';
import { type Project, readProject } from '../project/folder/read-project.ts';
import { readProjectConfig } from '../project/run/project-config.ts';
import { findDefaultSchema, findGrantedRoles, findRefusedRoles } from '../project/run/web-roles.ts';
import { applyAllowances } from './apply-allowances.ts';
import { checkMigrations } from './check-migrations.ts';
import {
  describeFile,
  type Finding,
  type LocatedFinding,
  MUTANT_SURVIVED,
  rankFindings,
  sortFindings,
} from './lints/finding.ts';
import { proveFindings } from './probes/prove-findings.ts';
import { generateTypes } from './project-types.ts';
import { runLints } from './run-lints.ts';
import { renderFindings } from './render-findings.ts';
import { indexSources } from './source-index.ts';

/** Exit code if the check could not run. */
export const NOT_RUN = 3;

type Findings = Outcome<readonly LocatedFinding[]>;

export interface CheckOptions {
  readonly kind: 'check';
  readonly subject: { readonly kind: 'project'; readonly folder: string } | CheckedDatabase;
  readonly format: CheckFormat;
  /** Generated types to compare with the schema of a project. */
  readonly typesFile: string | undefined;
}

interface CheckedDatabase {
  readonly kind: 'database';
  readonly uri: string;
  /** Whether probes write too. */
  readonly hasWriteProbes: boolean;
}

/** @returns 0, 1 with a warning, 2 with an error, 3 if the check could not run */
export async function check(options: CheckOptions): Promise<number> {
  const found = await findAll(options);
  if (!found.ok) {
    reportProblems(found.error);
    return NOT_RUN;
  }
  const { subject, format } = options;
  const folder = subject.kind === 'project' ? subject.folder : '';
  process.stdout.write(renderFindings(sortFindings(found.value), { format, folder }));
  return rankFindings(found.value);
}

async function findAll({ subject, typesFile }: CheckOptions): Promise<Findings> {
  if (subject.kind === 'database') return checkDatabase(subject);
  const project = await readProject(subject.folder);
  const found = project.ok ? await checkProject(project.value, typesFile) : project;
  return found.ok ? found : reportBroken(found.error);
}

async function checkDatabase({ uri, hasWriteProbes }: CheckedDatabase): Promise<Findings> {
  const read = await readDatabase(uri, async (client) => {
    const config = readProjectConfig({ configFile: undefined }, await findDefaultSchema(client));
    if (!config.ok) return config;
    const { dbSchemas: schemas, dbAnonRole } = config.value;
    const granted = await findGrantedRoles(client);
    const roles = [...new Set([...(dbAnonRole === undefined ? [] : [dbAnonRole]), ...granted])];
    const findings = await proveFindings(client, await runLints(client, { schemas, roles }), {
      hasWrites: hasWriteProbes,
    });
    return ok(findings.map((finding) => Object.assign(finding, { file: null, line: null })));
  });
  return read.ok ? read.value : read;
}

function checkProject(project: Project, typesFile: string | undefined): Promise<Findings> {
  return withBuiltProject(project, true, async ({ scratch, client, uri, config, roles }) => {
    const { dbSchemas: schemas, dbExtraSearchPath: extraSearchPath } = config;
    const findings = await proveFindings(client, await runLints(client, { schemas, roles }), { hasWrites: true });
    const types = typesFile === undefined ? ok([]) : await checkTypes(project, uri, config, typesFile);
    if (!types.ok) return types;
    const { root } = project;
    const scope = { schemas, extraSearchPath };
    const migrations = await checkMigrations({ root, scratch, built: client, scope, roles });
    if (!migrations.ok) return migrations;
    const refused = await findRefusedRoles(client, project, schemas);
    const inRoles = refused.map(({ role, message }) => describeRole(role, message, project));
    const all = [...findings, ...inRoles, ...types.value, ...migrations.value];
    return ok(applyAllowances(all, indexSources(project), (lint) => lint !== MUTANT_SURVIVED));
  });
}

function describeRole(role: string, message: string, { roles }: Project): Finding {
  const finding = describeFile('role-not-assumable', roles?.path ?? '', message, 'warning');
  const line = (roles?.text ?? '').split('\n').findIndex((text) => text.includes(role)) + 1;
  return { ...finding, object: role, role, place: { kind: 'line', file: finding.object, line: line || undefined } };
}

/** The file may have been generated with or without `--exact-functions`. */
async function checkTypes(
  project: Project,
  uri: string,
  config: AppConfig,
  typesFile: string,
): Promise<Outcome<readonly Finding[]>> {
  const given = await readFile(typesFile, 'utf8').catch(() => undefined);
  const texts = await generateTypes(project, uri, config, [{ areFunctionsExact: false }, { areFunctionsExact: true }]);
  if (!texts.some((text) => text !== undefined)) return fail([problemOf(undefined, 'The types cannot be generated.')]);
  const message = given === undefined ? 'The file cannot be read.' : 'The file differs from the types of the schema.';
  const isCurrent = given !== undefined && texts.includes(given);
  return ok(isCurrent ? [] : [describeFile('types-outdated', typesFile, message)]);
}

/** Problems without a file mean that the check could not run. */
function reportBroken(problems: readonly Problem[]): Findings {
  const findings = problems.flatMap(({ file, place, message, detail, hint }): readonly LocatedFinding[] => {
    if (file === undefined) return [];
    const line = place?.line;
    return [
      {
        lint: 'files-broken',
        level: 'error',
        object: file,
        role: null,
        place: { kind: 'line', file, line },
        isProved: false,
        message: [message, detail, hint].filter(Boolean).join('. '),
        fix: null,
        file,
        line: line ?? null,
      },
    ];
  });
  return findings.length === problems.length ? ok(findings) : fail(problems);
}
