// One row of a form: name, type and notes of a field, its input, and buttons to set it to null, reset it,
// or change it in place.
import type { VNode } from 'preact';
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import { readableTime } from '../rows/value-text.ts';
import { shortTypeName } from '../schema/short-type.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Name } from '../ui/text.tsx';
import { type FieldValue, isSameValue, NULL, type Operation, operationOf, textValue, UNSET } from './field-value.ts';
import { type FormInput, formInputFor } from './form-input.ts';
import { ValueField, type ValueFieldProps } from './value-field.tsx';

export interface FormRowProps extends Pick<ValueFieldProps, 'store' | 'lookUp' | 'error'> {
  readonly name: string;
  readonly type: DescribedType;
  readonly input: FormInput;
  readonly comment?: string | undefined;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Placeholder of an empty input. */
  readonly placeholder: string;
  readonly maxLength?: number | undefined;
  readonly initial: FieldValue;
  /** The operation that can change the stored value in place. */
  readonly operation?: Operation | undefined;
  readonly value: FieldValue;
  /** Where the value comes from. */
  readonly note?: string | undefined;
  readonly onValue: (value: FieldValue) => void;
}

export function FormRow(props: FormRowProps): VNode {
  const { store, name, type, comment, value, note, initial, isNullable, onValue } = props;
  const label = name === '' ? 'Value' : name;
  const isChanged = !isSameValue(value, initial);
  const chosen = operationOf(value);
  const input = chosen === undefined ? props.input : formInputFor(type);
  const lookUp = chosen === undefined ? props.lookUp : undefined;
  const onText = (text: string): void => onValue(isLeftOut(text, input, initial) ? UNSET : textValue(text, chosen));
  const reset = initial.kind === 'unset' ? 'Clear' : 'Undo';
  return (
    <div class="forms-row" role="group" aria-label={label}>
      <div class="ui-row ui-gap-3 forms-row-head">
        <span class="forms-row-name">
          <Name text={label} isMono />
        </span>
        <span class="forms-row-type" title={type.name}>
          <bdi>{shortTypeName(type.name)}</bdi>
        </span>
        {props.isRequired ? <Badge tone="accent">required</Badge> : null}
        <span class="forms-row-tools">
          {chosen === undefined ? <OperationButton {...props} label={label} /> : null}
          {isNullable && value.kind !== 'null' ? (
            <Button size="small" variant="quiet" aria-label={`Set ${label} to null`} onClick={() => onValue(NULL)}>
              null
            </Button>
          ) : null}
          {isChanged ? (
            <Button
              size="small"
              variant="quiet"
              icon={initial.kind === 'unset' ? 'close' : 'undo'}
              aria-label={`${reset} ${label}`}
              onClick={() => onValue(initial)}
            >
              {reset}
            </Button>
          ) : null}
        </span>
      </div>
      <ValueField
        {...{ store, label, input, value, lookUp, onText }}
        error={props.error}
        onUnmatched={(text) => onValue({ kind: 'unmatched', text })}
        placeholder={chosen === undefined ? props.placeholder : OPERATIONS[chosen].placeholder}
      />
      {chosen === undefined ? null : <p class="forms-note">{OPERATIONS[chosen].note}</p>}
      {note === undefined ? null : <p class="forms-note">{note}</p>}
      {comment === undefined ? null : (
        <p class="forms-note">
          <bdi>{comment}</bdi>
        </p>
      )}
      {noteOn(props)}
    </div>
  );
}

const OPERATIONS = {
  add: {
    button: 'add',
    action: 'Add to',
    placeholder: 'A number; negative to subtract',
    note: 'Is added to the value that is stored when you save.',
  },
  append: {
    button: 'append',
    action: 'Append to',
    placeholder: '',
    note: 'Is appended to the elements that are stored when you save.',
  },
  merge: {
    button: 'merge',
    action: 'Merge into',
    placeholder: '',
    note: 'Is merged into the value that is stored when you save. Other keys stay, and null removes a key.',
  },
} as const;

interface OperationButtonProps extends Pick<FormRowProps, 'operation' | 'onValue'> {
  readonly label: string;
}

function OperationButton({ operation, label, onValue }: OperationButtonProps): VNode | null {
  if (operation === undefined) return null;
  const { button, action } = OPERATIONS[operation];
  return (
    <Button
      size="small"
      variant="quiet"
      aria-label={`${action} ${label}`}
      title={`${action} the stored value`}
      onClick={({ currentTarget }) => {
        // The button goes away, and its field stays.
        currentTarget.closest('.forms-row')?.querySelector<HTMLElement>('input, textarea')?.focus();
        onValue(textValue('', operation));
      }}
    >
      {button}
    </Button>
  );
}

/** Returns whether an emptied input becomes unset. Text inputs do not, because their value can be empty. */
function isLeftOut(text: string, input: FormInput, initial: FieldValue): boolean {
  const canBeEmpty = input.kind === 'line' || input.kind === 'paragraph' || input.kind === 'lines';
  return text === '' && !canBeEmpty && initial.kind === 'unset';
}

const WITHOUT_PLACEHOLDER: ReadonlySet<FormInput['kind']> = new Set(['date', 'time', 'timestamp', 'zonedTimestamp']);

const ARRAY_NOTE = 'A JSON array, such as [1, 2] or ["a", null].';

function noteOn(props: FormRowProps): VNode | null {
  const { value, input, type, maxLength, placeholder } = props;
  if (type.isArray) return <p class="forms-note">{input.kind === 'lines' ? 'One element per line.' : ARRAY_NOTE}</p>;
  if (value.kind !== 'text') {
    if (!WITHOUT_PLACEHOLDER.has(input.kind) || (value.kind === 'unset' && placeholder === '')) return null;
    return <p class="forms-note">{value.kind === 'null' ? 'null' : placeholder}</p>;
  }
  if (value.operation !== undefined) return null;
  // Browsers show dates in the format of their language; tables, like this, in that of PostgreSQL.
  if (WITHOUT_PLACEHOLDER.has(input.kind) && value.text !== '')
    return <p class="forms-note">{readableTime(value.text)}</p>;
  if (value.text === '' && (input.kind === 'line' || input.kind === 'paragraph') && type.category === 'text')
    return <p class="forms-note">An empty string will be stored.</p>;
  if (maxLength !== undefined && Array.from(value.text).length > maxLength)
    return <p class="forms-note forms-note-warning">Longer than the maximum of {maxLength} characters.</p>;
  return null;
}
