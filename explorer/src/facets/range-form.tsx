// Filters a column by a range.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { textOf } from '../rows/row-links.ts';
import { useReading } from '../store/use-reading.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { keepBetween } from './edit-filters.ts';
import { boundsRequest } from './facet-counts.ts';
import type { FacetPartProps } from './facet-props.ts';

export function RangeForm({ store, model, column, field, apply }: FacetPartProps): VNode {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const isCounted = store.known.value?.document.features.aggregates === true;
  const reading = useReading(store, isCounted ? boundsRequest(model, field) : undefined);
  const bounds = new Map(reading.kind === 'read' ? reading.rows[0]?.entries : undefined);
  const boundOf = (name: 'min' | 'max'): string => textOf(bounds.get(name) ?? { kind: 'null' }) ?? '';
  const isDate = column.info?.type?.category === 'date';
  const shared = isDate ? ({ type: 'date' } as const) : {};
  const [least, greatest] = [boundOf('min'), boundOf('max')];
  return (
    <form
      class="facet-range"
      aria-label="Range"
      onSubmit={(event) => {
        event.preventDefault();
        apply(keepBetween(model, field, [from.trim(), to.trim()]));
      }}
    >
      <TextField label="From" size="small" placeholder={least} value={from} onValue={setFrom} {...shared} />
      <TextField label="To" size="small" placeholder={greatest} value={to} onValue={setTo} {...shared} />
      <Button type="submit" size="small">
        Apply
      </Button>
      {least === '' ? null : (
        <p class="facet-note">
          <bdi>{`${least} to ${greatest}`}</bdi>
        </p>
      )}
    </form>
  );
}
