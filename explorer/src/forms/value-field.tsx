// The input for a value of a given type.
import type { VNode } from 'preact';
import { LookUpField } from '../builder/look-up-field.tsx';
import type { LookUp } from '../builder/look-up.ts';
import type { Store } from '../store/store.ts';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import type { FieldValue } from './field-value.ts';
import type { FormInput } from './form-input.ts';
import { toLocalTime, withOffset } from './zoned-time.ts';

export interface ValueFieldProps {
  readonly store: Store;
  readonly label: string;
  readonly input: FormInput;
  readonly value: FieldValue;
  /** Shown if the value is unset. */
  readonly placeholder: string;
  /** Set if the column references another row. */
  readonly lookUp: LookUp | undefined;
  readonly error: string | undefined;
  readonly onText: (text: string) => void;
  /** Takes the text of a search for the referenced row that ended without one. */
  readonly onUnmatched?: ((text: string) => void) | undefined;
}

export function ValueField(props: ValueFieldProps): VNode {
  const { store, label, input, value, lookUp, error, onText, onUnmatched } = props;
  const text = value.kind === 'text' ? value.text : '';
  const placeholder = value.kind === 'null' ? 'null' : props.placeholder;
  const shared = { label, isLabelHidden: true, error, value: text, onValue: onText } as const;
  if (lookUp !== undefined && input.kind !== 'choice') {
    return (
      <>
        <LookUpField
          {...{ store, lookUp, onUnmatched }}
          value={text}
          unmatched={value.kind === 'unmatched' ? value.text : undefined}
          onValue={onText}
        />
        {error === undefined ? null : <p class="ui-field-error">{error}</p>}
      </>
    );
  }
  switch (input.kind) {
    case 'choice':
      return <ChoiceField {...shared} values={input.values} placeholder={placeholder} />;
    case 'json':
    case 'lines':
    case 'paragraph':
      return <LongField {...shared} input={input} placeholder={placeholder} />;
    case 'number':
      return <TextField {...shared} isMono inputMode="decimal" placeholder={placeholder} />;
    case 'date':
    case 'time':
    case 'timestamp':
    case 'zonedTimestamp':
      return <TimeField {...shared} kind={input.kind} placeholder={placeholder} />;
    case 'line':
      return <TextField {...shared} placeholder={placeholder === '' ? input.placeholder : placeholder} />;
  }
}

interface SharedProps {
  readonly label: string;
  readonly isLabelHidden: true;
  readonly error: string | undefined;
  readonly value: string;
  readonly onValue: (text: string) => void;
  readonly placeholder: string;
}

function ChoiceField({ values, placeholder, ...shared }: SharedProps & { readonly values: readonly string[] }): VNode {
  const { value } = shared;
  const known = value === '' || values.includes(value) ? values : [value, ...values];
  const options = known.map((one) => ({ value: one, label: one }));
  return <SelectField {...shared} options={[{ value: '', label: placeholder, isDisabled: true }, ...options]} />;
}

function LongField({ input, placeholder, ...shared }: SharedProps & { readonly input: FormInput }): VNode {
  const isText = input.kind === 'paragraph';
  const example = input.kind === 'json' ? input.placeholder : input.kind === 'lines' ? 'One element per line' : '';
  return (
    <TextArea
      {...shared}
      isMono={!isText}
      rows={isText ? 1 : 2}
      placeholder={placeholder === '' ? example : placeholder}
    />
  );
}

const HTML_TYPES = {
  date: 'date',
  time: 'time',
  timestamp: 'datetime-local',
  zonedTimestamp: 'datetime-local',
} as const;
const SHAPES = {
  date: /^\d{4}-\d\d-\d\d$/u,
  time: /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/u,
  timestamp: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/u,
} as const;

/** Falls back to a text input for values that a date input cannot show (`infinity`, years BC). */
function TimeField({
  kind,
  value,
  onValue,
  ...shared
}: SharedProps & { readonly kind: keyof typeof HTML_TYPES }): VNode {
  const isZoned = kind === 'zonedTimestamp';
  const shown = isZoned ? toLocalTime(value) : SHAPES[kind].test(value) ? value : undefined;
  if (value !== '' && shown === undefined) return <TextField {...shared} {...{ value, onValue }} />;
  const step = kind === 'date' ? {} : { step: '1' };
  const change = (text: string): void => onValue(isZoned && text !== '' ? withOffset(text) : text);
  return <TextField {...shared} {...step} type={HTML_TYPES[kind]} value={shown ?? ''} onValue={change} />;
}
