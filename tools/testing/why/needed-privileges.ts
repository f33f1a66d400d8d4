// The privileges that a request needs, as its plan tells, and which of them a role lacks.
import type { AccessRights, ColumnRight } from '../../../src/contract/access-document.ts';
import type { QualifiedName } from '../../../src/contract/identifiers.ts';
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import { isNestedAction, type NestedStatement } from '../../../src/extensions/nested/nested-plan.ts';
import { type ReadPlan, hasStar } from '../../../src/plan/levels/read-plan.ts';
import { extraColumns, filteredColumns } from '../../../src/plan/levels/row-source.ts';

export type ColumnPrivilege = 'select' | 'insert' | 'update';

export interface Need {
  readonly relation: QualifiedName;
  readonly privilege: ColumnPrivilege | 'delete';
  /** `all`: each of them; empty: some column, whichever. */
  readonly columns: readonly string[] | 'all';
}

export function listNeeds(action: ReadAction | MutateAction): readonly Need[] {
  return action.kind === 'read' ? needsOfRead(action.read) : needsOfWrite(action);
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

/** @param columns all of the relation @returns what is missing; empty: nothing */
export function findMissing(
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

/** Whether a write must also be able to read its rows, so that the policies for SELECT concern it. */
export function readsRows({ returning, where, conflict, condition, payload }: MutateAction): boolean {
  const isReturning = returning !== undefined && (returning.kind === 'row' || returning.names.length > 0);
  const isMatching = conflict !== undefined && (conflict.target !== 'any' || conflict.resolution === 'merge');
  const isCombining = payload?.columns.some(({ operation }) => operation !== undefined) ?? false;
  const isFiltering = where.length > 0 || condition !== undefined || payload?.elements !== undefined;
  return isReturning || isMatching || isCombining || isFiltering;
}
