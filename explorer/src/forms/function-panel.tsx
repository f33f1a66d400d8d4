// The collapsible form of a function above its result, with a choice of overloads.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedFunction } from '../../../src/contract/schema-document.ts';
import type { Store } from '../store/store.ts';
import { SelectField } from '../ui/field.tsx';
import { Badge, Name } from '../ui/text.tsx';
import { FunctionForm } from './function-form.tsx';
import './forms.css';

export interface FunctionPanelProps {
  readonly store: Store;
  /** At least one overload of the same function. */
  readonly overloads: readonly DescribedFunction[];
  /** Whether no result is shown below. */
  readonly isAlone: boolean;
}

export function FunctionPanel({ store, overloads, isAlone }: FunctionPanelProps): VNode | null {
  const [index, setIndex] = useState(0);
  const one = overloads[index] ?? overloads[0];
  if (one === undefined) return null;
  return (
    <details class={isAlone ? 'forms-panel' : 'forms-panel forms-panel-bounded'} open>
      <summary>
        <Name text={one.name} isMono />
        <Badge>{one.isReadOnly ? 'reads' : 'may write'}</Badge>
      </summary>
      {overloads.length === 1 ? null : (
        <div class="forms-overloads">
          <SelectField
            label="Overload"
            value={String(overloads.indexOf(one))}
            options={overloads.map((other, at) => ({ value: String(at), label: describe(other) }))}
            onValue={(value) => setIndex(Number(value))}
          />
        </div>
      )}
      <FunctionForm key={index} store={store} function={one} />
    </details>
  );
}

/** `add(a integer, b integer)` */
function describe({ name, parameters }: DescribedFunction): string {
  return `${name}(${parameters.map((parameter) => `${parameter.name} ${parameter.type.name}`.trim()).join(', ')})`;
}
