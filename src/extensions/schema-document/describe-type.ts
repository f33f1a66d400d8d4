// Describes a type, by its `format_type` name, for programs that offer operators and inputs for it.
import type { DescribedType, TypeCategory } from '../../contract/schema-document.ts';
import type { CustomType } from './role-details.ts';

type CustomTypes = ReadonlyMap<string, CustomType>;

const NAMES: Readonly<Partial<Record<TypeCategory, string>>> = {
  number: 'smallint,integer,bigint,numeric,real,double precision,money,oid',
  text: 'text,character varying,character,"char",name,xml',
  boolean: 'boolean',
  date: 'date',
  time: 'time without time zone,time with time zone',
  timestamp: 'timestamp without time zone,timestamp with time zone',
  interval: 'interval',
  uuid: 'uuid',
  json: 'json,jsonb',
  range:
    'int4range,int8range,numrange,daterange,tsrange,tstzrange,' +
    'int4multirange,int8multirange,nummultirange,datemultirange,tsmultirange,tstzmultirange',
  binary: 'bytea',
  fullText: 'tsvector,tsquery',
  composite: 'record',
};

const CATEGORIES: ReadonlyMap<string, TypeCategory> = new Map(
  Object.entries(NAMES).flatMap(([category, names]) => names.split(',').map((name) => [name, toCategory(category)])),
);

function toCategory(text: string): TypeCategory {
  return isCategory(text) ? text : 'other';
}

function isCategory(text: string): text is TypeCategory {
  return Object.hasOwn(NAMES, text);
}

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
  if (custom === undefined) return { category: CATEGORIES.get(element) ?? 'other', isArray };
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
