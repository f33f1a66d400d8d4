// Finds where the files of a project state what a finding is about, and the allowances written there (`project.md` §6
// item 3). Recognizes statements by their first words; it does not parse SQL.
import type { Project } from '../project/folder/read-project.ts';
import { splitFile } from '../project/run/statement.ts';
import type { Place } from './lints/finding.ts';

/** `-- rowhouse: allow LINT_NAME reason`, in the comment before a statement. */
export interface Allowance {
  readonly file: string;
  /** Of the comment. */
  readonly line: number;
  /** Of the first word of the statement. */
  readonly statementLine: number;
  readonly lint: string;
  readonly reason: string;
}

export interface Position {
  readonly file: string;
  readonly line: number;
}

interface Created {
  readonly position: Position;
  /** Undefined if the statement does not name the schema. */
  readonly schema: string | undefined;
  readonly name: string;
  /** Name of the policy; undefined for other objects. */
  readonly policy: string | undefined;
}

/** A `grant … on … to …`. */
interface Granted {
  readonly position: Position;
  /** Without columns: `select, insert`. */
  readonly privileges: string;
  readonly objects: readonly ObjectName[];
  readonly roles: readonly string[];
}

interface ObjectName {
  readonly schema: string | undefined;
  /** Undefined: all objects of the schema. */
  readonly name: string | undefined;
}

export interface SourceIndex {
  readonly created: readonly Created[];
  readonly granted: readonly Granted[];
  readonly allowances: readonly Allowance[];
}

const NAME = `"(?:[^"]|"")+"|[\\p{L}_][\\p{L}\\p{N}_$]*`;
const QUALIFIED = `(?:(?<schema>${NAME})\\s*\\.\\s*)?(?<name>${NAME})`;
const CREATED = new RegExp(
  `^create\\s+(?:or\\s+replace\\s+)?(?:(?:unlogged|foreign|recursive|materialized)\\s+)*(?:table|view|function|procedure)\\s+(?:if\\s+not\\s+exists\\s+)?${QUALIFIED}`,
  'iu',
);
const POLICY = new RegExp(`^create\\s+policy\\s+(?<policy>${NAME})\\s+on\\s+${QUALIFIED}`, 'iu');
const GRANT =
  /^grant\s+(?<privileges>[^;]+?)\s+on\s+(?:(?:table|sequence|function|procedure|routine)\s+)?(?<objects>[^;]+?)\s+to\s+(?<roles>[^;]+?)(?:\s+(?:with\s+grant|granted\s+by)\s[^;]*)?\s*$/iu;
const ALL_IN_SCHEMA = /^all\s+\w+\s+in\s+schema\s+/iu;
/** Parentheses hold columns or types. */
const PARENTHESES = /\([^)]*\)/gu;
const ALLOWANCE = /^\s*--\s*rowhouse:\s*allow\s+(?<lint>\S+)\s*(?<reason>.*)$/iu;
/** What may stand between an allowance and its statement. */
const BETWEEN = /^\s*(?:--.*)?$/u;

export function indexSources({ schema }: Pick<Project, 'schema'>): SourceIndex {
  const created: Created[] = [];
  const granted: Granted[] = [];
  const allowances: Allowance[] = [];
  for (const file of schema) {
    for (const { part } of splitFile(file)) {
      allowances.push(...readAllowances(file.text.slice(0, part.start), file.path));
      if (part.kind !== 'statement') continue;
      const position = { file: file.path, line: part.line };
      granted.push(...readGrant(part.text, position));
      const { policy, schema: given, name } = (POLICY.exec(part.text) ?? CREATED.exec(part.text))?.groups ?? {};
      if (name === undefined) continue;
      created.push({
        position,
        schema: given && unquote(given),
        name: unquote(name),
        policy: policy && unquote(policy),
      });
    }
  }
  return { created, granted, allowances };
}

function readGrant(text: string, position: Position): readonly Granted[] {
  const { privileges = '', objects = '', roles } = GRANT.exec(text)?.groups ?? {};
  if (roles === undefined) return [];
  const isAll = ALL_IN_SCHEMA.test(objects);
  const names = objects.replace(ALL_IN_SCHEMA, '').replaceAll(PARENTHESES, '').split(',');
  return [
    {
      position,
      privileges: privileges.replaceAll(PARENTHESES, ''),
      objects: names.map((name) =>
        isAll ? { schema: unquote(name.trim()), name: undefined } : readObject(name.trim()),
      ),
      roles: roles.split(',').map((role) => unquote(role.trim())),
    },
  ];
}

/** @param before what precedes the first word of a statement */
function readAllowances(before: string, file: string): readonly Allowance[] {
  const lines = before.split('\n');
  const statementLine = lines.length;
  const found: Allowance[] = [];
  for (let line = lines.length - 1; line > 0; line -= 1) {
    const text = lines[line - 1] ?? '';
    if (!BETWEEN.test(text)) break;
    const { lint, reason = '' } = ALLOWANCE.exec(text)?.groups ?? {};
    if (lint !== undefined) found.push({ file, line, statementLine, lint, reason: reason.trim() });
  }
  return found;
}

/** @returns undefined if no file states it in a form that is recognized */
export function locate(place: Place, sources: SourceIndex): Position | undefined {
  const { created, granted } = sources;
  if (place.kind === 'line') return place.line === undefined ? undefined : { file: place.file, line: place.line };
  if (place.kind === 'grant') {
    const grant = granted.find((one) => isGrantOf(one, place));
    return grant?.position ?? locate({ kind: 'object', object: place.object }, sources);
  }
  const { schema, name } = readObject(place.kind === 'policy' ? place.table : place.object);
  const policy = place.kind === 'policy' ? place.name : undefined;
  const isIt = (one: Created): boolean =>
    one.name === name && one.policy === policy && (one.schema === undefined || one.schema === schema);
  return created.find(isIt)?.position;
}

function isGrantOf(
  { privileges, objects, roles }: Granted,
  { object, privilege, role }: Extract<Place, { readonly kind: 'grant' }>,
): boolean {
  const { schema, name } = readObject(object);
  return (
    new RegExp(`\\b(?:all|${privilege})\\b`, 'iu').test(privileges) &&
    roles.includes(role) &&
    objects.some((one) => (one.name ?? name) === name && (one.schema === undefined || one.schema === schema))
  );
}

const OBJECT = new RegExp(`^${QUALIFIED}`, 'u');

/** @param object as `quote_ident` writes it: `api."Orders"`, `api.f(integer)` */
function readObject(object: string): ObjectName {
  const { schema, name = '' } = OBJECT.exec(object)?.groups ?? {};
  return { schema: schema && unquote(schema), name: unquote(name) };
}

function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase();
}
