// The value of a filter, in an input that suits its type and operator.
import type { VNode } from 'preact';
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import type { Operation } from '../../../src/request/query/query-params.ts';
import type { Store } from '../store/store.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { parseArray, formatArray } from './array-literal.ts';
import type { HistoryStep } from './level.ts';
import { ListField } from './list-field.tsx';
import { LookUpField } from './look-up-field.tsx';
import type { LookUp } from './look-up.ts';
import { operatorOf, valuesOf, withValues } from './operators.ts';
import { useTyped } from './use-typed.ts';
import { htmlTypeFor, inputFor, type ScalarInput } from './value-input.ts';

export interface ValueFieldProps {
  readonly store: Store;
  readonly type: DescribedType;
  /** Set if the column references another row. */
  readonly lookUp: LookUp | undefined;
  readonly operation: Operation;
  readonly onOperation: (operation: Operation, step: HistoryStep) => void;
}

export function ValueField({ store, type, lookUp, operation, onOperation }: ValueFieldProps): VNode {
  const input = inputFor(type, operatorOf(operation));
  const values = valuesOf(operation);
  const value = values[0] ?? '';
  const change = (next: readonly string[], step: HistoryStep): void => onOperation(withValues(operation, next), step);
  const changeOne = (next: string, step: HistoryStep): void => change([next], step);
  if (input.kind === 'list') {
    const { element, isLiteral } = input;
    const literal = isLiteral ? elementsOf(value) : values;
    if (literal === undefined) return <ScalarField input={PLAIN} value={value} onValue={changeOne} />;
    const changeAll = (next: readonly string[]): void => change(isLiteral ? [formatArray(next)] : next, 'push');
    return <ListField {...{ store, lookUp, element }} values={literal} onValues={changeAll} />;
  }
  if (input.kind === 'fullText') return <SearchField {...{ operation, onOperation }} placeholder={input.placeholder} />;
  const isReference = lookUp !== undefined && input.kind !== 'choice' && REFERRING.has(operatorKey(operation));
  if (isReference) return <LookUpField {...{ store, lookUp, value }} onValue={changeOne} />;
  return <ScalarField input={input} value={value} onValue={changeOne} />;
}

const PLAIN: ScalarInput = { kind: 'text', placeholder: '' };
const REFERRING: ReadonlySet<string> = new Set(['eq', 'neq', 'isDistinct']);

function operatorKey(operation: Operation): string {
  return operation.kind === 'compare' ? operation.operator : operation.kind;
}

/** Returns undefined for an array that the list cannot show. */
function elementsOf(literal: string): readonly string[] | undefined {
  return literal === '' ? [] : parseArray(literal);
}

interface ScalarFieldProps {
  readonly input: ScalarInput;
  readonly value: string;
  readonly onValue: (value: string, step: HistoryStep) => void;
}

function ScalarField({ input, value, onValue }: ScalarFieldProps): VNode {
  if (input.kind === 'choice') return <ChoiceField {...{ value, onValue }} values={input.values} />;
  return <TypedField {...{ input, value, onValue }} />;
}

function TypedField({ input, value, onValue }: ScalarFieldProps): VNode {
  const typed = useTyped(value, onValue);
  const type = htmlTypeFor(input, typed.value);
  return (
    <TextField
      label="Value"
      isLabelHidden
      size="small"
      type={type}
      {...(type === 'time' || type === 'datetime-local' ? { step: '1' } : {})}
      {...(input.kind === 'number' ? { inputMode: 'decimal', placeholder: '0' } : {})}
      {...(input.kind === 'text' ? { placeholder: input.placeholder } : {})}
      {...typed}
    />
  );
}

interface ChoiceFieldProps extends Omit<ScalarFieldProps, 'input'> {
  readonly values: readonly string[];
}

function ChoiceField({ values, value, onValue }: ChoiceFieldProps): VNode {
  const offered = values.includes(value) ? values : [value, ...values];
  return (
    <SelectField
      label="Value"
      isLabelHidden
      size="small"
      value={value}
      options={offered.map((one) => ({ value: one, label: WORDS.get(one) ?? one, isDisabled: one === '' }))}
      onValue={(next) => onValue(next, 'push')}
    />
  );
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['', 'Choose a value'],
  ['not_null', 'not null'],
]);

interface SearchFieldProps extends Pick<ValueFieldProps, 'operation' | 'onOperation'> {
  readonly placeholder: string;
}

function SearchField({ operation, onOperation, placeholder }: SearchFieldProps): VNode {
  const [value = ''] = valuesOf(operation);
  const words = useTyped(value, (text, step) => onOperation(withValues(operation, [text]), step));
  const present = operation.kind === 'fullText' ? operation.language : undefined;
  const language = useTyped(present ?? '', (text, step) => {
    if (operation.kind !== 'fullText' || !/^\w*$/u.test(text)) return;
    onOperation({ ...operation, language: text === '' ? undefined : text }, step);
  });
  return (
    <div class="builder-search">
      <TextField label="Words" isLabelHidden size="small" placeholder={placeholder} {...words} />
      <TextField label="Language" isLabelHidden size="small" placeholder="language" {...language} />
    </div>
  );
}
