// The map as an accessible list: what each table references and what references it.
import type { VNode } from 'preact';
import { Badge, Name } from '../ui/text.tsx';
import { renderPlace } from '../url-state/place.ts';
import { encodeSegment } from '../url-state/readable-text.ts';
import { describeKind, findLinks, nameWithSchema } from './describe-table.ts';
import type { ElsewhereRelation, MapTable, SchemaGraph } from './schema-graph.ts';

export interface MapListProps {
  readonly graph: SchemaGraph;
  readonly onOpen: (name: string) => void;
}

export function MapList({ graph, onOpen }: MapListProps): VNode {
  return (
    <ul class="map-list" aria-label="Tables and views with their relationships">
      {graph.tables.map((table) => (
        <Entry key={table.name} {...{ table, graph, onOpen }} />
      ))}
    </ul>
  );
}

function Entry({ table, graph, onOpen }: MapListProps & { readonly table: MapTable }): VNode {
  const { refersTo, referredToBy } = findLinks(graph, table.name);
  const kind = describeKind(table);
  return (
    <li class="map-list-entry">
      <button type="button" class="map-list-name" onClick={() => onOpen(table.name)}>
        <Name text={table.name} />
      </button>
      {kind === 'table' ? null : <Badge>{kind}</Badge>}
      <Links label="references" {...{ names: refersTo, onOpen }} />
      <Links label="referenced by" {...{ names: referredToBy, onOpen }} />
      <LinksElsewhere relations={table.elsewhere} />
    </li>
  );
}

interface LinksProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly onOpen: (name: string) => void;
}

function Links({ label, names, onOpen }: LinksProps): VNode | null {
  if (names.length === 0) return null;
  return (
    <p class="map-list-links">
      <span>{label}</span>
      {names.map((name) => (
        <button type="button" key={name} class="map-list-link" onClick={() => onOpen(name)}>
          <Name text={name} />
        </button>
      ))}
    </p>
  );
}

function LinksElsewhere({ relations }: { readonly relations: readonly ElsewhereRelation[] }): VNode | null {
  if (relations.length === 0) return null;
  return (
    <p class="map-list-links">
      <span>in other schemas</span>
      {relations.map((one) => (
        <a
          key={nameWithSchema(one)}
          class="map-list-link"
          href={renderPlace({
            kind: 'request',
            schema: one.schema,
            url: `/${encodeSegment(one.name)}`,
            view: 'table',
          })}
        >
          <Name text={nameWithSchema(one)} />
        </a>
      ))}
    </p>
  );
}
