// Finds the columns of a view that pass a relation's column through unchanged, in the text of the view's query
// (`pg_rewrite.ev_action`). Excludes columns that an outer join, grouping set or set operation may replace by null.
import { fieldsOf, itemsOf, type NodeFields } from './node-fields.ts';

export interface ColumnOrigin {
  /** Oid of the relation. */
  readonly relation: string;
  /** Attribute number; negative for system columns. */
  readonly attribute: number;
}

/** Values of PostgreSQL's `RTEKind` and `JoinType`. */
const RELATION_KIND = '0';
const JOIN = { inner: '0', left: '1', right: '3' };

/** Returns the origins by attribute number of the view. */
export function parseUnchangedColumns(viewQuery: string): ReadonlyMap<number, ColumnOrigin> {
  const origins = new Map<number, ColumnOrigin>();
  const query = fieldsOf(itemsOf(viewQuery)[0] ?? '');
  if (query.get('groupingSets') !== '<>' || query.get('setOperations') !== '<>') return origins;
  const relations = listUnchangedRelations(query);
  for (const entry of itemsOf(query.get('targetList') ?? '').map(fieldsOf)) {
    const origin = findOrigin(entry, relations);
    if (origin !== undefined) origins.set(Number(entry.get('resno')), origin);
  }
  return origins;
}

function findOrigin(entry: NodeFields, relations: ReadonlyMap<string, string>): ColumnOrigin | undefined {
  const expression = entry.get('expr') ?? '';
  if (!expression.startsWith('{VAR ') || entry.get('resjunk') !== 'false') return undefined;
  const variable = fieldsOf(expression);
  const relation = relations.get(variable.get('varno') ?? '');
  if (relation === undefined || variable.get('varlevelsup') !== '0') return undefined;
  return { relation, attribute: Number(variable.get('varattno')) };
}

/** Lists the FROM relations whose rows are never replaced by nulls: oids by number in the range table. */
function listUnchangedRelations(query: NodeFields): ReadonlyMap<string, string> {
  const rangeTable = itemsOf(query.get('rtable') ?? '').map(fieldsOf);
  const relations = new Map<string, string>();
  const pending = itemsOf(fieldsOf(query.get('jointree') ?? '').get('fromlist') ?? '').slice();
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const fields = fieldsOf(item);
    if (item.startsWith('{RANGETBLREF ')) {
      const index = fields.get('rtindex') ?? '';
      const entry = rangeTable[Number(index) - 1];
      const oid = entry?.get('relid');
      if (entry?.get('rtekind') === RELATION_KIND && oid !== undefined) relations.set(index, oid);
    } else if (item.startsWith('{JOINEXPR ')) {
      pending.push(...listUnchangedSides(fields));
    }
  }
  return relations;
}

function listUnchangedSides(join: NodeFields): readonly string[] {
  const [left, right, type] = [join.get('larg') ?? '', join.get('rarg') ?? '', join.get('jointype')];
  if (type === JOIN.inner) return [left, right];
  if (type === JOIN.left) return [left];
  return type === JOIN.right ? [right] : [];
}
