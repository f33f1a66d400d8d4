// The form of a function above its result; of several functions with the same name one is chosen.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { DescribedFunction } from '../../../src/contract/schema-document.ts';
import { FunctionForm } from '../forms/function-form.tsx';
import type { Store } from '../store/store.ts';
import { SelectField } from '../ui/field.tsx';
import { Name } from '../ui/text.tsx';

interface CallPartProps {
  readonly store: Store;
  readonly functions: readonly DescribedFunction[];
}

export function CallPart({ store, functions }: CallPartProps): VNode | null {
  const chosen = useSignal(0);
  const one = functions[chosen.value] ?? functions[0];
  if (one === undefined) return null;
  return (
    <section class="shell-call" aria-label="Call">
      <h2 class="shell-call-name">
        <Name text={one.name} isMono />
      </h2>
      {functions.length === 1 ? null : (
        <SelectField
          label="Arguments"
          value={String(chosen.value)}
          options={functions.map((overload, index) => ({ value: String(index), label: describeSignature(overload) }))}
          onValue={(value) => (chosen.value = Number(value))}
        />
      )}
      <FunctionForm key={chosen.value} store={store} function={one} />
    </section>
  );
}

function describeSignature({ name, parameters }: DescribedFunction): string {
  return `${name}(${parameters.map((one) => `${one.name} ${one.type.name}`.trim()).join(', ')})`;
}
