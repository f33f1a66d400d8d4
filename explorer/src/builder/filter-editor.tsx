// Edits a filter: column, operator and value. Applies it as soon as it is complete.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { Filter } from '../../../src/request/query/query-params.ts';
import { SelectField, type SelectOption } from '../ui/field.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { nameOfEmbed } from '../url-state/levels.ts';
import { columnOfValue, FieldChoice, PathInput, valueOfColumn } from './field-choice.tsx';
import { operatorsWith } from './fitting-operators.ts';
import { embedsOf, type HistoryStep, type Level, typeOfField } from './level.ts';
import { findLookUp } from './look-up.ts';
import { firstOperation, isPresenceTest, presenceTest } from './new-filter.ts';
import { describeOperator, isComplete, keyOfOperator, operatorOf, withOperator } from './operators.ts';
import { ValueField } from './value-field.tsx';

export interface FilterEditorProps {
  readonly level: Level;
  /** Undefined for a new filter. */
  readonly filter: Filter | undefined;
  readonly onFilter: (filter: Filter, step: HistoryStep) => void;
  /** Buttons beside the column. */
  readonly actions: ComponentChildren;
}

const EMBED = 'embed ';

export function FilterEditor({ level, filter, onFilter, actions }: FilterEditorProps): VNode {
  const [draft, setDraft] = useState<Filter | undefined>(undefined);
  // A layout effect, because a later effect could undo a choice made in between.
  useLayoutEffect(() => setDraft(undefined), [JSON.stringify(filter)]);
  const shown = draft ?? filter;
  const put = (next: Filter, step: HistoryStep = 'push'): void => {
    setDraft(isComplete(next.operation) ? undefined : next);
    if (isComplete(next.operation)) onFilter(next, step);
  };
  const choose = (value: string): void => {
    const column = columnOfValue(value);
    if (column === undefined) return put(presenceTest(value.slice(EMBED.length), true));
    const field = { column, path: [] };
    put({ kind: 'filter', field, negated: false, operation: firstOperation(typeOfField(level.source, field)) });
  };
  const isPresence = shown !== undefined && isPresenceTest(level, shown);
  const prefix = isPresence ? EMBED : valueOfColumn('');
  return (
    <>
      <div class="ui-row ui-gap-2 builder-card-head">
        <FieldChoice
          level={level}
          label="Column"
          chosen={shown && prefix + shown.field.column}
          others={embedsOf(level).map((embed) => presenceOption(nameOfEmbed(embed)))}
          onChoose={choose}
        />
        {actions}
      </div>
      {shown === undefined ? null : <Condition {...{ level, shown, put, isPresence }} />}
      {draft === undefined ? null : <p class="builder-note">Enter a value to apply this filter.</p>}
    </>
  );
}

function presenceOption(name: string): SelectOption {
  return { value: EMBED + name, label: `${name} (related rows)` };
}

interface ConditionProps {
  readonly level: Level;
  readonly shown: Filter;
  readonly isPresence: boolean;
  readonly put: (filter: Filter, step?: HistoryStep) => void;
}

function Condition({ level, shown, isPresence, put }: ConditionProps): VNode {
  const { field, operation } = shown;
  if (isPresence) return <Presence {...{ shown, put }} />;
  const { schema, source, store } = level;
  const isWhole = field.path.length === 0;
  const lookUp = isWhole && source.relation ? findLookUp(schema, source.relation, field.column) : undefined;
  return (
    <>
      <PathInput source={source} field={field} onField={(next, step) => put({ ...shown, field: next }, step)} />
      <div class="builder-operator">
        <Checkbox label="not" isChecked={shown.negated} onChange={(negated) => put({ ...shown, negated })} />
        <OperatorChoiceField {...{ level, shown, put }} />
      </div>
      <ValueField
        {...{ store, lookUp, operation }}
        type={typeOfField(source, field)}
        onOperation={(next, step) => put({ ...shown, operation: next }, step)}
      />
    </>
  );
}

function OperatorChoiceField({ level, shown, put }: Omit<ConditionProps, 'isPresence'>): VNode {
  const present = operatorOf(shown.operation);
  const groups = operatorsWith(typeOfField(level.source, shown.field), present);
  const options = groups.flatMap(({ label, operators }, index) => [
    ...(index === 0 ? [] : [{ value: label, label: `– ${label} –`, isDisabled: true }]),
    ...operators.map((one) => ({ value: keyOfOperator(one), label: describeOperator(one) })),
  ]);
  const all = groups.flatMap(({ operators }) => operators);
  return (
    <SelectField
      label="Operator"
      isLabelHidden
      size="small"
      value={keyOfOperator(present)}
      options={options}
      onValue={(key) => {
        const chosen = all.find((one) => keyOfOperator(one) === key);
        if (chosen !== undefined) put({ ...shown, operation: withOperator(shown.operation, chosen) });
      }}
    />
  );
}

function Presence({ shown, put }: Pick<ConditionProps, 'shown' | 'put'>): VNode {
  return (
    <SelectField
      label="Related rows"
      isLabelHidden
      size="small"
      value={shown.negated ? 'some' : 'none'}
      options={[
        { value: 'some', label: 'has some' },
        { value: 'none', label: 'has none' },
      ]}
      onValue={(value) => put(presenceTest(shown.field.column, value === 'some'))}
    />
  );
}
