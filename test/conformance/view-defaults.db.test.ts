// Defaults of missing columns in writes through views, in both dialects: the same as PostgreSQL assigns to omitted
// columns.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/contract/dialect.ts';
import { serveWriting, type Row, type Service } from './serve.ts';

const FIXTURE = `
  create domain api.tone as text default 'of the domain';
  create domain api.deep_tone as api.tone;
  create domain api.own_tone as api.tone default 'of the upper domain';
  create table api.chimes (
    id int primary key, plain api.tone, own api.tone default 'of the column', deep api.deep_tone, upper api.own_tone,
    free text);
  create view api.chime_view as select * from api.chimes;
  create view api.chime_view_of_view as select * from api.chime_view;
  create view api.set_view as select * from api.chimes;
  alter view api.set_view alter column plain set default 'of the view';
  create view api.trigger_view as select * from api.chimes;
  create function api.insert_chime() returns trigger language plpgsql as $$
    begin
      insert into api.chimes values (new.id, new.plain, new.own, new.deep, new.upper, new.free);
      return new;
    end $$;
  create trigger instead instead of insert on api.trigger_view for each row execute function api.insert_chime();
  grant all on all tables in schema api to web_anon;`;

const COLUMNS = 'id,plain,own,deep,upper,free';
const RELATIONS = ['chimes', 'chime_view', 'chime_view_of_view', 'set_view', 'trigger_view'];

describe.each<DialectName>(['svc', 'postgrest'])('%s', (dialect) => {
  let service: Service;
  beforeAll(async () => {
    service = await serveWriting({ dialect, 'db-tx-end': 'rollback' }, FIXTURE);
  });
  afterAll(() => service?.stop());

  async function leftOut(relation: string): Promise<Row | undefined> {
    await service.query('truncate api.chimes');
    const [row] = await service.query(`insert into api.${relation} (id) values (1) returning *`);
    await service.query('truncate api.chimes');
    return row;
  }

  test.each(RELATIONS)('an insert into %s equals an insert without the columns', async (relation) => {
    const expected = await leftOut(relation);
    const path = `/${relation}?columns=${COLUMNS}`;
    const headers = { Prefer: 'missing=default, return=representation' };
    const one = await service.send({ method: 'POST', path, headers, body: { id: 1 } });
    expect([one.status, one.headers.get('preference-applied'), JSON.parse(one.body.toString())]).toEqual([
      201,
      ['missing=default, return=representation'],
      [expected],
    ]);
    const many = await service.send({ method: 'POST', path, headers, body: [{ id: 1 }, { id: 2, plain: null }] });
    expect([many.status, JSON.parse(many.body.toString())]).toEqual([
      201,
      [expected, { ...expected, id: 2, plain: null }],
    ]);
  });

  test('a column of a view takes the default of the view, otherwise that of the domain', async () => {
    const tones = { own: 'of the domain', deep: 'of the domain', upper: 'of the upper domain', free: null };
    expect(await leftOut('chime_view')).toEqual({ id: 1, plain: 'of the domain', ...tones });
    expect(await leftOut('set_view')).toEqual({ id: 1, plain: 'of the view', ...tones });
  });

  test.each(['chime_view', 'set_view'])('an update of %s equals SET … = DEFAULT', async (relation) => {
    await service.query("truncate api.chimes; insert into api.chimes values (1, 'a', 'b', 'c', 'd', 'e')");
    const names = COLUMNS.split(',').slice(1);
    const [expected] = await service.query(`
      update api.${relation} set ${names.map((name) => `${name} = default`).join(', ')} returning *`);
    await service.query("truncate api.chimes; insert into api.chimes values (1, 'a', 'b', 'c', 'd', 'e')");
    const changed = await service.send({
      method: 'PATCH',
      path: `/${relation}?id=eq.1&columns=${names.join(',')}`,
      headers: { Prefer: 'missing=default, return=representation' },
      body: {},
    });
    expect([changed.status, JSON.parse(changed.body.toString())]).toEqual([200, [expected]]);
  });

  test('without the preference missing columns are null', async () => {
    await service.query('truncate api.chimes');
    const made = await service.send({
      method: 'POST',
      path: '/chime_view?columns=id,plain&select=plain',
      headers: { Prefer: 'return=representation' },
      body: { id: 1 },
    });
    expect([made.status, JSON.parse(made.body.toString())]).toEqual([201, [{ plain: null }]]);
  });
});
