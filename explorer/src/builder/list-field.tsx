// A field for a list of values, to which values can be added and removed.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { IconButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Name } from '../ui/text.tsx';
import { LookUpField } from './look-up-field.tsx';
import type { LookUp } from './look-up.ts';
import { htmlTypeFor, type ScalarInput } from './value-input.ts';

export interface ListFieldProps {
  readonly store: Store;
  readonly lookUp: LookUp | undefined;
  readonly element: ScalarInput;
  readonly values: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
}

export function ListField({ store, lookUp, element, values, onValues }: ListFieldProps): VNode {
  const add = (value: string): void => {
    if (value !== '' && !values.includes(value)) onValues([...values, value]);
  };
  return (
    <div class="builder-list">
      <ul class="builder-chips" aria-label="Values">
        {values.map((value, index) => (
          <li key={value}>
            <button
              type="button"
              class="builder-chip"
              aria-label={`Remove ${value}`}
              onClick={() => onValues(values.filter((_, at) => at !== index))}
            >
              <Name text={value} />
              <Icon name="close" size={10} />
            </button>
          </li>
        ))}
      </ul>
      {lookUp === undefined ? (
        <AddValue {...{ element, values }} onAdd={add} />
      ) : (
        <LookUpField {...{ store, lookUp }} value="" onValue={add} />
      )}
    </div>
  );
}

interface AddValueProps extends Pick<ListFieldProps, 'element' | 'values'> {
  readonly onAdd: (value: string) => void;
}

function AddValue({ element, values, onAdd }: AddValueProps): VNode {
  if (element.kind !== 'choice') return <AddText {...{ element, onAdd }} />;
  const left = element.values.filter((value) => !values.includes(value));
  return (
    <SelectField
      label="Add a value"
      isLabelHidden
      size="small"
      value=""
      options={[{ value: '', label: 'Add a value' }, ...left.map((value) => ({ value, label: value }))]}
      onValue={onAdd}
    />
  );
}

function AddText({ element, onAdd }: Pick<AddValueProps, 'element' | 'onAdd'>): VNode {
  const [text, setText] = useState('');
  const add = (): void => {
    setText('');
    onAdd(text.trim());
  };
  return (
    <div class="builder-adder">
      <TextField
        label="Add a value"
        isLabelHidden
        size="small"
        type={htmlTypeFor(element, text)}
        placeholder="Add a value"
        {...(element.kind === 'number' ? { inputMode: 'decimal' } : {})}
        value={text}
        onValue={setText}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
        }}
      />
      <IconButton icon="plus" size="small" label="Add value" disabled={text.trim() === ''} onClick={add} />
    </div>
  );
}
