// The fields of a form. A long list can be searched by name and initially shows only some fields.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';

export interface FieldListProps<Field> {
  readonly fields: readonly Field[];
  readonly nameOf: (field: Field) => string;
  readonly render: (field: Field) => VNode;
}

const MANY = 24;
const STEP = 60;

export function FieldList<Field>({ fields, nameOf, render }: FieldListProps<Field>): VNode {
  const [search, setSearch] = useState('');
  const [count, setCount] = useState(STEP);
  if (fields.length === 0) return <p class="forms-note">This form has no fields.</p>;
  const wanted = search.trim().toLowerCase();
  const found = fields.filter((field) => nameOf(field).toLowerCase().includes(wanted));
  const hidden = found.length - count;
  return (
    <>
      {fields.length > MANY ? (
        <TextField
          label="Find a field"
          isLabelHidden
          type="search"
          placeholder="Find a field"
          value={search}
          onValue={setSearch}
        />
      ) : null}
      {found.slice(0, count).map(render)}
      {found.length === 0 ? <p class="forms-note">No matching fields.</p> : null}
      {hidden > 0 ? (
        <Button onClick={() => setCount(count + STEP)}>
          Show {Math.min(hidden, STEP)} more of {hidden}
        </Button>
      ) : null}
    </>
  );
}
