// Edits a selected item: path, cast, aggregate and alias.
import { useId } from 'preact/hooks';
import type { VNode } from 'preact';
import type { AggregateFunction, ColumnItem, SelectItem } from '../../../src/request/query/query-params.ts';
import { type ItemAddress, setAggregate, setAlias, setCast } from '../url-state/edit-columns.ts';
import { changeSelect } from '../url-state/levels.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { aggregatesFor, castsFor } from './aggregates.ts';
import { PathInput } from './field-choice.tsx';
import { type HistoryStep, type Level, typeOfField } from './level.ts';
import { useTyped } from './use-typed.ts';

export type ItemEdit = (model: QueryModel, address: ItemAddress) => QueryModel;

export interface ItemEditorProps {
  readonly level: Level;
  readonly item: Extract<SelectItem, { kind: 'column' | 'countRows' }>;
  readonly onEdit: (edit: ItemEdit, step?: HistoryStep) => void;
}

export function ItemEditor({ level, item, onEdit }: ItemEditorProps): VNode {
  const alias = useTyped(item.alias ?? '', (text, step) =>
    onEdit((model, address) => setAlias(model, address, text.trim()), step),
  );
  return (
    <div class="builder-fields">
      {item.kind === 'column' ? (
        <PathInput
          source={level.source}
          field={item.field}
          onField={(field, step) => onEdit((model, address) => setField(model, address, field), step)}
        />
      ) : null}
      <CastField {...{ level, item, onEdit }} />
      {item.kind === 'column' ? <AggregateField {...{ level, item, onEdit }} /> : null}
      <TextField label="Alias" size="small" {...alias} />
    </div>
  );
}

function CastField({ level, item, onEdit }: ItemEditorProps): VNode {
  const list = useId();
  const typed = useTyped(item.cast ?? '', (text, step) => {
    if (IS_TYPE.test(text)) onEdit((model, address) => setCast(model, address, text.trim()), step);
  });
  const casts = item.kind === 'column' ? castsFor(typeOfField(level.source, item.field)) : ['text'];
  return (
    <>
      <TextField
        label="Cast to type"
        size="small"
        isMono
        list={list}
        {...(IS_TYPE.test(typed.value) ? {} : { error: 'A type consists of letters, digits, _ and spaces.' })}
        {...typed}
      />
      <datalist id={list}>
        {casts.map((cast) => (
          <option key={cast} value={cast} />
        ))}
      </datalist>
    </>
  );
}

const IS_TYPE = /^[\p{L}\w $.-]*$/u;

function AggregateField({ level, item, onEdit }: ItemEditorProps & { readonly item: ColumnItem }): VNode | null {
  const present = item.aggregate?.function;
  if (!level.schema.document.features.aggregates && present === undefined) return null;
  const fitting = aggregatesFor(typeOfField(level.source, item.field));
  const offered: readonly AggregateFunction[] =
    present === undefined || fitting.includes(present) ? fitting : [...fitting, present];
  return (
    <SelectField
      label="Aggregate"
      size="small"
      value={present ?? ''}
      options={[{ value: '', label: 'none' }, ...offered.map((one) => ({ value: one, label: one }))]}
      onValue={(value) =>
        onEdit((model, address) =>
          setAggregate(
            model,
            address,
            offered.find((one) => one === value),
          ),
        )
      }
    />
  );
}

export function setField(model: QueryModel, { path, index }: ItemAddress, field: ColumnItem['field']): QueryModel {
  return changeSelect(model, path, (items) =>
    items.map((item, at) => (at === index && item.kind === 'column' ? { ...item, field } : item)),
  );
}
