// The relations and functions that attacks on streams, waiting and retries use.

export function renderTargets(anon: string): string {
  const random = `program 'seq $(shuf -i 1000-3000 -n 1)'`;
  return `
    create table api.pattern (id int primary key, v text);
    insert into api.pattern select n, rpad('v' || n || '-', 180, 'x') from generate_series(1, 2000) n;

    create sequence api.runs;
    select nextval('api.runs');
    create function api.misfit(state text, message text) returns void language plpgsql volatile security definer as $$ begin
      perform nextval('api.runs');
      raise exception using errcode = state, message = message;
    end $$;
    create table api.misfits (state text, message text);
    create function api.refuse_misfit() returns trigger language plpgsql as $$ begin
      perform api.misfit(new.state, new.message);
      return new;
    end $$;
    create trigger refusing before insert on api.misfits for each row execute function api.refuse_misfit();

    create table api.kin (id int primary key, name text);
    create table api.child () inherits (api.kin);
    create table api.heir (id int primary key, kin_id int references api.kin);
    insert into api.kin values (1, 'of the table');
    insert into api.child values (1, 'of its child');
    insert into api.heir select n, 1 from generate_series(1, 2000) n;
    create view api.chances as select n as id, repeat('x', 90) as filler from generate_series(1, 2000) n where random() < 0.5;

    create extension file_fdw;
    create server programs foreign data wrapper file_fdw;
    create foreign table api.far (id int) server programs options (${random});
    create table api.split (id int) partition by range (id);
    create foreign table api.split_far partition of api.split for values from (0) to (9999) server programs options (${random});
    create table api.heads (id int);
    create foreign table api.far_heads () inherits (api.heads) server programs options (${random});

    grant select on all tables in schema api to ${anon};
    grant insert on api.misfits to ${anon};
  `;
}
