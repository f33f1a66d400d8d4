// What the rows of a level must satisfy: filters, and groups of them to any depth.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { LogicGroup, LogicNode } from '../../../src/request/query/query-params.ts';
import {
  addCondition,
  type ConditionAddress,
  conditionsAt,
  groupCondition,
  negateCondition,
  removeCondition,
  replaceCondition,
  setGroupOperator,
  ungroupConditions,
} from '../url-state/edit-conditions.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { FilterEditor } from './filter-editor.tsx';
import type { Level } from './level.ts';
import { Section } from './section.tsx';

export function ConditionsSection({ level }: { readonly level: Level }): VNode {
  const conditions = conditionsAt(level.model, level.path);
  const isFirst = level.path.length === 0;
  return (
    <Section
      title="Filters"
      summary={conditions.length === 0 ? undefined : String(conditions.length)}
      isOpenAtFirst={isFirst || conditions.length > 0}
    >
      <Conditions level={level} indexes={[]} conditions={conditions} />
    </Section>
  );
}

interface ConditionsProps {
  readonly level: Level;
  readonly indexes: readonly number[];
  readonly conditions: readonly LogicNode[];
}

/** Those of the level, or the members of one group; then what adds one. */
function Conditions({ level, indexes, conditions }: ConditionsProps): VNode {
  return (
    <div class="builder-stack">
      {conditions.map((node, index) => {
        const address = { path: level.path, indexes: [...indexes, index] };
        return node.kind === 'group' ? (
          <Group key={index} {...{ level, address, group: node }} />
        ) : (
          <fieldset key={index} class="builder-card">
            <legend class="ui-unseen">{`Filter by ${node.field.column}`}</legend>
            <FilterEditor
              level={level}
              filter={node}
              onFilter={(filter, step) => level.change(replaceCondition(level.model, address, filter), step)}
              actions={<FilterActions {...{ level, address }} />}
            />
          </fieldset>
        );
      })}
      <AddConditions {...{ level, address: { path: level.path, indexes } }} />
    </div>
  );
}

interface NodeProps {
  readonly level: Level;
  readonly address: ConditionAddress;
}

function FilterActions({ level, address }: NodeProps): VNode {
  const { model } = level;
  return (
    <>
      <Menu
        label="More"
        icon="more"
        isIconOnly
        size="small"
        items={[
          {
            label: 'Put into an “any of” group',
            note: 'or',
            onSelect: () => level.change(groupCondition(model, address, 'or')),
          },
          {
            label: 'Put into an “all of” group',
            note: 'and',
            onSelect: () => level.change(groupCondition(model, address, 'and')),
          },
        ]}
      />
      <IconButton
        icon="close"
        size="small"
        label="Remove this filter"
        onClick={() => level.change(removeCondition(model, address))}
      />
    </>
  );
}

const GROUPS = [
  { value: 'or', label: 'Any of these · or' },
  { value: 'and', label: 'All of these · and' },
  { value: 'not or', label: 'None of these · not.or' },
  { value: 'not and', label: 'Not all of these · not.and' },
] as const;

function Group({ level, address, group }: NodeProps & { readonly group: LogicGroup }): VNode {
  const { model } = level;
  return (
    <fieldset class="builder-card builder-group">
      <legend class="ui-unseen">Group of filters</legend>
      <div class="builder-card-head">
        <SelectField
          label="Rows match"
          isLabelHidden
          size="small"
          value={`${group.negated ? 'not ' : ''}${group.operator}`}
          options={GROUPS}
          onValue={(value) => {
            const operated = setGroupOperator(model, address, value.endsWith('and') ? 'and' : 'or');
            const isOpposite = value.startsWith('not') !== group.negated;
            level.change(isOpposite ? negateCondition(operated, address) : operated);
          }}
        />
        <Menu label="More" icon="more" isIconOnly size="small" items={groupActions(level, address)} />
        <IconButton
          icon="close"
          size="small"
          label="Remove this group"
          onClick={() => level.change(removeCondition(model, address))}
        />
      </div>
      <Conditions level={level} indexes={address.indexes} conditions={group.members} />
    </fieldset>
  );
}

function groupActions({ model, change }: Level, address: ConditionAddress): readonly MenuItem[] {
  return [
    { label: 'Dissolve this group', icon: 'undo', onSelect: () => change(ungroupConditions(model, address)) },
    { label: 'Put into an “any of” group', note: 'or', onSelect: () => change(groupCondition(model, address, 'or')) },
    { label: 'Put into an “all of” group', note: 'and', onSelect: () => change(groupCondition(model, address, 'and')) },
  ];
}

/** A group comes into being with its first filter: the grammar has no empty one. */
function AddConditions({ level, address }: NodeProps): VNode {
  const [adding, setAdding] = useState<'filter' | 'or' | undefined>(undefined);
  if (adding !== undefined) {
    return (
      <fieldset class="builder-card builder-card-new">
        <legend class="ui-unseen">{adding === 'or' ? 'New group of filters' : 'New filter'}</legend>
        <FilterEditor
          level={level}
          filter={undefined}
          onFilter={(filter, step) => {
            setAdding(undefined);
            const added: LogicNode =
              adding === 'or' ? { kind: 'group', operator: 'or', negated: false, members: [filter] } : filter;
            level.change(addCondition(level.model, address, added), step);
          }}
          actions={<IconButton icon="close" size="small" label="Cancel" onClick={() => setAdding(undefined)} />}
        />
      </fieldset>
    );
  }
  return (
    <div class="builder-actions">
      <Button icon="plus" size="small" variant="quiet" onClick={() => setAdding('filter')}>
        Filter
      </Button>
      <Button icon="plus" size="small" variant="quiet" onClick={() => setAdding('or')}>
        Any-of group
      </Button>
    </div>
  );
}
