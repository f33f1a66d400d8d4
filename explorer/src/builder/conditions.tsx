// Filters and nested groups. New ones start as drafts, because the grammar has no filter without a value or group
// without members. A draft has the position and key of the final condition, so that it keeps the focus.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Filter, LogicGroup, LogicNode } from '../../../src/request/query/query-params.ts';
import {
  addCondition,
  type ConditionAddress,
  groupCondition,
  removeCondition,
  replaceCondition,
} from '../url-state/edit-conditions.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { FilterEditor } from './filter-editor.tsx';
import { GroupHead } from './group-head.tsx';
import type { HistoryStep, Level } from './level.ts';
import { RemoveButton } from './remove-button.tsx';

export interface ConditionsProps {
  readonly level: Level;
  /** Address of the containing group; `[]` for conditions of the level itself. */
  readonly indexes: readonly number[];
  readonly conditions: readonly LogicNode[];
  readonly onAdd: (added: LogicNode, step: HistoryStep) => void;
  /** If set, starts with the draft of a filter and is called when that is discarded. */
  readonly onGiveUp?: (() => void) | undefined;
}

type Draft = 'filter' | 'group' | undefined;

export function Conditions({ level, indexes, conditions, onAdd, onGiveUp }: ConditionsProps): VNode {
  const [draft, setDraft] = useState<Draft>(onGiveUp === undefined ? undefined : 'filter');
  const giveUp = (): void => {
    setDraft(undefined);
    onGiveUp?.();
  };
  const add = (added: LogicNode, step: HistoryStep): void => {
    setDraft(undefined);
    onAdd(added, step);
  };
  const drawn = withDraft(conditions, draft, indexes.length === 0);
  return (
    <div class="builder-stack">
      {drawn.map(({ key, kind, node, index }) => {
        const address = { path: level.path, indexes: [...indexes, index] };
        return kind === 'group' ? (
          <Group key={key} {...{ level, address, add, giveUp }} group={node?.kind === 'group' ? node : undefined} />
        ) : (
          <Card key={key} {...{ level, address, add, giveUp }} filter={node?.kind === 'filter' ? node : undefined} />
        );
      })}
      {draft === undefined ? <AddButtons onDraft={setDraft} /> : null}
    </div>
  );
}

interface DrawnCondition {
  readonly key: string;
  readonly kind: LogicNode['kind'];
  /** Undefined for the draft. */
  readonly node: LogicNode | undefined;
  readonly index: number;
}

/** Inserts the draft: at a level, filters precede groups; within a group, new members go last. */
function withDraft(conditions: readonly LogicNode[], draft: Draft, isSorted: boolean): readonly DrawnCondition[] {
  const counts = { filter: 0, having: 0, related: 0, group: 0 };
  const keyOf = (kind: LogicNode['kind']): string => `${kind} ${counts[kind]++}`;
  const drawn: DrawnCondition[] = conditions.map((node, index) => {
    return { key: keyOf(node.kind), kind: node.kind, node, index };
  });
  if (draft === undefined) return drawn;
  const at = isSorted && draft === 'filter' ? counts.filter : drawn.length;
  return drawn.toSpliced(at, 0, { key: keyOf(draft), kind: draft, node: undefined, index: at });
}

interface ConditionProps {
  readonly level: Level;
  readonly address: ConditionAddress;
  /** Turns the draft into a condition. */
  readonly add: (added: LogicNode, step: HistoryStep) => void;
  readonly giveUp: () => void;
}

function Card({
  level,
  address,
  filter,
  add,
  giveUp,
}: ConditionProps & { readonly filter: Filter | undefined }): VNode {
  const { model } = level;
  const element = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (filter === undefined) element.current?.querySelector('select')?.focus();
  }, []);
  const put = (next: Filter, step: HistoryStep): void => {
    if (filter === undefined) add(next, step);
    else level.change(replaceCondition(model, address, next), step);
  };
  const remove = filter === undefined ? giveUp : () => level.change(removeCondition(model, address));
  return (
    <fieldset ref={element} class={`builder-card${filter === undefined ? ' builder-card-new' : ''}`}>
      <legend class="ui-unseen">{filter === undefined ? 'New filter' : `Filter by ${filter.field.column}`}</legend>
      <FilterEditor
        level={level}
        filter={filter}
        onFilter={put}
        actions={
          <>
            {filter === undefined ? null : <GroupMenu {...{ level, address }} />}
            <RemoveButton label="Remove this filter" onRemove={remove} />
          </>
        }
      />
    </fieldset>
  );
}

function GroupMenu({ level, address }: Pick<ConditionProps, 'level' | 'address'>): VNode {
  const put = (operator: 'and' | 'or'): void => level.change(groupCondition(level.model, address, operator));
  return (
    <Menu
      label="More"
      icon="more"
      isIconOnly
      size="small"
      items={[
        { label: 'Wrap in an “any of” group', note: 'or', onSelect: () => put('or') },
        { label: 'Wrap in an “all of” group', note: 'and', onSelect: () => put('and') },
      ]}
    />
  );
}

function Group({
  level,
  address,
  group,
  add,
  giveUp,
}: ConditionProps & { readonly group: LogicGroup | undefined }): VNode {
  const addMember = (added: LogicNode, step: HistoryStep): void => {
    if (group !== undefined) level.change(addCondition(level.model, address, added), step);
    else add({ kind: 'group', operator: 'or', negated: false, members: [added] }, step);
  };
  return (
    <fieldset class={`builder-card builder-group${group === undefined ? ' builder-card-new' : ''}`}>
      <legend class="ui-unseen">{group === undefined ? 'New group of filters' : 'Group of filters'}</legend>
      {group === undefined ? null : <GroupHead {...{ level, address, group }} />}
      <Conditions
        {...{ level, indexes: address.indexes, conditions: group?.members ?? [] }}
        onAdd={addMember}
        onGiveUp={group === undefined ? giveUp : undefined}
      />
    </fieldset>
  );
}

function AddButtons({ onDraft }: { readonly onDraft: (draft: Draft) => void }): VNode {
  return (
    <div class="builder-actions">
      <Button icon="plus" size="small" variant="quiet" onClick={() => onDraft('filter')}>
        Filter
      </Button>
      <Button icon="plus" size="small" variant="quiet" onClick={() => onDraft('group')}>
        Any-of group
      </Button>
    </div>
  );
}
