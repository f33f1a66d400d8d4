// Facts of functions, triggers, rules and policies.
import { LIVE_PUBLICATION } from '../../../../src/extensions/live/publication.ts';
import { type FactQuery, isOwn } from './fact-query.ts';

const FUNCTIONS = `pg_proc as program join spaces on spaces.oid = pronamespace and ${isOwn('pg_proc', 'program.oid')}
  and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = program.oid and deptype = 'i')`;

const NAME = `concat(case prokind when 'p' then 'procedure ' else 'function ' end, program.oid::regprocedure)`;
/** Partitions have triggers of their parents. */
const TRIGGERS = 'relations join pg_trigger on tgrelid = relations.oid where not tgisinternal and tgparentid';

const ROLES = `(select string_agg(case role when 0 then 'public' else role::regrole::text end, ', ' order by role::regrole::text)
  from unnest(polroles) as role)`;

const PUBLISHED = `pg_publication_rel join pg_publication on pg_publication.oid = prpubid where pubname <> '${LIVE_PUBLICATION}'`;

export const PROGRAM_FACTS: readonly FactQuery[] = [
  {
    name: NAME,
    value: `concat_ws(' ', prokind, prorettype::regtype, proretset, lanname, provolatile, proisstrict, prosecdef, proleakproof,
      proparallel, procost, prorows, nullif(prosupport, 0)::regproc, protrftypes, proargmodes, proargnames, proallargtypes,
      case when prosqlbody is null then prosrc end, probin,
      (select string_agg(setting, ', ' order by setting) from unnest(proconfig) as setting))`,
    from: `${FUNCTIONS} join pg_language on pg_language.oid = prolang where prokind <> 'a'`,
  },
  {
    name: `concat('expressions of ', ${NAME})`,
    value: `nullif(concat_ws(' ', pg_get_expr(proargdefaults, 0), pg_get_function_sqlbody(program.oid)), '')`,
    from: `${FUNCTIONS} where prokind <> 'a' and (proargdefaults is not null or prosqlbody is not null)`,
    isPrinted: true,
  },
  {
    name: `concat('aggregate ', program.oid::regprocedure)`,
    value: `concat_ws(' ', prorettype::regtype, pg_get_function_arguments(program.oid), proparallel, aggkind, aggtransfn, aggfinalfn,
      aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn, aggfinalextra, aggfinalmodify,
      nullif(aggsortop, 0)::regoperator, aggtranstype::regtype, aggtransspace, quote_literal(agginitval), quote_literal(aggminitval))`,
    from: `${FUNCTIONS} join pg_aggregate on aggfnoid = program.oid`,
  },
  {
    name: `format('trigger %I on %s', tgname, path)`,
    value: `concat_ws(' ', tgfoid::regprocedure, tgtype, nullif(tgenabled, 'O'), tgdeferrable, tginitdeferred, tgconstraint <> 0,
      (select string_agg(attname, ', ' order by attname) from pg_attribute where attrelid = tgrelid and attnum = any (tgattr)), encode(tgargs, 'hex'), tgoldtable, tgnewtable)`,
    from: `${TRIGGERS} = 0`,
  },
  {
    name: `format('definition of trigger %I on %s', tgname, path)`,
    value: 'pg_get_triggerdef(pg_trigger.oid)',
    from: `${TRIGGERS} = 0`,
    isPrinted: true,
  },
  {
    name: `format('state of trigger %I on partition %s', tgname, path)`,
    value: `nullif(tgenabled, 'O')`,
    from: `${TRIGGERS} <> 0`,
    set: [
      `format('alter table %s %s trigger %I', path,
      case tgenabled when 'D' then 'disable' when 'R' then 'enable replica' else 'enable always' end, tgname)`,
    ],
    reset: [`format('alter table %s enable trigger %I', path, tgname)`],
  },
  {
    name: `format('state of the triggers of constraint %I on table %s', conname, path)`,
    value: `string_agg(tgenabled::text, '' order by tgtype, tgenabled) filter (where tgenabled <> 'O')`,
    from: `relations join pg_trigger on tgrelid = relations.oid join pg_constraint on pg_constraint.oid = tgconstraint
      where tgisinternal and conparentid = 0 group by conname, path`,
  },
  {
    name: `format('rule %I on %s', rulename, path)`,
    value: `concat_ws(' ', ev_type, is_instead, nullif(ev_enabled, 'O'))`,
    from: `relations join pg_rewrite on ev_class = relations.oid where rulename <> '_RETURN'`,
  },
  {
    name: `format('definition of rule %I on %s', rulename, path)`,
    value: 'pg_get_ruledef(pg_rewrite.oid)',
    from: `relations join pg_rewrite on ev_class = relations.oid where rulename <> '_RETURN'`,
    isPrinted: true,
  },
  {
    name: `format('policy %I on table %s', polname, path)`,
    value: `concat_ws(' ', polcmd, polpermissive, ${ROLES})`,
    from: 'relations join pg_policy on polrelid = relations.oid',
  },
  {
    name: `format('expressions of policy %I on table %s', polname, path)`,
    value: `concat_ws(' ', 'using ' || pg_get_expr(polqual, polrelid), 'check ' || pg_get_expr(polwithcheck, polrelid))`,
    from: 'relations join pg_policy on polrelid = relations.oid',
    isPrinted: true,
  },
  {
    name: `format('event trigger %I', evtname)`,
    value: `concat_ws(' ', evtevent, evtfoid::regprocedure, evtenabled, evttags)`,
    from: `pg_event_trigger where evtname not in ('rowhouse_change', 'rowhouse_drop') and ${isOwn('pg_event_trigger', 'pg_event_trigger.oid')}`,
  },
  {
    name: `format('publication %I', pubname)`,
    value: `concat_ws(' ', puballtables, pubinsert, pubupdate, pubdelete, pubtruncate, pubviaroot,
      nullif(to_jsonb(pg_publication) ->> 'pubgencols', 'n'))`,
    from: `pg_publication where pubname <> '${LIVE_PUBLICATION}'`,
  },
  {
    name: `format('table %s of publication %I', prrelid::regclass, pubname)`,
    value: `concat_ws(' ', 'published', (select string_agg(attname, ', ' order by attname) from pg_attribute
      where attrelid = prrelid and attnum = any (prattrs)))`,
    from: PUBLISHED,
    versions: [15, Infinity],
  },
  {
    name: `format('filter of table %s of publication %I', prrelid::regclass, pubname)`,
    value: 'pg_get_expr(prqual, prrelid)',
    from: PUBLISHED,
    isPrinted: true,
    versions: [15, Infinity],
  },
  {
    name: `format('table %s of publication %I', prrelid::regclass, pubname)`,
    value: `'published'`,
    from: PUBLISHED,
    versions: [0, 14],
  },
  {
    name: `format('schema %s of publication %I', pnnspid::regnamespace, pubname)`,
    value: `'published'`,
    from: `pg_publication_namespace join pg_publication on pg_publication.oid = pnpubid where pubname <> '${LIVE_PUBLICATION}'`,
    versions: [15, Infinity],
  },
];
