// Chooses names of the schema for the examples of the help, with plain words where it has none that fit.
import type {
  DescribedColumn,
  DescribedRelation,
  DescribedType,
  TypeCategory,
} from '../../../src/contract/schema-document.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { encodeSegment } from '../url-state/readable-text.ts';
import { renderFilterField, renderName } from '../../../src/request/query/render-names.ts';

export interface GrammarNames {
  /** Path of a relation. */
  readonly table: string;
  readonly key: string;
  readonly text: string;
  readonly other: string;
  readonly number: string;
  readonly date: string;
  readonly flag: string;
  readonly array: string;
  readonly json: string;
  /** A related table as `select` accepts it, and one of its columns. */
  readonly many: string;
  readonly manyColumn: string;
  readonly one: string;
  readonly oneColumn: string;
  readonly call: string;
}

const CATEGORIES: readonly TypeCategory[] = ['text', 'number', 'date', 'timestamp', 'boolean', 'json'];

export function chooseNames(schema: SchemaIndex | undefined): GrammarNames {
  const relations = schema?.document.relations.filter(({ may }) => may.select) ?? [];
  const sorted = relations.toSorted((one, other) => varietyOf(other) - varietyOf(one));
  const [relation] = sorted;
  /** Prefers the columns of the first relation. */
  const findWhere = (isFit: (type: DescribedType) => boolean): string | undefined => {
    const values = sorted.flatMap((one) => columnsOf(one).filter(({ name }) => isValue(one, name)));
    return nameOf(values.find(({ type }) => isFit(type)));
  };
  const find = (...categories: TypeCategory[]): string | undefined =>
    findWhere(({ isArray, category }) => !isArray && categories.includes(category));
  const texts = columnsOf(relation).filter(({ type }) => type.category === 'text' && !type.isArray);
  const related = (isToOne: boolean): { readonly address: string; readonly column: string } | undefined => {
    const found = relation?.relationships.find((one) => one.isToOne === isToOne && schema?.relations.has(one.target));
    const target = schema?.relations.get(found?.target ?? '');
    const column = columnsOf(target).find(({ name }) => isValue(target, name));
    return found && { address: found.address, column: nameOf(column) ?? 'column' };
  };
  const [many, one] = [related(false), related(true)];
  return {
    table: relation === undefined ? 'table' : encodeSegment(relation.name),
    key: relation?.key[0] === undefined ? 'id' : renderFilterField({ column: relation.key[0], path: [] }),
    text: nameOf(texts[0]) ?? 'column',
    other: nameOf(texts[1]) ?? find('number', 'date', 'timestamp', 'enum', 'boolean') ?? 'other',
    number: find('number') ?? 'number',
    date: find('date', 'timestamp') ?? 'date',
    flag: find('boolean') ?? 'flag',
    array: findWhere(({ isArray }) => isArray) ?? 'array',
    json: find('json') ?? 'json',
    many: many?.address ?? 'related',
    manyColumn: many?.column ?? 'column',
    one: one?.address ?? 'parent',
    oneColumn: one?.column ?? 'column',
    call: callOf(schema),
  };
}

/** Prefers relations with many kinds of columns and relationships. */
function varietyOf(relation: DescribedRelation): number {
  const categories = new Set(columnsOf(relation).map(({ type }) => (type.isArray ? 'array' : type.category)));
  const directions = new Set(relation.relationships.map(({ isToOne }) => isToOne));
  const writes = relation.may.insert && relation.may.update ? 0.5 : 0;
  return (
    CATEGORIES.filter((one) => categories.has(one)).length +
    directions.size +
    writes +
    (relation.kind === 'table' ? 1 : 0)
  );
}

function columnsOf(relation: DescribedRelation | undefined): readonly DescribedColumn[] {
  return relation?.columns.filter(({ may, isComputed }) => may.select && !isComputed) ?? [];
}

/** Returns false for columns of keys. */
function isValue(relation: DescribedRelation | undefined, name: string): boolean {
  const foreign = relation?.relationships.some(
    ({ isToOne, columns }) => isToOne && columns.some(([own]) => own === name),
  );
  return relation?.key.includes(name) !== true && foreign !== true;
}

function nameOf(column: DescribedColumn | undefined): string | undefined {
  return column && renderFilterField({ column: column.name, path: [] });
}

function callOf(schema: SchemaIndex | undefined): string {
  const one = schema?.document.functions.find(({ parameters }) => parameters.some(({ name }) => name !== ''));
  const parameters = one?.parameters.filter(({ name, isRequired }) => name !== '' && isRequired) ?? [];
  const [first = one?.parameters[0]] = parameters;
  return one === undefined || first === undefined
    ? 'function?argument=value'
    : `${encodeSegment(one.name)}?${renderName(first.name)}=…`;
}
