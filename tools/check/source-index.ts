// Finds where the files of a project state what a finding is about, and the allowances written there (`project.md` §6
// item 3). Recognizes statements by their first words; it does not parse SQL.
import type { Project, SourceFile } from '../project/folder/read-project.ts';
import { splitFile, type Statement } from '../project/run/statement.ts';
import type { Place } from './lints/finding.ts';

/** `-- rowhouse: allow LINT_NAME reason`, in the comment before a statement. */
export interface Allowance {
  readonly file: string;
  /** Of the comment. */
  readonly line: number;
  /** Of the first word of the statement; undefined if it is not in the comment before one. */
  readonly statementLine: number | undefined;
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
  /** What follows the name. */
  readonly rest: string;
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
const ALLOWANCE = /(?:--|\/\*)\s*rowhouse:\s*allow\s+(?<lint>\S+)\s*(?<reason>.*)$/iu;
/** What may stand between an allowance and its statement. */
const BETWEEN = /^\s*(?:--.*)?$/u;

export function indexSources({ roles, schema }: Pick<Project, 'roles' | 'schema'>): SourceIndex {
  const created: Created[] = [];
  const granted: Granted[] = [];
  const allowances: Allowance[] = [];
  for (const file of [...(roles === undefined ? [] : [roles]), ...schema]) {
    const parts = splitFile(file);
    allowances.push(...readAllowances(file, parts));
    for (const { part } of parts) {
      if (part.kind !== 'statement') continue;
      const position = { file: file.path, line: part.line };
      granted.push(...readGrant(part.text, position));
      const match = POLICY.exec(part.text) ?? CREATED.exec(part.text);
      const { policy, schema: given, name } = match?.groups ?? {};
      if (match === null || name === undefined) continue;
      created.push({
        position,
        schema: given && unquote(given),
        name: unquote(name),
        policy: policy && unquote(policy),
        rest: part.text.slice(match[0].length),
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

/** Also returns those that stand elsewhere than before a statement. */
function readAllowances({ path, text }: SourceFile, parts: readonly Statement[]): readonly Allowance[] {
  const lines = text.split(/\r?\n/u);
  const statements = new Map<number, number>();
  for (const { part } of parts)
    for (let line = part.line - 1; line > 0 && BETWEEN.test(lines[line - 1] ?? ''); line -= 1)
      statements.set(line, part.line);
  return lines.flatMap((source, index): readonly Allowance[] => {
    const { lint, reason = '' } = ALLOWANCE.exec(source)?.groups ?? {};
    const line = index + 1;
    const statementLine = statements.get(line);
    return lint === undefined ? [] : [{ file: path, line, statementLine, lint, reason: reason.trim() }];
  });
}

/** @returns undefined if no file states it in a form that is recognized */
export function locate(place: Place, sources: SourceIndex): Position | undefined {
  const { created, granted } = sources;
  if (place.kind === 'line') return place.line === undefined ? undefined : { file: place.file, line: place.line };
  if (place.kind === 'grant') {
    const grant = granted.find((one) => isGrantOf(one, place));
    return grant?.position ?? locate({ kind: 'object', object: place.object }, sources);
  }
  const object = place.kind === 'policy' ? place.table : place.object;
  // Roles and options have no schema.
  if (!object.includes('.')) return undefined;
  const { schema, name } = readObject(object);
  const policy = place.kind === 'policy' ? place.name : undefined;
  const isIt = (one: Created): boolean =>
    one.name === name && one.policy === policy && (one.schema === undefined || one.schema === schema);
  const found = created.filter(isIt);
  const types = place.kind === 'object' ? /\((?<types>.*)\)$/u.exec(place.object)?.groups?.['types'] : undefined;
  const overload = types === undefined ? undefined : found.find(({ rest }) => takesTypes(rest, types.split(', ')));
  return (overload ?? found[0])?.position;
}

/** The names under which `format_type` does not print a type. */
const SPELLINGS: readonly (readonly [given: RegExp, printed: string])[] = [
  [/\bint(?:4)?\b/gu, 'integer'],
  [/\bint8\b/gu, 'bigint'],
  [/\bint2\b/gu, 'smallint'],
  [/\bbool\b/gu, 'boolean'],
  [/\bvarchar\b/gu, 'character varying'],
  [/\b(?:bpchar|char)\b/gu, 'character'],
  [/\b(?:dec|decimal)\b/gu, 'numeric'],
  [/\bfloat8\b|\bfloat\b/gu, 'double precision'],
  [/\bfloat4\b/gu, 'real'],
  [/\btime(stamp)?tz\b/gu, 'time$1 with time zone'],
  [/(?<!with(?:out)? )\btime(stamp)?\b(?! with)/gu, 'time$1 without time zone'],
];

/** @param parameters begins with the list of parameters, as written */
function takesTypes(parameters: string, types: readonly string[]): boolean {
  const list = /^\s*\((?<list>(?:[^()]|\([^()]*\))*)\)/u.exec(parameters)?.groups?.['list'] ?? '';
  const taken = list
    .replaceAll(PARENTHESES, '')
    .toLowerCase()
    .split(',')
    .map((parameter) =>
      parameter
        .replace(/(?:\bdefault\b|:?=)[^]*/u, '')
        .replaceAll(/\s+/gu, ' ')
        .trim(),
    )
    .filter((parameter) => parameter !== '' && !parameter.startsWith('out '))
    .map((parameter) => SPELLINGS.reduce((text, [given, printed]) => text.replace(given, printed), parameter));
  const isOf = (type: string, index: number): boolean =>
    ` ${taken[index]}`.replaceAll('.', ' ').endsWith(` ${type.toLowerCase().replaceAll('.', ' ')}`);
  return types[0] === '' ? taken.length === 0 : taken.length === types.length && types.every(isOf);
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
