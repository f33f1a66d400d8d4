// Edits of the conditions of a level, which are one list combined with AND: filters first, then groups. A condition is
// addressed by its level and indexes: `[2]` is the third of the level, `[2, 0]` the first member of that group. After
// each edit, read `conditionsAt` again, because a filter that becomes a group moves after the filters.
import type { Filter, LogicGroup, LogicNode } from '../../../src/request/query/query-params.ts';
import { startFromFirstRow } from './edit-ranges.ts';
import { changeParams, type EmbedPath, isSamePath, replaceAt } from './levels.ts';
import type { QueryModel } from './query-model.ts';

export interface ConditionAddress {
  readonly path: EmbedPath;
  readonly indexes: readonly number[];
}

/** Returns the filters, then the groups. */
export function conditionsAt({ params }: QueryModel, path: EmbedPath): readonly LogicNode[] {
  return [...params.filters, ...params.logic].filter((entry) => isSamePath(entry.path, path)).map(({ value }) => value);
}

export function conditionAt(model: QueryModel, { path, indexes }: ConditionAddress): LogicNode | undefined {
  let members = conditionsAt(model, path);
  let found: LogicNode | undefined;
  for (const index of indexes) {
    found = members[index];
    members = found?.kind === 'group' ? found.members : [];
  }
  return found;
}

/** Adds a filter or a group to the level (`indexes: []`), or as the last member of a group. */
export function addCondition(model: QueryModel, { path, indexes }: ConditionAddress, added: LogicNode): QueryModel {
  return changeMembers(model, { path, indexes }, (members) => [...members, added]);
}

/** Replaces a filter or group. */
export function replaceCondition(model: QueryModel, address: ConditionAddress, by: LogicNode): QueryModel {
  return changeCondition(model, address, () => [by]);
}

/** Removes a condition, and groups that become empty. */
export function removeCondition(model: QueryModel, address: ConditionAddress): QueryModel {
  return changeCondition(model, address, () => []);
}

/** Negates a filter or group. */
export function negateCondition(model: QueryModel, address: ConditionAddress): QueryModel {
  return changeCondition(model, address, (node) => [{ ...node, negated: !node.negated }]);
}

/** Wraps a condition in a new group. */
export function groupCondition(model: QueryModel, address: ConditionAddress, operator: 'and' | 'or'): QueryModel {
  return changeCondition(model, address, (node) => [{ kind: 'group', operator, negated: false, members: [node] }]);
}

/** Replaces a group by its members. */
export function ungroupConditions(model: QueryModel, address: ConditionAddress): QueryModel {
  return changeCondition(model, address, (node) => (node.kind === 'group' ? node.members : [node]));
}

/** Changes the operator of a group. */
export function setGroupOperator(model: QueryModel, address: ConditionAddress, operator: 'and' | 'or'): QueryModel {
  return changeCondition(model, address, (node) => [node.kind === 'group' ? { ...node, operator } : node]);
}

/** Removes all conditions of a level. */
export function clearConditions(model: QueryModel, path: EmbedPath): QueryModel {
  return setConditions(model, path, []);
}

/** Replaces the conditions of a level and resets its offset. */
function setConditions(model: QueryModel, path: EmbedPath, conditions: readonly LogicNode[]): QueryModel {
  const filters = conditions.filter((node): node is Filter => node.kind === 'filter');
  const groups = conditions.filter((node): node is LogicGroup => node.kind === 'group');
  const changed = changeParams(model, {
    filters: replaceAt(model.params.filters, path, filters),
    logic: replaceAt(model.params.logic, path, groups),
  });
  return startFromFirstRow(changed, path);
}

type NodeChange = (node: LogicNode) => readonly LogicNode[];
type MembersChange = (members: readonly LogicNode[]) => readonly LogicNode[];

function changeCondition(model: QueryModel, { path, indexes }: ConditionAddress, change: NodeChange): QueryModel {
  const last = indexes.at(-1);
  if (last === undefined) return model;
  return changeMembers(model, { path, indexes: indexes.slice(0, -1) }, (members) =>
    members.flatMap((node, index) => (index === last ? change(node) : [node])),
  );
}

function changeMembers(model: QueryModel, { path, indexes }: ConditionAddress, change: MembersChange): QueryModel {
  return setConditions(model, path, changeWithin(conditionsAt(model, path), indexes, change));
}

function changeWithin(
  members: readonly LogicNode[],
  [first, ...rest]: readonly number[],
  change: MembersChange,
): readonly LogicNode[] {
  if (first === undefined) return change(members);
  return members.flatMap((node, index) => {
    if (index !== first || node.kind !== 'group') return [node];
    const changed = changeWithin(node.members, rest, change);
    return changed.length === 0 ? [] : [{ ...node, members: changed }];
  });
}
