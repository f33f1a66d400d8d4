// The map of a schema: its tables and their foreign keys. The focus of the place is the centered table.
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { VNode } from 'preact';
import { downloadText } from '../ui/download.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/text.tsx';
import type { Place } from '../url-state/place.ts';
import { encodeSegment } from '../url-state/readable-text.ts';
import { MapDrawing } from './map-drawing.tsx';
import { MapList } from './map-list.tsx';
import { FIRST_CHOICES, type MapChoices, MapToolbar } from './map-toolbar.tsx';
import { findNeighbors, limitTo } from './neighborhood.ts';
import { buildSchemaGraph } from './schema-graph.ts';
import { renderSvgFile } from './svg-file.ts';
import { useDrawing } from './use-drawing.ts';
import './map.css';

export interface MapViewProps {
  readonly store: Store;
}

export function MapView({ store }: MapViewProps): VNode {
  const schema = store.schema.value;
  if (schema.kind === 'loading') return <Waiting label="Loading the schema" />;
  if (schema.kind === 'failed')
    return (
      <Notice
        tone="danger"
        title="The map is unavailable because the schema could not be loaded."
        hint="Check that the server is running and the token is valid."
        action={<Button onClick={() => store.reload()}>Try again</Button>}
      />
    );
  const { document } = schema.value;
  if (document.relations.length > 0) return <LoadedMap store={store} schema={schema.value} />;
  return (
    <EmptyState icon="map" title="No tables to draw">
      The role <bdi>{document.role}</bdi> has access to no table or view in the schema <bdi>{document.schema}</bdi>.
      Enter another token, or choose another schema.
    </EmptyState>
  );
}

function LoadedMap({ store, schema }: MapViewProps & { readonly schema: SchemaIndex }): VNode {
  const place = store.place.value;
  const choices = useSignal<MapChoices>(FIRST_CHOICES);
  const { shape, hasAllColumns, areViewsLinked, isNarrow } = choices.value;
  const whole = useMemo(() => buildSchemaGraph(schema), [schema]);
  const stated = place.kind === 'map' ? place.focus : undefined;
  const focus = stated !== undefined && schema.relations.has(stated) ? stated : undefined;
  const narrowTo = isNarrow ? focus : undefined;
  const graph = useMemo(
    () => (narrowTo === undefined ? whole : limitTo(whole, findNeighbors(whole, narrowTo))),
    [whole, narrowTo],
  );
  const drawing = useDrawing(graph, {
    columns: hasAllColumns ? 'all' : 'keys',
    views: areViewsLinked || narrowTo !== undefined ? 'among' : 'apart',
  });
  const { schema: name } = schema.document;
  const open = (relation: string): void =>
    store.go({ kind: 'request', schema: place.schema, url: `/${encodeURIComponent(relation)}`, view: 'table' });
  const find = (relation: string): void => store.go({ kind: 'map', schema: place.schema, focus: relation });
  const save = (made: NonNullable<typeof drawing>): void =>
    downloadText(`${name}.svg`, 'image/svg+xml', renderSvgFile(made, `Tables of ${name}`));
  return (
    <section class="map" aria-label={`Map of ${name}`}>
      <MapToolbar
        {...{ graph: whole, choices, focus }}
        reference={focus === undefined ? undefined : referenceTo(focus, place.schema)}
        onFind={find}
        onSave={drawing === undefined ? undefined : () => save(drawing)}
      />
      {shape === 'list' ? (
        <MapList graph={graph} onOpen={open} />
      ) : drawing === undefined ? (
        <Waiting label="Drawing the map" />
      ) : (
        <MapDrawing {...{ graph, drawing, focus }} onOpen={open} />
      )}
    </section>
  );
}

function referenceTo(relation: string, schema: string | undefined): Place {
  return { kind: 'reference', schema, url: `/${encodeSegment(relation)}` };
}

function Waiting({ label }: { readonly label: string }): VNode {
  return (
    <div class="map-waiting">
      <Spinner label={label} />
    </div>
  );
}
