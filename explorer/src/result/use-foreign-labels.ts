// Hook that reads the labels of the rows that the foreign keys on screen reference, with one request for a page.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { findElements } from '../rows/json-elements.ts';
import type { JsonValue } from '../rows/json-value.ts';
import {
  type LabeledColumn,
  labelRequest,
  type Labels,
  listLabeledColumns,
  readLabels,
} from '../rows/foreign-labels.ts';
import { keyOf, type RowKey, textOf } from '../rows/row-links.ts';
import type { TableModel } from '../rows/table-model.ts';
import type { Store } from '../store/store.ts';

export interface VisiblePart {
  readonly firstRow: number;
  readonly lastRow: number;
  /** Names of columns. */
  readonly columns: readonly string[];
}

export interface ForeignLabels {
  readonly columns: readonly LabeledColumn[];
  /** Returns undefined if there is none, or if it is not known yet. */
  readonly labelOf: (column: string, value: JsonValue) => string | undefined;
  readonly onVisible: (part: VisiblePart) => void;
}

/** A page without a limit is labeled in blocks of this many rows, as they come into view. */
const BLOCK_ROWS = 100;
const NO_LABELS: Labels = new Map();

export function useForeignLabels(store: Store, table: TableModel): ForeignLabels {
  const schema = store.known.value;
  const { level } = table;
  const columns = useMemo(() => (schema === undefined ? [] : listLabeledColumns(level, schema)), [level, schema]);
  // Created while rendering, because the effects of the table run before those of its parents.
  const reading = useMemo(startReading, [columns, store.token.value]);
  const [read, setRead] = useState({ reading, labels: NO_LABELS });
  useEffect(() => () => reading.aborting.abort(), [reading]);
  const labels = read.reading === reading ? read.labels : NO_LABELS;
  const onVisible = (part: VisiblePart): void => {
    const shown = columns.filter(({ name }) => part.columns.includes(name));
    const keys = listUnlabeled(table, { part, shown, asked: reading.asked });
    if (level.relation === undefined || keys.length === 0) return;
    const { signal } = reading.aborting;
    void store.send(labelRequest(level.relation, shown, keys), signal).then((exchange) => {
      const isRead = exchange.kind === 'answered' && exchange.response.status === 200 && !signal.aborted;
      const elements = isRead ? findElements(exchange.response.text) : undefined;
      if (elements === undefined) return;
      const added = readLabels(shown, elements);
      setRead((before) => ({
        reading,
        labels: merge(before.reading === reading ? before.labels : NO_LABELS, added),
      }));
    });
  };
  return {
    columns,
    labelOf: (column, value) => labels.get(column)?.get(textOf(value) ?? ''),
    onVisible,
  };
}

/** What was requested for the columns of one response. */
interface Reading {
  /** Columns and foreign keys. */
  readonly asked: Set<string>;
  readonly aborting: AbortController;
}

function startReading(): Reading {
  return { asked: new Set(), aborting: new AbortController() };
}

interface Wanted {
  readonly part: VisiblePart;
  readonly shown: readonly LabeledColumn[];
  /** Gets what is returned. */
  readonly asked: Set<string>;
}

/** Returns the keys of the rows that have a foreign key without a label. */
function listUnlabeled(table: TableModel, { part, shown, asked }: Wanted): readonly RowKey[] {
  if (shown.length === 0) return [];
  const first = part.firstRow - (part.firstRow % BLOCK_ROWS);
  const end = Math.min(table.count, part.lastRow - (part.lastRow % BLOCK_ROWS) + BLOCK_ROWS);
  const keys: RowKey[] = [];
  for (let index = first; index < end; index += 1) {
    const { object, values } = table.rowAt(index);
    const news = shown.flatMap(({ name }) => {
      const text = textOf(values.get(name) ?? { kind: 'null' });
      const id = JSON.stringify([name, text]);
      return text === undefined || asked.has(id) ? [] : [id];
    });
    const key = news.length === 0 ? undefined : keyOf({ row: object, level: table.level });
    if (key === undefined) continue;
    for (const id of news) asked.add(id);
    keys.push(key);
  }
  return keys;
}

function merge(before: Labels, added: Labels): Labels {
  const names = new Set([...before.keys(), ...added.keys()]);
  return new Map([...names].map((name) => [name, new Map([...(before.get(name) ?? []), ...(added.get(name) ?? [])])]));
}
