// The search of the map: finds tables by name and centers the chosen one.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { VNode } from 'preact';
import { TextField } from '../ui/field.tsx';
import { Name } from '../ui/text.tsx';
import { searchTables } from './neighborhood.ts';
import type { SchemaGraph } from './schema-graph.ts';

export interface MapSearchProps {
  readonly graph: SchemaGraph;
  readonly onFind: (name: string) => void;
}

const MAX_FOUND = 8;

export function MapSearch({ graph, onFind }: MapSearchProps): VNode {
  const id = useId();
  const text = useSignal('');
  const at = useSignal(0);
  const all = searchTables(graph, text.value);
  const found = all.slice(0, MAX_FOUND);
  const choose = (name: string | undefined): void => {
    if (name === undefined) return;
    text.value = '';
    onFind(name);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') at.value = Math.min(found.length - 1, at.value + 1);
    else if (event.key === 'ArrowUp') at.value = Math.max(0, at.value - 1);
    else if (event.key === 'Enter') choose(found[at.value]);
    else if (event.key === 'Escape') text.value = '';
    else return;
    event.preventDefault();
  };
  return (
    <div class="map-search">
      <TextField
        label="Find a table"
        isLabelHidden
        type="search"
        size="small"
        placeholder="Find a table"
        value={text.value}
        onValue={(value) => {
          text.value = value;
          at.value = 0;
        }}
        onKeyDown={press}
      />
      <p class="ui-unseen" role="status">
        {text.value === '' ? '' : `${all.length} found`}
      </p>
      {text.value === '' ? null : (
        <ul class="map-found" id={id}>
          {found.map((name, index) => (
            <li key={name}>
              <button
                type="button"
                class={`map-found-entry${index === at.value ? ' map-found-current' : ''}`}
                onClick={() => choose(name)}
              >
                <Name text={name} />
              </button>
            </li>
          ))}
          {all.length === 0 ? <li class="map-found-note">No matching tables</li> : null}
          {all.length > MAX_FOUND ? <li class="map-found-note">{all.length - MAX_FOUND} more</li> : null}
        </ul>
      )}
    </div>
  );
}
