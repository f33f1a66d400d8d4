// Builds a described schema from a short notation: `houses(id*, street_id? > streets, name)` has the key `id` and an
// optional foreign key. An upper-case name denotes a view.
import { indexSchema, type SchemaIndex } from '../../../explorer/src/schema/schema-index.ts';
import type {
  DescribedColumn,
  DescribedRelation,
  DescribedRelationship,
} from '../../../src/contract/schema-document.ts';

interface ForeignKey {
  readonly from: string;
  readonly column: string;
  readonly to: string;
}

const COLUMN = /^(?<name>[^*?> ]+)(?<key>\*)?(?<optional>\?)?(?: > (?<target>.+))?$/u;

export function makeSchema(...tables: readonly string[]): SchemaIndex {
  const parsed = tables.map((text) => {
    const [name = '', inside = ''] = text.replace(/\)$/u, '').split('(');
    return { name, columns: inside.split(', ').map((column) => COLUMN.exec(column)!.groups!) };
  });
  const keys: readonly ForeignKey[] = parsed.flatMap(({ name, columns }) =>
    columns.flatMap((each) =>
      each['target'] === undefined ? [] : [{ from: name, column: each['name']!, to: each['target'] }],
    ),
  );
  return indexSchema({
    product: { name: 'Rowhouse', version: '0' },
    dialect: 'svc',
    mediaVendor: 'svc',
    role: 'reader',
    schema: 'api',
    schemas: ['api'],
    features: { aggregates: false, plans: false, rollback: false },
    functions: [],
    relations: parsed.map(({ name, columns }): DescribedRelation => ({
      name,
      kind: name === name.toUpperCase() ? 'view' : 'table',
      may: { select: true, insert: true, update: true, delete: true },
      key: columns.flatMap((each) => (each['key'] === undefined ? [] : [each['name']!])),
      columns: columns.map((each) => makeColumn(each['name']!, each['optional'] !== undefined)),
      relationships: keys.flatMap((key) => relate(name, key)),
    })),
  });
}

/** Creates the relationships of both sides of a foreign key. */
function relate(name: string, { from, column, to }: ForeignKey): readonly DescribedRelationship[] {
  const constraint = `${from}_${column}_fkey`;
  const forth = {
    address: to,
    target: to,
    isToOne: true,
    kind: 'manyToOne',
    columns: [[column, 'id']],
    constraint,
  } as const;
  const back = {
    address: from,
    target: from,
    isToOne: false,
    kind: 'oneToMany',
    columns: [['id', column]],
    constraint,
  } as const;
  return [...(name === from ? [forth] : []), ...(name === to ? [back] : [])];
}

function makeColumn(name: string, isNullable: boolean): DescribedColumn {
  return {
    name,
    type: { name: 'integer', category: 'number', isArray: false },
    isNullable,
    isGenerated: false,
    isComputed: false,
    may: { select: true, insert: true, update: true },
  };
}
