// One row of a form: name, type and notes of a field, its input, and buttons to set it to null or reset it.
import type { VNode } from 'preact';
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Name } from '../ui/text.tsx';
import { type FieldValue, isSameValue, NULL, textValue, UNSET } from './field-value.ts';
import type { FormInput } from './form-input.ts';
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
  readonly value: FieldValue;
  readonly onValue: (value: FieldValue) => void;
}

export function FormRow(props: FormRowProps): VNode {
  const { store, name, type, input, comment, lookUp, value, initial, isNullable, onValue } = props;
  const label = name === '' ? 'Value' : name;
  const isChanged = !isSameValue(value, initial);
  const onText = (text: string): void => onValue(isLeftOut(text, input, initial) ? UNSET : textValue(text));
  const reset = initial.kind === 'unset' ? 'Clear' : 'Undo';
  return (
    <div class="forms-row" role="group" aria-label={label}>
      <div class="forms-row-head">
        <span class="forms-row-name">
          <Name text={label} isMono />
        </span>
        <span class="forms-row-type" title={type.name}>
          <bdi>{type.name}</bdi>
        </span>
        {props.isRequired ? <Badge tone="accent">required</Badge> : null}
        <span class="forms-row-tools">
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
        placeholder={props.placeholder}
      />
      {comment === undefined ? null : (
        <p class="forms-note">
          <bdi>{comment}</bdi>
        </p>
      )}
      {noteOn(props)}
    </div>
  );
}

/** Returns whether an emptied input becomes unset. Text inputs do not, because their value can be empty. */
function isLeftOut(text: string, input: FormInput, initial: FieldValue): boolean {
  const canBeEmpty = input.kind === 'line' || input.kind === 'paragraph' || input.kind === 'lines';
  return text === '' && !canBeEmpty && initial.kind === 'unset';
}

const WITHOUT_PLACEHOLDER: ReadonlySet<FormInput['kind']> = new Set(['date', 'time', 'timestamp', 'zonedTimestamp']);

function noteOn(props: FormRowProps): VNode | null {
  const { value, input, type, maxLength, placeholder } = props;
  if (value.kind !== 'text') {
    if (!WITHOUT_PLACEHOLDER.has(input.kind) || (value.kind === 'unset' && placeholder === '')) return null;
    return <p class="forms-note">{value.kind === 'null' ? 'null' : placeholder}</p>;
  }
  if (value.text === '' && (input.kind === 'line' || input.kind === 'paragraph') && type.category === 'text')
    return <p class="forms-note">An empty string will be stored.</p>;
  if (maxLength !== undefined && Array.from(value.text).length > maxLength)
    return <p class="forms-note forms-note-warning">Longer than the maximum of {maxLength} characters.</p>;
  return null;
}
