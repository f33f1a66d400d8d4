// The words of SQL that the editor highlights and offers.

export const CONSTANTS: ReadonlySet<string> = new Set(['null', 'true', 'false']);

/** Those that people type often enough to have them offered. */
export const OFFERED_KEYWORDS: readonly string[] =
  `select from where group by having order limit offset join left right inner full cross lateral on using as distinct
  and or not in is null true false exists between like ilike case when then else end with recursive union all except
  intersect insert into values update set delete returning create table view materialized function index unique
  policy role grant revoke alter drop add column constraint primary key foreign references check default cascade
  enable row level security begin commit rollback asc desc nulls first last over partition filter explain analyze
  coalesce count sum avg min max now if replace type enum returns language schema comment truncate merge matched do
  conflict nothing cast interval only array any some window fetch for`.split(/\s+/u);

export const KEYWORDS: ReadonlySet<string> = new Set(OFFERED_KEYWORDS);
