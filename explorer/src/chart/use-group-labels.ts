// Hook that reads the names of the rows that the foreign keys of groups reference.
import { findLookUp } from '../builder/look-up.ts';
import { readRowNames } from '../builder/use-look-up.ts';
import type { Labels } from '../rows/foreign-labels.ts';
import { textOf } from '../rows/row-links.ts';
import type { TableModel } from '../rows/table-model.ts';
import type { Store } from '../store/store.ts';
import { useAnswer } from '../store/use-answer.ts';

/** Charts with more groups have no room for names. */
const MAX_GROUPS = 200;
const NO_LABELS: Labels = new Map();

export function useGroupLabels(store: Store, table: TableModel, groups: readonly string[]): Labels {
  const schema = store.known.value;
  const labels = useAnswer(
    async (signal) => {
      const { relation, columns } = table.level;
      if (schema === undefined || relation === undefined || table.count > MAX_GROUPS) return NO_LABELS;
      const reads = groups.map(async (group) => {
        const source = columns.get(group)?.source;
        const lookUp = source && findLookUp(schema, relation, source.name);
        if (lookUp === undefined || lookUp.texts.length === 0) return [];
        return [[group, await readRowNames(store, lookUp, { keys: keysOf(table, group), signal })] as const];
      });
      return new Map((await Promise.all(reads)).flat());
    },
    [schema, table, groups.join('\n')],
  );
  return labels ?? NO_LABELS;
}

function keysOf(table: TableModel, group: string): readonly string[] {
  const texts = Array.from({ length: table.count }, (_, index) => {
    const value = table.rowAt(index).values.get(group);
    return value && textOf(value);
  });
  return [...new Set(texts.filter((text) => text !== undefined))];
}
