// Traces a column of a table or view, through views on views, to the table column that it shows.

/** Sets of attribute numbers. */
interface BaseTable {
  readonly notNull: ReadonlySet<number>;
  readonly generated: ReadonlySet<number>;
}

interface BaseColumn {
  readonly isNotNull: boolean;
  readonly isGenerated: boolean;
}

const UNKNOWN: BaseColumn = { isNotNull: false, isGenerated: false };

export class BaseColumns {
  readonly #tables: ReadonlyMap<string, BaseTable>;
  readonly #viewQueries: ReadonlyMap<string, string>;
  readonly #views: Map<string, ReadonlyMap<number, ColumnOrigin>> = new Map();

  /** @param tables by oid; @param viewQueries by oid */
  constructor(tables: ReadonlyMap<string, BaseTable>, viewQueries: ReadonlyMap<string, string>) {
    this.#tables = tables;
    this.#viewQueries = viewQueries;
  }

  find(column: ColumnOrigin): BaseColumn {
    const origin = this.trace(column);
    const table = origin && this.#tables.get(origin.relation);
    if (origin === undefined || table === undefined) return UNKNOWN;
    const { attribute } = origin;
    return { isNotNull: table.notNull.has(attribute), isGenerated: table.generated.has(attribute) };
  }

  /** Returns the column of a table that the column shows; undefined if it is computed, or may be replaced by null. */
  trace(column: ColumnOrigin): ColumnOrigin | undefined {
    let current: ColumnOrigin | undefined = column;
    // Views that were redefined in terms of each other can form a cycle, but no chain is longer than the number of
    // views.
    for (let steps = 0; current !== undefined && steps <= this.#viewQueries.size; steps += 1) {
      if (this.#tables.has(current.relation)) return current;
      current = this.#originsOf(current.relation).get(current.attribute);
    }
    return undefined;
  }

  #originsOf(view: string): ReadonlyMap<number, ColumnOrigin> {
    const known = this.#views.get(view);
    if (known !== undefined) return known;
    const query = this.#viewQueries.get(view);
    const origins = query === undefined ? new Map<number, ColumnOrigin>() : parseUnchangedColumns(query);
    this.#views.set(view, origins);
    return origins;
  }
}

// Finds the columns of a view that pass a relation's column through unchanged, in the text of the view's query
// (`pg_rewrite.ev_action`). Excludes columns that an outer join, grouping set or set operation may replace by null.

interface ColumnOrigin {
  /** Oid of the relation. */
  readonly relation: string;
  /** Attribute number; negative for system columns. */
  readonly attribute: number;
}

/** Values of PostgreSQL's `RTEKind` and `JoinType`. */
const RELATION_KIND = '0';
const JOIN = { inner: '0', left: '1', right: '3' };

/** Returns the origins by attribute number of the view. */
function parseUnchangedColumns(viewQuery: string): ReadonlyMap<number, ColumnOrigin> {
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

// Parses one level of a PostgreSQL node tree: the fields of `{NAME :field value …}`, the items of `(item …)`, each as
// text. Within a token, spaces, parentheses and braces are escaped by a backslash.

type NodeFields = ReadonlyMap<string, string>;

export function fieldsOf(node: string): NodeFields {
  const fields = new Map<string, string>();
  const [, ...items] = itemsOf(node);
  for (let at = 0; at < items.length; at += 1) {
    const [item, value] = [items[at], items[at + 1]];
    if (item?.startsWith(':') !== true || value === undefined) continue;
    fields.set(item.slice(1), value);
    at += 1;
  }
  return fields;
}

/** Returns the items between the outermost brackets. */
export function itemsOf(list: string): readonly string[] {
  const items: string[] = [];
  let start = -1;
  let depth = 0;
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at];
    const isOpening = character === '(' || character === '{';
    const isClosing = character === ')' || character === '}';
    const isBetween = depth === 1 && (character === ' ' || character === '\n' || isClosing);
    if (isBetween && start !== -1) {
      items.push(list.slice(start, at));
      start = -1;
    } else if (!isBetween && depth >= 1 && start === -1) {
      start = at;
    }
    if (isOpening) depth += 1;
    if (isClosing) depth -= 1;
    if (character === '\\') at += 1;
  }
  return items;
}
