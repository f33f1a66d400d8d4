// Which privilege a request lacks: those that it needs, as its plan tells, or one of a function or sequence that something
// uses.
import type { AccessRights, ColumnRight } from '../../../src/contract/access-document.ts';
import type { QualifiedName } from '../../../src/contract/identifiers.ts';
import { isNestedAction, type NestedStatement } from '../../../src/extensions/nested/nested-plan.ts';
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import { type ReadPlan, hasStar } from '../../../src/plan/levels/read-plan.ts';
import { extraColumns, filteredColumns } from '../../../src/plan/levels/row-source.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import { describeContext, type ExplainedRequest, quoteReport } from './failed-request.ts';
import type { Facts, Probe } from './probe.ts';
import { readTree } from './targets.ts';

export async function explainDenial(
  action: ReadAction | MutateAction,
  request: ExplainedRequest,
  probe: Probe,
): Promise<readonly string[]> {
  const { role, report } = request;
  const lines = new Set<string>();
  const needs = action.kind === 'read' ? needsOfRead(action.read) : needsOfWrite(action);
  for (const need of needs) {
    const facts = await probe.readFacts(need.relation, role);
    if (facts === undefined) continue;
    for (const line of describeMissing(need, facts)) lines.add(line);
    if (facts.relation.kind === 'view') for (const line of await explainBelowView(need, role, probe)) lines.add(line);
  }
  if (lines.size > 0) return [...lines];
  const context = await describeContext(request, probe);
  const used = await explainObject(
    request,
    needs.map(({ relation }) => relation.name),
    probe,
  );
  if (used.length > 0) return [...used, ...context];
  const what = context.length === 0 ? ': a sequence, a function, or a table that a policy reads' : '';
  return [
    `PostgreSQL reported ${quoteReport(report)}.`,
    `The privileges of ${role} on the tables of the request suffice, so it concerns something that they use${what}.`,
    ...context,
  ];
}

interface Need {
  readonly relation: QualifiedName;
  readonly privilege: 'select' | 'insert' | 'update' | 'delete';
  /** `all`: each of them; empty: some column, whichever. */
  readonly columns: readonly string[] | 'all';
}

function needsOfRead(read: ReadPlan): readonly Need[] {
  const selected = read.select.flatMap((item) => (item.kind === 'column' ? [item.field.column] : []));
  const ordered = read.order.flatMap((term) => (term.kind === 'field' ? [term.field.column] : []));
  const joined = read.embeds.flatMap(({ relationship }) => originColumnsOf(relationship));
  const columns = [
    ...new Set([...selected, ...ordered, ...joined, ...extraColumns(read), ...filteredColumns(read.where)]),
  ];
  return [
    { relation: read.relation, privilege: 'select', columns: hasStar({ ...read, embeds: [] }) ? 'all' : columns },
    ...read.embeds.flatMap(({ relationship, read: inner }) => [
      ...(relationship.kind === 'manyToMany'
        ? [{ relation: relationship.junction, privilege: 'select', columns: junctionColumnsOf(relationship) } as const]
        : []),
      ...needsOfRead(inner),
    ]),
  ];
}

type Relationship = ReadPlan['embeds'][number]['relationship'];

function originColumnsOf(relationship: Relationship): readonly string[] {
  if (relationship.kind === 'computed') return [];
  const pairs = relationship.kind === 'manyToMany' ? relationship.originColumns : relationship.columns;
  return pairs.map(([origin]) => origin);
}

function junctionColumnsOf({
  originColumns,
  targetColumns,
}: Extract<Relationship, { kind: 'manyToMany' }>): readonly string[] {
  return [...originColumns.map(([, own]) => own), ...targetColumns.map(([own]) => own)];
}

function needsOfWrite(action: MutateAction): readonly Need[] {
  return isNestedAction(action)
    ? action.parts.tasks.flatMap(({ forms }) => forms.flatMap(({ statement }) => needsOfStatement(statement)))
    : needsOfSingleWrite(action);
}

function needsOfStatement(statement: NestedStatement): readonly Need[] {
  const { verb, columns, match, cleared, returned, where, conflict } = statement;
  const relation = statement.relation.name;
  const written = columns.map(({ column }) => column.name);
  const changed = [...written.filter((name) => !match.includes(name)), ...cleared];
  const needs: Need[] = [];
  if (verb === 'insert') needs.push({ relation, privilege: 'insert', columns: written });
  if (verb === 'update' || verb === 'clearOthers' || conflict?.resolution === 'merge')
    needs.push({ relation, privilege: 'update', columns: changed });
  if (verb === 'delete' || verb === 'deleteOthers') needs.push({ relation, privilege: 'delete', columns: [] });
  const read = [...new Set([...returned, ...(verb === 'insert' ? [] : match), ...filteredColumns(where)])];
  return read.length === 0 ? needs : [...needs, { relation, privilege: 'select', columns: read }];
}

function needsOfSingleWrite(action: MutateAction): readonly Need[] {
  const { mutation, payload, conflict, returning, where, read } = action;
  const relation = action.relation.name;
  const written = payload?.columns.map(({ column }) => column.name) ?? [];
  const needs: Need[] = [];
  if (mutation === 'delete') needs.push({ relation, privilege: 'delete', columns: [] });
  if (mutation === 'update') needs.push({ relation, privilege: 'update', columns: written });
  if (mutation === 'insert' || mutation === 'put') needs.push({ relation, privilege: 'insert', columns: written });
  if (conflict?.resolution === 'merge')
    needs.push({ relation, privilege: 'update', columns: conflict.merged ?? written });
  const returned = returning?.kind === 'columns' ? returning.names : [];
  const columns = returning?.kind === 'row' ? 'all' : [...new Set([...returned, ...filteredColumns(where)])];
  if (columns === 'all' || columns.length > 0) needs.push({ relation, privilege: 'select', columns });
  return [...needs, ...read.embeds.flatMap(({ read: inner }) => needsOfRead(inner))];
}

/** Whether a write must also be able to read its rows, so that the policies for SELECT concern it. */
export function readsRows({ returning, where, conflict, condition, payload }: MutateAction): boolean {
  const isReturning = returning !== undefined && (returning.kind === 'row' || returning.names.length > 0);
  const isMatching = conflict !== undefined && (conflict.target !== 'any' || conflict.resolution === 'merge');
  const isCombining = payload?.columns.some(({ operation }) => operation !== undefined) ?? false;
  const isFiltering = where.length > 0 || condition !== undefined || payload?.elements !== undefined;
  return isReturning || isMatching || isCombining || isFiltering;
}

function describeMissing(need: Need, { relation, role, rights, name }: Facts): readonly string[] {
  const usage = role.hasUsage ? [] : [`${role.name} lacks USAGE on the schema ${name.schema}.`];
  const missing = findMissing(need, rights, relation.columns);
  const privilege = need.privilege.toUpperCase();
  if (missing === 'all') return [...usage, `${role.name} lacks ${privilege} on ${relation.name}.`];
  if (missing.length === 0) return usage;
  const columns = missing.length === 1 ? 'column' : 'columns';
  return [...usage, `${role.name} lacks ${privilege} on the ${columns} ${missing.join(', ')} of ${relation.name}.`];
}

/** @param columns all of the relation @returns what is missing; empty: nothing */
function findMissing(
  { privilege, columns: needed }: Need,
  rights: AccessRights,
  columns: readonly string[],
): readonly string[] | 'all' {
  const right: ColumnRight = rights[privilege];
  if (right === true) return [];
  if (right === false) return 'all';
  // A computed column takes the whole row.
  const isWhole = needed === 'all' || needed.some((column) => !columns.includes(column));
  return (isWhole ? columns : needed).filter((column) => !right.includes(column));
}

/** A view needs the privileges of its owner, or of the role itself. */
async function explainBelowView(need: Need, role: string, probe: Probe): Promise<readonly string[]> {
  const lines: string[] = [];
  const [, ...tables] = await readTree(need.relation, role, probe);
  for (const { reader, ...name } of tables) {
    const facts = await probe.readFacts(name, reader);
    if (facts === undefined || facts.rights[need.privilege] !== false) continue;
    const right = reader === role ? '(security_invoker)' : '(its owner)';
    lines.push(
      `${reader} lacks ${need.privilege.toUpperCase()} on ${name.name}, which the view ${need.relation.name} uses as ${reader} ${right}.`,
    );
  }
  return lines;
}

/** PostgreSQL names the object without its schema. */
const DENIED_OBJECT = /^permission denied for (?<kind>function|sequence) (?<name>.+)$/u;

/** The functions or sequences ($1) called $2 that the role $3 may not use, and what uses them of the tables $4. */
const OBJECTS_SQL = `
WITH object AS (
  SELECT 'EXECUTE on the function' AS lacking, oid, 'pg_catalog.pg_proc'::pg_catalog.regclass AS class,
    pronamespace AS space, proname AS name
  FROM pg_catalog.pg_proc WHERE $1 = 'function' AND NOT pg_catalog.has_function_privilege($3, oid, 'EXECUTE')
  UNION ALL
  SELECT 'USAGE on the sequence', oid, 'pg_catalog.pg_class'::pg_catalog.regclass, relnamespace, relname
  FROM pg_catalog.pg_class
  WHERE $1 = 'sequence' AND relkind = 'S' AND NOT pg_catalog.has_sequence_privilege($3, oid, 'USAGE')
), used AS (
  SELECT depend.refclassid, depend.refobjid, pg_catalog.concat(CASE WHEN policy.oid IS NOT NULL
    THEN 'the policy ' || policy.polname ELSE 'the default of ' || attribute.attname END, ' on ', class.relname) AS name
  FROM pg_catalog.pg_depend AS depend
  LEFT JOIN pg_catalog.pg_policy AS policy
    ON depend.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND policy.oid = depend.objid
  LEFT JOIN pg_catalog.pg_attrdef AS given
    ON depend.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND given.oid = depend.objid
  LEFT JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = given.adrelid AND attribute.attnum = given.adnum
  JOIN pg_catalog.pg_class AS class ON class.oid IN (policy.polrelid, given.adrelid)
  WHERE class.relname = ANY ($4)
)
SELECT pg_catalog.format('%s lacks %s %I.%I%s.', $3::text, lacking, space.nspname, object.name, (
  SELECT CASE pg_catalog.count(DISTINCT name) WHEN 0 THEN NULL ELSE ', which '
    || pg_catalog.string_agg(DISTINCT name, ', ') || CASE pg_catalog.count(DISTINCT name) WHEN 1 THEN ' uses' ELSE ' use' END END
  FROM used WHERE refclassid = object.class AND refobjid = object.oid))
FROM object JOIN pg_catalog.pg_namespace AS space ON space.oid = object.space
WHERE object.name = $2 ORDER BY 1 LIMIT 10`;

/** @param tables names of those of the request @returns none if the report names no such object */
async function explainObject(
  { report, role }: ExplainedRequest,
  tables: readonly string[],
  probe: Probe,
): Promise<readonly string[]> {
  const { kind, name = '' } = DENIED_OBJECT.exec(report.message)?.groups ?? {};
  return kind === undefined ? [] : probe.list(OBJECTS_SQL, [kind, name, role, renderArrayLiteral(tables)]);
}
