// Describes a type, by its `format_type` name, for programs that offer operators and inputs for it.
import { BUILT_IN_TYPES } from '../../contract/built-in-types.ts';
import type { DescribedType, TypeCategory } from '../../contract/schema-document.ts';
import type { CustomType } from './role-details.ts';

type CustomTypes = ReadonlyMap<string, CustomType>;

/** By letter of `pg_type.typcategory`. */
const LETTERS: ReadonlyMap<string, TypeCategory> = new Map([
  ['B', 'boolean'],
  ['N', 'number'],
  ['S', 'text'],
  ['T', 'interval'],
]);

/** @param name shown; @param resolved name of the type below a domain, if known */
export function describeType(name: string, types: CustomTypes, resolved: string = name): DescribedType {
  return { name, ...classify(resolved, types) };
}

function classify(name: string, types: CustomTypes): Pick<DescribedType, 'category' | 'isArray' | 'labels'> {
  const isArray = name.endsWith('[]');
  const element = name
    .replace(/(?:\[\])+$/u, '')
    .replace(/\([^()"]*\)/u, '')
    .replace(/^interval .*/u, 'interval');
  const custom = types.get(element);
  if (custom === undefined) {
    const category = element === 'record' ? 'composite' : (BUILT_IN_TYPES.get(element)?.category ?? 'other');
    return { category, isArray };
  }
  if (custom.base !== undefined) {
    const base = classify(custom.base, types);
    return { ...base, isArray: isArray || base.isArray };
  }
  return { category: categoryOf(custom), isArray, labels: custom.labels };
}

function categoryOf({ kind, category, shownName }: CustomType): TypeCategory {
  switch (kind) {
    case 'e':
      return 'enum';
    case 'c':
      return 'composite';
    case 'r':
    case 'm':
      return 'range';
    default:
      if (/(?:^|\.)(?:geometry|geography)$/u.test(shownName)) return 'geometry';
      return LETTERS.get(category) ?? 'other';
  }
}
