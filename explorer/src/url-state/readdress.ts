// Updates everything that refers to an embed when the embed is renamed or removed.
import type { Addressed, Filter, LogicGroup, LogicNode, OrderTerm } from '../../../src/request/query/query-params.ts';
import { changeParams, type EmbedPath, isSamePath, startsWithPath } from './levels.ts';
import type { QueryModel } from './query-model.ts';

/** The old path of an embed and its new name; undefined if it was removed. */
export interface Renaming {
  readonly path: EmbedPath;
  readonly name: string | undefined;
}

export function readdress(model: QueryModel, renaming: Renaming): QueryModel {
  const { filters, logic, having, distinct, scores, orders, ranges } = model.params;
  const keep = <T>(value: T): T => value;
  return changeParams(model, {
    filters: changeEntries(filters, renaming, renameFilter),
    logic: changeEntries(logic, renaming, renameGroup),
    having: changeEntries(having, renaming, keep),
    distinct: changeEntries(distinct, renaming, keep),
    scores: changeEntries(scores, renaming, keep),
    orders: changeEntries(orders, renaming, renameTerms),
    ranges: changeEntries(ranges, renaming, keep),
  });
}

/** @param rename updates entries of the embed's parent; returns undefined to remove an entry */
function changeEntries<T>(
  entries: readonly Addressed<T>[],
  renaming: Renaming,
  rename: (value: T, renaming: Renaming) => T | undefined,
): readonly Addressed<T>[] {
  const { path, name } = renaming;
  const parent = path.slice(0, -1);
  return entries.flatMap((entry) => {
    if (isSamePath(entry.path, parent)) {
      const value = rename(entry.value, renaming);
      return value === undefined ? [] : [{ path: entry.path, value }];
    }
    if (!startsWithPath(entry.path, path)) return [entry];
    return name === undefined ? [] : [{ ...entry, path: [...parent, name, ...entry.path.slice(path.length)] }];
  });
}

/** A null test on the name of an embed is a presence test. */
function renameFilter(filter: Filter, { path, name }: Renaming): Filter | undefined {
  const { field, operation } = filter;
  const isPresenceTest = operation.kind === 'is' && operation.value === 'null' && field.path.length === 0;
  if (!isPresenceTest || field.column !== path.at(-1)) return filter;
  return name === undefined ? undefined : { ...filter, field: { column: name, path: [] } };
}

function renameGroup(group: LogicGroup, renaming: Renaming): LogicGroup | undefined {
  const renameNode = (node: LogicNode): LogicNode | undefined => {
    if (node.kind === 'having' || node.kind === 'related') return node;
    return node.kind === 'filter' ? renameFilter(node, renaming) : renameGroup(node, renaming);
  };
  const members = group.members.map(renameNode).filter((node) => node !== undefined);
  return members.length === 0 ? undefined : { ...group, members };
}

function renameTerms(terms: readonly OrderTerm[], { path, name }: Renaming): readonly OrderTerm[] | undefined {
  const renamed = terms.flatMap((term) => {
    if (term.relation === undefined || term.relation !== path.at(-1)) return [term];
    return name === undefined ? [] : [{ ...term, relation: name }];
  });
  return renamed.length === 0 ? undefined : renamed;
}
