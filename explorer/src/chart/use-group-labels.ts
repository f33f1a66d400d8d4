// Hook that reads the names of the rows that the foreign keys of groups reference.
import { useEffect, useState } from 'preact/hooks';
import { findLookUp } from '../builder/look-up.ts';
import { readRowNames } from '../builder/use-look-up.ts';
import type { Labels } from '../rows/foreign-labels.ts';
import { textOf } from '../rows/row-links.ts';
import type { TableModel } from '../rows/table-model.ts';
import type { Store } from '../store/store.ts';

/** Charts with more groups have no room for names. */
const MAX_GROUPS = 200;

export function useGroupLabels(store: Store, table: TableModel, groups: readonly string[]): Labels {
  const [labels, setLabels] = useState<Labels>(new Map());
  const loaded = store.schema.value;
  useEffect(() => {
    const aborting = new AbortController();
    setLabels(new Map());
    const { relation, columns } = table.level;
    if (loaded.kind !== 'ready' || relation === undefined || table.count > MAX_GROUPS) return undefined;
    for (const group of groups) {
      const source = columns.get(group)?.source;
      const lookUp = source && findLookUp(loaded.value, relation, source.name);
      if (lookUp === undefined || lookUp.texts.length === 0) continue;
      void readRowNames(store, lookUp, { keys: keysOf(table, group), signal: aborting.signal }).then((names) => {
        if (!aborting.signal.aborted) setLabels((before) => new Map([...before, [group, names]]));
      });
    }
    return () => aborting.abort();
  }, [loaded, table, groups.join('\n')]);
  return labels;
}

function keysOf(table: TableModel, group: string): readonly string[] {
  const texts = Array.from({ length: table.count }, (_, index) => {
    const value = table.rowAt(index).values.get(group);
    return value && textOf(value);
  });
  return [...new Set(texts.filter((text) => text !== undefined))];
}
