// A relation → the fields of its form, and what is told beside it of the columns that have none.
import type { DescribedColumn, DescribedRelation } from '../../../src/contract/schema-document.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { JsonObject } from '../result/json-value.ts';
import { type FieldValue, type FieldValues, isSameValue, UNSET, valueOf } from './field-value.ts';
import { type FormInput, formInputFor } from './form-input.ts';
import { fromJson, toJson, wrap } from './value-json.ts';

export interface FormField {
  readonly column: DescribedColumn;
  readonly input: FormInput;
  /** What the input begins with. */
  readonly initial: FieldValue;
  readonly isRequired: boolean;
}

export interface FormFields {
  readonly fields: readonly FormField[];
  /** Made by the database. */
  readonly generated: readonly string[];
  /** Not the role's to write. */
  readonly withheld: readonly string[];
}

/** @param row the one that is changed, with all columns that can be read; undefined for a new one */
export function listFields(relation: DescribedRelation, row: JsonObject | undefined): FormFields {
  const present = new Map(row?.entries);
  const stored = relation.columns.filter(({ isComputed }) => !isComputed);
  const isOffered = ({ may }: DescribedColumn): boolean => (row === undefined ? may.insert : may.update);
  const fields = stored.filter(isOffered).map((column): FormField => {
    const value = present.get(column.name);
    const input = formInputFor(column.type, value);
    const isRequired = row === undefined && !column.isNullable && column.default === undefined;
    return { column, input, initial: value === undefined ? UNSET : fromJson(value, input), isRequired };
  });
  const others = stored.filter((column) => !isOffered(column));
  const namesWhere = (isGenerated: boolean): readonly string[] =>
    others.filter((column) => column.isGenerated === isGenerated).map(({ name }) => name);
  return { fields, generated: namesWhere(true), withheld: namesWhere(false) };
}

/** What is wrong with the values, by column. */
export type Problems = ReadonlyMap<string, string>;

/** @returns the body: what was stated or changed, as one JSON object */
export function renderBody(fields: readonly FormField[], values: FieldValues): Result<string, Problems> {
  const members: string[] = [];
  const problems = new Map<string, string>();
  for (const field of fields) {
    const { name } = field.column;
    const json = jsonOf(field, valueOf(values, name));
    if (json === undefined) continue;
    if (json.ok) members.push(`${JSON.stringify(name)}: ${json.value}`);
    else problems.set(name, json.error);
  }
  return problems.size > 0 ? fail(problems) : ok(wrap('{}', members));
}

/** @returns undefined where nothing is to be sent */
function jsonOf(
  { column, input, initial, isRequired }: FormField,
  value: FieldValue,
): Result<string, string> | undefined {
  if (value.kind === 'unset') return isRequired ? fail('A value is needed here.') : undefined;
  if (isSameValue(value, initial)) return undefined;
  if (value.kind === 'null') return column.isNullable ? ok('null') : fail('Null is not allowed here.');
  return toJson(value.text, column.type, input);
}

export function initialValues(fields: readonly FormField[]): FieldValues {
  return new Map(fields.map(({ column, initial }) => [column.name, initial]));
}
