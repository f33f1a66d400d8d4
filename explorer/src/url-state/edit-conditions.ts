// Edits of what rows must satisfy. The conditions of a level are one list, all of which must hold: its filters, then its
// groups. A condition is addressed by its level and by indexes: `[2]` is the third of the level, `[2, 0]` the first member
// of that group. A filter that becomes a group moves behind the filters: read `conditionsAt` again after each edit.
import type { Filter, LogicGroup, LogicNode } from '../../../src/request/query/query-params.ts';
import { startFromFirstRow } from './edit-ranges.ts';
import { changeParams, type EmbedPath, isSamePath, replaceAt } from './levels.ts';
import type { QueryModel } from './query-model.ts';

export interface ConditionAddress {
  readonly path: EmbedPath;
  readonly indexes: readonly number[];
}

/** Filters, then groups. */
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

/** Puts another filter or group in the place of one. */
export function replaceCondition(model: QueryModel, address: ConditionAddress, by: LogicNode): QueryModel {
  return changeCondition(model, address, () => [by]);
}

/** Takes a condition away, and groups that have no members then. */
export function removeCondition(model: QueryModel, address: ConditionAddress): QueryModel {
  return changeCondition(model, address, () => []);
}

/** Turns a filter or a group into its opposite. */
export function negateCondition(model: QueryModel, address: ConditionAddress): QueryModel {
  return changeCondition(model, address, (node) => [{ ...node, negated: !node.negated }]);
}

/** Puts a condition into a new group, to which others can be added. */
export function groupCondition(model: QueryModel, address: ConditionAddress, operator: 'and' | 'or'): QueryModel {
  return changeCondition(model, address, (node) => [{ kind: 'group', operator, negated: false, members: [node] }]);
}

/** Puts the members of a group in its place. */
export function ungroupConditions(model: QueryModel, address: ConditionAddress): QueryModel {
  return changeCondition(model, address, (node) => (node.kind === 'group' ? node.members : [node]));
}

/** Makes `and` of a group's `or`, or the other way. */
export function setGroupOperator(model: QueryModel, address: ConditionAddress, operator: 'and' | 'or'): QueryModel {
  return changeCondition(model, address, (node) => [node.kind === 'group' ? { ...node, operator } : node]);
}

/** Takes all conditions of a level away. */
export function clearConditions(model: QueryModel, path: EmbedPath): QueryModel {
  return setConditions(model, path, []);
}

/** Gives a level other conditions, and shows it from its first row on. */
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
