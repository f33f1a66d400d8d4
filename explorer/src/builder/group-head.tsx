// Header of a group: its operator, and actions on the whole group.
import type { VNode } from 'preact';
import type { LogicGroup } from '../../../src/request/query/query-params.ts';
import {
  type ConditionAddress,
  groupCondition,
  negateCondition,
  removeCondition,
  setGroupOperator,
  ungroupConditions,
} from '../url-state/edit-conditions.ts';
import { SelectField } from '../ui/field.tsx';
import { Menu } from '../ui/menu.tsx';
import type { Level } from './level.ts';
import { RemoveButton } from './remove-button.tsx';

const OPERATORS = [
  { value: 'or', label: 'Any of these · or' },
  { value: 'and', label: 'All of these · and' },
  { value: 'not or', label: 'None of these · not.or' },
  { value: 'not and', label: 'Not all of these · not.and' },
] as const;

export interface GroupHeadProps {
  readonly level: Level;
  readonly address: ConditionAddress;
  readonly group: LogicGroup;
}

export function GroupHead({ level, address, group }: GroupHeadProps): VNode {
  const { model, change } = level;
  const setOperator = (value: string): void => {
    const operated = setGroupOperator(model, address, value.endsWith('and') ? 'and' : 'or');
    const isOpposite = value.startsWith('not') !== group.negated;
    change(isOpposite ? negateCondition(operated, address) : operated);
  };
  const put = (operator: 'and' | 'or'): void => change(groupCondition(model, address, operator));
  return (
    <div class="ui-row ui-gap-2 builder-card-head">
      <SelectField
        label="Rows match"
        isLabelHidden
        size="small"
        value={`${group.negated ? 'not ' : ''}${group.operator}`}
        options={OPERATORS}
        onValue={setOperator}
      />
      <Menu
        label="More"
        icon="more"
        isIconOnly
        size="small"
        items={[
          { label: 'Ungroup', icon: 'undo', onSelect: () => change(ungroupConditions(model, address)) },
          { label: 'Wrap in an “any of” group', note: 'or', onSelect: () => put('or') },
          { label: 'Wrap in an “all of” group', note: 'and', onSelect: () => put('and') },
        ]}
      />
      <RemoveButton label="Remove this group" onRemove={() => change(removeCondition(model, address))} />
    </div>
  );
}
