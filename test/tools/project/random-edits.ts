// Random edits of a project of many tables: the same seed makes the same edits.
import type { Random } from '../../support/generate/random.ts';

const TYPES = ['int', 'bigint', 'text', 'numeric', 'boolean', 'timestamptz', 'jsonb', 'mood', 'amount'] as const;
/** Types whose values fit into others. */
const WIDER: Readonly<Record<string, string>> = { int: 'bigint', 'varchar(20)': 'text', bigint: 'numeric' };
const DEFAULTS: Readonly<Record<string, string>> = {
  int: '7',
  bigint: '8',
  text: `'some'`,
  numeric: '1.5',
  boolean: 'true',
  timestamptz: 'now()',
  jsonb: `'{}'`,
  mood: `'calm'`,
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly default: string | undefined;
  readonly isRequired: boolean;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly parent: string | undefined;
  readonly hasRowSecurity: boolean;
  /** Statements about the table, by what they describe. */
  readonly details: ReadonlyMap<string, string>;
}

interface Edit {
  /** For a person who looks at a failure. */
  readonly what: string;
  readonly files: Readonly<Record<string, string | undefined>>;
}

export class RandomProject {
  readonly #random: Random;
  readonly #roles: readonly [web: string, staff: string];
  readonly #tables: Map<string, Table> = new Map();
  #moods: readonly string[] = ['calm', 'glad'];
  #check = 'value is null or value > -1000';
  #made = 0;

  constructor(
    random: Random,
    { tables, roles }: { readonly tables: number; readonly roles: readonly [string, string] },
  ) {
    this.#random = random;
    this.#roles = roles;
    for (let index = 0; index < tables; index += 1) this.#addTable();
  }

  /** All files of the project. */
  files(): Readonly<Record<string, string>> {
    const tables = [...this.#tables.values()].map((table) => [fileOf(table.name), renderTable(table)]);
    return { 'schema/types.sql': this.#renderTypes(), ...Object.fromEntries(tables) };
  }

  /** A statement that fills a table with rows, which edits never lose. */
  fill(name: string): string {
    const { columns = [] } = this.#tables.get(name) ?? {};
    const required = columns.filter(({ isRequired, default: value }) => isRequired && value === undefined);
    const names = required.map(({ name: column }) => column);
    const values = required.map(({ type }) => DEFAULTS[type] ?? `'2'`);
    return names.length === 0
      ? `insert into app.${name} default values`
      : `insert into app.${name} (${names.join(', ')}) values (${values.join(', ')})`;
  }

  tables(): readonly string[] {
    return [...this.#tables.keys()];
  }

  /** Changes one to three things. */
  edit(): Edit {
    const edits = this.#random.list(1, 3, () => this.#editOnce());
    return {
      what: edits.map(({ what }) => what).join(', '),
      files: Object.assign({}, ...edits.map(({ files }) => files)),
    };
  }

  #editOnce(): Edit {
    const roll = this.#random.roll(20);
    if (roll === 0) return this.#addTable();
    if (roll === 1) return this.#dropTable();
    if (roll === 2) return this.#editTypes();
    const table = this.#random.pick([...this.#tables.values()]);
    if (roll < 6) return this.#addColumn(table);
    if (roll < 8) return this.#dropColumn(table);
    if (roll < 11) return this.#changeColumn(table);
    if (roll === 11) return this.#save({ ...table, hasRowSecurity: !table.hasRowSecurity }, 'row security');
    return this.#changeDetail(table);
  }

  #addTable(): Edit {
    this.#made += 1;
    const name = `t${this.#made}`;
    const [parent] = this.#tables.size > 0 && this.#random.chance(0.5) ? [this.#random.pick(this.tables())] : [];
    const columns = this.#random.list(1, 5, () => this.#makeColumn());
    return this.#save({ name, columns, parent, hasRowSecurity: false, details: new Map() }, 'add table');
  }

  /** Only those that no other mentions: the author of the files would remove the mention too. */
  #dropTable(): Edit {
    const free = this.tables().filter((name) => ![...this.#tables.values()].some((other) => mentions(other, name)));
    if (free.length < 3) return this.#addTable();
    const name = this.#random.pick(free);
    this.#tables.delete(name);
    return { what: `drop table ${name}`, files: { [fileOf(name)]: undefined } };
  }

  #editTypes(): Edit {
    if (this.#random.chance(0.5)) this.#check = `value is null or value > -${1000 + this.#random.roll(9)}`;
    else this.#moods = [...this.#moods, `mood ${(this.#made += 1)}`];
    return { what: 'types', files: { 'schema/types.sql': this.#renderTypes() } };
  }

  #renderTypes(): string {
    const values = this.#moods.map((mood) => `'${mood}'`).join(', ');
    return `create schema app;\ncreate type app.mood as enum (${values});\ncreate domain app.amount as int check (${this.#check});\n`;
  }

  #makeColumn(): Column {
    this.#made += 1;
    const type = this.#random.pick([...TYPES, 'varchar(20)', 'int[]']);
    const value = this.#random.chance(0.4) ? DEFAULTS[type] : undefined;
    return {
      name: `c${this.#made}`,
      type,
      default: value,
      isRequired: value !== undefined && this.#random.chance(0.5),
    };
  }

  #addColumn(table: Table): Edit {
    const place = this.#random.roll(table.columns.length + 1);
    return this.#save({ ...table, columns: table.columns.toSpliced(place, 0, this.#makeColumn()) }, 'add column');
  }

  #dropColumn(table: Table): Edit {
    const column = this.#random.pick(table.columns);
    if (table.columns.length === 1) return this.#addColumn(table);
    const details = [...table.details].filter(([, sql]) => !new RegExp(`\\b${column.name}\\b`, 'u').test(sql));
    const columns = table.columns.filter((other) => other !== column);
    return this.#save({ ...table, columns, details: new Map(details) }, `drop column ${column.name}`);
  }

  #changeColumn(table: Table): Edit {
    const column = this.#random.pick(table.columns);
    const wider = WIDER[column.type];
    const changed =
      wider !== undefined && this.#random.chance(0.6)
        ? { ...column, type: wider }
        : { ...column, default: column.isRequired || column.default === undefined ? DEFAULTS[column.type] : undefined };
    const columns = table.columns.map((other) => (other === column ? changed : other));
    return this.#save({ ...table, columns }, `change column ${column.name}`);
  }

  /** Adds, replaces or removes one statement about the table. */
  #changeDetail(table: Table): Edit {
    const [kind, make] = this.#random.pick(Object.entries(this.#makers(table)));
    const details = new Map(table.details);
    if (details.has(kind) && this.#random.chance(0.3)) details.delete(kind);
    else details.set(kind, make());
    return this.#save({ ...table, details }, kind);
  }

  #makers({ name, columns }: Table): Readonly<Record<string, () => string>> {
    const random = this.#random;
    const column = (): string => random.pick(columns).name;
    const role = (): string => random.pick([...this.#roles, 'public']);
    const number = (): number => random.roll(90);
    return {
      index: () =>
        `create ${random.pick(['', 'unique '])}index ${name}_i on app.${name} (${random.pick([`id, ${scalar(columns)}`, 'id desc', '(id + 1)'])});`,
      check: () => `alter table app.${name} add constraint ${name}_c check (id > -${number() + 1});`,
      view: () =>
        `create view app.${name}_v ${random.pick(['', 'with (security_invoker = true) '])}as select id, ${column()}${random.pick([' as x', ''])} from app.${name} where id > ${number()};\ngrant select ${random.pick(['', '(id) '])}on app.${name}_v to ${role()};`,
      function: () =>
        `create function app.${name}_f(${random.pick(['n int', 'n int, more text default null', 'm bigint'])}) returns ${random.pick(['int', 'bigint'])} language sql ${random.pick(['stable', 'immutable', 'volatile security definer set search_path = pg_catalog'])} as $$ select ${number()} $$;`,
      trigger: () =>
        `create function app.${name}_t() returns trigger language plpgsql as $$ begin perform ${number()}; return new; end $$;\ncreate trigger ${name}_t ${random.pick(['before', 'after'])} ${random.pick(['insert', 'update', 'insert or update'])} on app.${name} for each row execute function app.${name}_t();`,
      policy: () =>
        `create policy p on app.${name} ${random.pick(['', 'as restrictive '])}for ${random.pick(['all', 'update'])} to ${role()} using (id > ${number()})${random.pick(['', ` with check (id < ${number()})`])};`,
      grant: () => `grant ${random.pick(['select', 'select, insert', 'update', 'all'])} on app.${name} to ${role()};`,
      'column grant': () => `grant select (id, ${column()}), update (${column()}) on app.${name} to ${role()};`,
      comment: () =>
        `comment on table app.${name} is 'Note ${number()}';\ncomment on column app.${name}.${column()} is 'It''s ${number()}';`,
      publication: () =>
        `create publication ${name}_p for table app.${name}${random.pick([' (id)', '', ' where (id > 1)'])};`,
      sequence: () => `create sequence app.${name}_s increment ${number() + 1} cache ${number() + 1};`,
      partitions: () =>
        `create table app.${name}_parts (id int, at int) partition by range (at);\ncreate index on app.${name}_parts (id);\n${[
          'a',
          'b',
          'c',
        ]
          .slice(0, random.roll(4))
          .map(
            (part, index) =>
              `create table app.${name}_${part} partition of app.${name}_parts for values from (${index}0) to (${index}9);\n`,
          )
          .join('')}`,
      materialized: () =>
        `create materialized view app.${name}_m as select count(*) + ${number()} as n from app.${name};`,
      options: () => `alter table app.${name} set (fillfactor = ${50 + random.roll(50)});`,
    };
  }

  #save(table: Table, what: string): Edit {
    this.#tables.set(table.name, table);
    return { what: `${what} of ${table.name}`, files: { [fileOf(table.name)]: renderTable(table) } };
  }
}

function scalar(columns: readonly Column[]): string {
  return columns.find(({ type }) => type !== 'jsonb')?.name ?? 'id';
}

function mentions({ parent, name }: Table, other: string): boolean {
  return name !== other && parent === other;
}

function fileOf(table: string): string {
  return `schema/tables/${table}.sql`;
}

function renderTable({ name, columns, parent, hasRowSecurity, details }: Table): string {
  const lines = columns.map(
    (column) =>
      `  ${column.name} ${/^(?:mood|amount)$/u.test(column.type) ? `app.${column.type}` : column.type}${column.isRequired ? ' not null' : ''}${column.default === undefined ? '' : ` default ${column.default}`}`,
  );
  const reference = parent === undefined ? [] : [`  parent int references app.${parent}`];
  const body = ['  id int generated always as identity primary key', ...lines, ...reference].join(',\n');
  const security = hasRowSecurity ? [`alter table app.${name} enable row level security;`] : [];
  return [`create table app.${name} (\n${body}\n);`, ...security, ...details.values(), ''].join('\n');
}
