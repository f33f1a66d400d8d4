// Selects the column of a filter or order term, from the columns of the level or additional options.
import type { VNode } from 'preact';
import type { Field } from '../../../src/request/query/query-params.ts';
import { SelectField, type SelectOption, TextField } from '../ui/field.tsx';
import { hasPaths, parsePath, renderSteps } from './json-path.ts';
import type { HistoryStep, Level, RowSource } from './level.ts';
import { useTyped } from './use-typed.ts';

export interface FieldChoiceProps {
  readonly level: Level;
  /** Undefined if none is chosen yet. */
  readonly chosen: string | undefined;
  readonly label: string;
  /** Shown until one is chosen. */
  readonly prompt?: string;
  /** Additional options, after the columns. */
  readonly others?: readonly SelectOption[];
  readonly onChoose: (value: string) => void;
}

const COLUMN = 'column ';

export function valueOfColumn(name: string): string {
  return COLUMN + name;
}

/** Returns undefined if the option is not a column. */
export function columnOfValue(value: string): string | undefined {
  return value.startsWith(COLUMN) ? value.slice(COLUMN.length) : undefined;
}

/** Also offers an unknown column that the URL contains. */
export function FieldChoice(props: FieldChoiceProps): VNode {
  const { level, chosen, label, prompt = 'Choose a column', others = [], onChoose } = props;
  const columns = level.source.columns.map(({ name }) => ({ value: valueOfColumn(name), label: name }));
  const known = [...columns, ...others];
  const isKnown = chosen === undefined || known.some(({ value }) => value === chosen);
  const none = chosen === undefined ? [{ value: '', label: prompt, isDisabled: true }] : [];
  const present = isKnown ? [] : [{ value: chosen, label: columnOfValue(chosen) ?? chosen }];
  return (
    <SelectField
      label={label}
      isLabelHidden
      size="small"
      value={chosen ?? ''}
      options={[...none, ...known, ...present]}
      onValue={onChoose}
    />
  );
}

export interface PathInputProps {
  readonly source: RowSource;
  readonly field: Field;
  readonly onField: (field: Field, step: HistoryStep) => void;
}

/** Renders nothing unless the column supports paths. */
export function PathInput(props: PathInputProps): VNode | null {
  return hasPaths(props.source, props.field) ? <PathText {...props} /> : null;
}

function PathText({ field, onField }: PathInputProps): VNode {
  const typed = useTyped(renderSteps(field.path), (text, step) => {
    const path = parsePath(text);
    if (path !== undefined) onField({ ...field, path }, step);
  });
  const error = parsePath(typed.value) === undefined ? { error: 'Enter -> or ->> before each key or index.' } : {};
  return <TextField label="JSON path" size="small" isMono placeholder="->key->>0" {...error} {...typed} />;
}
