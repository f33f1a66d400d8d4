// The toolbar of the map: search, drawing or list, display options, and saving.
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { Button } from '../ui/button.tsx';
import { PageLink } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import type { Place } from '../url-state/place.ts';
import { MapSearch } from './map-search.tsx';
import { isView, type SchemaGraph } from './schema-graph.ts';

export interface MapChoices {
  readonly shape: 'drawing' | 'list';
  readonly hasAllColumns: boolean;
  readonly areViewsLinked: boolean;
  /** Whether only the focused table and its neighbors are shown. */
  readonly isNarrow: boolean;
}

export const FIRST_CHOICES: MapChoices = {
  shape: 'drawing',
  hasAllColumns: false,
  areViewsLinked: false,
  isNarrow: false,
};

export interface MapToolbarProps {
  readonly graph: SchemaGraph;
  readonly choices: Signal<MapChoices>;
  readonly focus: string | undefined;
  /** Reference of the focused table. */
  readonly reference: Place | undefined;
  readonly onFind: (name: string) => void;
  /** Undefined while there is nothing to save. */
  readonly onSave: (() => void) | undefined;
}

export function MapToolbar({ graph, choices, focus, reference, onFind, onSave }: MapToolbarProps): VNode {
  const choose = (change: Partial<MapChoices>): void => {
    choices.value = { ...choices.value, ...change };
  };
  const { shape, hasAllColumns, areViewsLinked, isNarrow } = choices.value;
  return (
    <div class="ui-row ui-wrap map-toolbar" role="toolbar" aria-label="Map">
      <MapSearch {...{ graph, onFind }} />
      <Tabs
        label="Show the map as"
        tabs={[
          { id: 'drawing', label: 'Drawing' },
          { id: 'list', label: 'List' },
        ]}
        selected={shape}
        onSelect={(next) => choose({ shape: next })}
      />
      <Checkbox
        label="All columns"
        title="Show all columns, not only keys and foreign keys"
        isChecked={hasAllColumns}
        onChange={(next) => choose({ hasAllColumns: next })}
      />
      {graph.tables.some(isView) ? (
        <Checkbox
          label="Link views"
          title="Draw views among the tables, with their inherited foreign keys"
          isChecked={areViewsLinked}
          onChange={(next) => choose({ areViewsLinked: next })}
        />
      ) : null}
      {focus === undefined ? null : (
        <Checkbox
          label="Neighbors only"
          title={`Show only ${focus} and its neighbors`}
          isChecked={isNarrow}
          onChange={(next) => choose({ isNarrow: next })}
        />
      )}
      {reference === undefined ? null : <PageLink icon="book" label="Reference" place={reference} />}
      <Button class="map-save" size="small" icon="download" disabled={onSave === undefined} onClick={onSave}>
        Save as SVG
      </Button>
    </div>
  );
}
