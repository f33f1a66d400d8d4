// Facts of types, domains and collations.
import { type FactQuery, isOwn } from './fact-query.ts';

const TYPES = `pg_type as type join spaces on spaces.oid = typnamespace and ${isOwn('pg_type', 'type.oid')}`;
const NAME = `format('%I.%I', nspname, typname)`;

export const TYPE_FACTS: readonly FactQuery[] = [
  {
    name: `concat('type ', ${NAME})`,
    value: `case typtype
      when 'e' then 'enum ' || (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = type.oid)
      when 'r' then (select concat_ws(' ', 'range', rngsubtype::regtype, nullif(rngcollation, 0)::regcollation,
        (select concat(opcnamespace::regnamespace, '.', opcname) from pg_opclass where pg_opclass.oid = rngsubopc),
        rngcanonical, rngsubdiff, rngmultitypid::regtype) from pg_range where rngtypid = type.oid)
      when 'b' then concat_ws(' ', 'base', typlen, typinput, typoutput, typalign, typstorage)
      else typtype::text end`,
    from: `${TYPES} where typtype in ('e', 'r', 'b', 'p') and typelem = 0
      or typtype = 'c' and exists (select from relations where relations.oid = typrelid and relkind = 'c')`,
  },
  {
    name: `concat('domain ', ${NAME})`,
    value: `concat_ws(' ', format_type(typbasetype, typtypmod), case when typnotnull then 'not null' end,
      (select 'collate ' || typcollation::regcollation from pg_type as base where base.oid = type.typbasetype
        and base.typcollation <> type.typcollation))`,
    from: `${TYPES} where typtype = 'd'`,
  },
  {
    name: `concat('default of domain ', ${NAME})`,
    value: 'coalesce(pg_get_expr(typdefaultbin, 0), typdefault)',
    from: `${TYPES} where typtype = 'd'`,
    isPrinted: true,
    set: [`format('alter domain %s set default %s', ${NAME}, coalesce(pg_get_expr(typdefaultbin, 0), typdefault))`],
    reset: [`format('alter domain %s drop default', ${NAME})`],
  },
  {
    name: `format('constraint %I on domain %s', conname, ${NAME})`,
    value: 'convalidated',
    from: `${TYPES} join pg_constraint on contypid = type.oid where contype = 'c'`,
  },
  {
    name: `format('definition of constraint %I on domain %s', conname, ${NAME})`,
    value: 'pg_get_constraintdef(pg_constraint.oid)',
    from: `${TYPES} join pg_constraint on contypid = type.oid where contype = 'c'`,
    isPrinted: true,
  },
  {
    name: `format('collation %I.%I', nspname, collname)`,
    value: `concat_ws(' ', collprovider, collisdeterministic, collcollate, collctype,
      coalesce(to_jsonb(pg_collation) ->> 'colllocale', to_jsonb(pg_collation) ->> 'colliculocale'),
      to_jsonb(pg_collation) ->> 'collicurules')`,
    from: `pg_collation join spaces on spaces.oid = collnamespace where ${isOwn('pg_collation', 'pg_collation.oid')}`,
  },
];
