// The access of roles in the explorer of `rowhouse dev`: the matrix, and why a role sees a row or not.
import { expect, test } from 'vitest';
import { expectAccessible, expectContrast } from './support/accessibility.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

const SQL = `
  comment on schema api is 'standard public schema';
  create policy short_only on api.notes as restrictive for select using (id < 100);
  create table api."odd table" ("my key" int primary key, "x&y" text);
  insert into api."odd table" values (1, 'a');
  alter table api."odd table" enable row level security;
  grant select on api."odd table" to demo_user;
  create view api.note_counts as select topic, count(*) from api.notes group by topic;
  grant all on api.note_counts to demo_user;
  create view api.own_notes with (security_invoker) as select * from api.notes;
  create table private.houses_secret (id int);
  create view api.own_houses with (security_invoker) as select * from private.houses_secret;
  grant select on api.own_notes, api.own_houses to demo_user;
  create table api.guarded (id int primary key, owner text, is_open boolean);
  insert into api.guarded values (1, 'bob', true);
  alter table api.guarded enable row level security;
  create policy read_all on api.guarded for select using (true);
  create policy change_own on api.guarded for update to demo_user
    using (is_open and owner = current_setting('request.jwt.claims', true)::json ->> 'sub') with check (is_open);
  grant select, update on api.guarded to demo_user;
  create policy insert_own on api.guarded for insert to demo_user
    with check (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
  grant select, insert on api.guarded to demo_anon;
  grant insert on api.guarded to demo_user;
  create table api.unkeyed (value int);
  create table api.shared (id int primary key);
  insert into api.shared values (1);
  grant select, update on api.shared to demo_anon;
  grant select, insert, update on api.unkeyed to demo_anon;
  insert into api.notes (id, author_id, topic, title, body, is_public) overriding system value
    select 500, 1, topic, 'long', 'long', false from api.notes limit 1;`;

describeInBrowser('the access of roles', () => {
  const explorer = useExplorer({ isDev: true, sql: SQL, server: { 'server-workers': 1, 'log-level': 'info' } });
  const withKey = (rest = ''): string => `#key=${explorer.devKey()}${rest}`;

  test('is shown as a matrix, whose cells say why and which SQL would change it', async () => {
    const { page } = await explorer.open(withKey(), {});
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByRole('heading', { name: 'Access of roles' }).waitFor();
    const cell = page.getByRole('button', { name: 'demo_user: select on notes, some rows' });
    await cell.waitFor();
    await page.getByRole('button', { name: 'demo_anon: insert on loans, not allowed' }).waitFor();
    await page.getByRole('button', { name: 'demo_user: insert on loans, some rows, some columns' }).waitFor();
    await page.getByRole('button', { name: 'demo_user: select on odd table, no rows' }).waitFor();
    await page.getByRole('button', { name: 'demo_user: select on note_counts, all rows' }).waitFor();
    await page.getByRole('button', { name: 'demo_user: update on note_counts, not possible' }).waitFor();
    await page.getByRole('button', { name: 'demo_anon: execute borrow_tool, not allowed' }).waitFor();
    await expectAccessible(page);
    await cell.click();
    const drawer = page.getByRole('dialog', { name: 'demo_user: select on notes' });
    await drawer.getByText('One of the permissive policies must allow a row, and every restrictive').waitFor();
    await drawer.getByText('Restrictive, for SELECT, to every role').waitFor();
    await drawer.getByText('author_id = private.current_resident()').first().waitFor();
    await drawer.getByText('REVOKE SELECT ON api.notes FROM demo_user;').waitFor();
    await expectAccessible(page);
    await drawer.getByRole('link', { name: 'Explain a row' }).click();
    await page.getByRole('heading', { name: 'Can a role see this row?' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('demo_user');
  });

  test('is where a table that can only be read leads', async () => {
    const { page } = await explorer.open(withKey(), {});
    await page.getByRole('heading', { name: 'Every table is a URL' }).waitFor();
    await page.evaluate("location.hash = '#/streets'");
    await page.getByRole('link', { name: 'Read only' }).click();
    await page.getByRole('heading', { name: 'Access of roles' }).waitFor();
    await page.getByRole('button', { name: /^demo_anon: select on streets, /u }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /select on notes/u }).count()).toBe(0);
    await page.evaluate("location.hash = '#/unkeyed'");
    await page.getByText('Read only: no key').waitFor();
    await page.evaluate("location.hash = '#record/shared?id=eq.1'");
    await page.getByRole('link', { name: 'Who can change it?' }).waitFor();
  });

  test('has the roles that View as offers, to choose with the keyboard or by typing', async () => {
    const { page } = await explorer.open(withKey(), {});
    await page.locator('.token-button').click();
    const dialog = page.getByRole('dialog', { name: 'View as' });
    const roles = dialog.getByRole('group', { name: 'Roles of the API' }).getByRole('button');
    const role = dialog.getByRole('textbox', { name: 'Role' });
    await expect.poll(() => roles.first().innerText()).toBe('demo_anon without a token');
    expect(await roles.allInnerTexts()).toContain('demo_user');
    // A superuser is no role of clients, but can be typed like any other.
    expect(await roles.allInnerTexts()).not.toContain('postgres');
    // Nor is the role that servers log in with.
    expect(await roles.allInnerTexts()).not.toContain('authenticator');
    await expectAccessible(page);
    await role.fill('o_us');
    await expect.poll(() => roles.allInnerTexts()).toEqual(['demo_user']);
    await role.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => role.inputValue()).toBe('demo_user');
    expect(await dialog.getByRole('button', { name: 'demo_user', pressed: true }).count()).toBe(1);
    // The other roles are offered again.
    await expect.poll(() => roles.count()).toBeGreaterThan(1);
    await expectContrast(page);
    await dialog.getByRole('button', { name: 'View as demo_user' }).click();
    await page.locator('.token-button').getByText('demo_user').waitFor();
    // A role that is not in the list can be entered.
    await page.locator('.token-button').click();
    await role.fill('someone');
    await expect.poll(() => roles.count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'View as someone' }).isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
    // Questions of the explorer are no requests to the API.
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('No requests yet').waitFor();
  });

  test('has five pages in one row, and SQL that is not small', async () => {
    const { page } = await explorer.open(withKey(), { viewport: { width: 1440, height: 900 } });
    const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await expect.poll(() => pages.allInnerTexts()).toEqual(['Start', 'Map', 'History', 'Access', 'SQL']);
    const boxes = await Promise.all((await pages.all()).map((link) => link.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    await pages.getByText('SQL').click();
    await page.locator('.sql-field .cm-content').waitFor();
    const size = await page.evaluate(`(() => {
      const editor = document.querySelector('.sql-field').shadowRoot.querySelector('.cm-content');
      return parseFloat(getComputedStyle(editor).fontSize);
    })()`);
    expect(size).toBeGreaterThanOrEqual(13);
  });

  test('begins with all tables of the schema, each with the roles that may read it', async () => {
    const { page } = await explorer.open(withKey(), {});
    const list = page.getByRole('region', { name: /^The schema api has \d+ tables and views$/u });
    await list.getByText('demo_anon sees').waitFor();
    await list.getByRole('link', { name: 'houses', exact: true }).waitFor();
    await expectAccessible(page);
    const entry = list.getByRole('listitem').first();
    expect(await entry.innerText()).toContain('loans');
    // No role may read what it selects from.
    const failing = list.getByRole('listitem').filter({ hasText: 'own_houses' });
    expect(await failing.innerText()).toMatch(/^own_houses\s+No role of the API may read it$/u);
    await entry.getByRole('button', { name: 'as demo_user' }).click();
    await page.getByText('Requests now use this token, with the role demo_user.').waitFor();
    await page.getByText('200 OK').waitFor();
    expect(decodeURIComponent(page.url())).toContain('/loans?limit=50');
    await page.goto(`${explorer.origin()}/#/`);
    await list.getByText('demo_user sees').waitFor();
    expect(await failing.innerText()).toMatch(/^own_houses\s+No role of the API may read it$/u);
  });

  test('advises nobody to grant tables to the role that servers log in with', async () => {
    const { page } = await explorer.open(withKey(), {});
    await page.locator('.token-button').click();
    const dialog = page.getByRole('dialog', { name: 'View as' });
    await dialog.getByRole('textbox', { name: 'Role' }).fill('authenticator');
    await dialog.getByRole('button', { name: 'View as authenticator' }).click();
    await page.getByText('Servers log in as this role. It needs no privileges').waitFor();
    expect(await page.getByText('grant select on all tables').count()).toBe(0);
  });

  test('shows for a view what the policies of its tables leave to its reader', async () => {
    const { page } = await explorer.open(withKey(), {});
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByRole('button', { name: 'demo_user: select on own_notes, some rows' }).click();
    const drawer = page.getByRole('dialog', { name: 'demo_user: select on own_notes' });
    await drawer.getByText('Policies restrict the rows of api.notes.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'demo_user: select on own_houses, fails' }).click();
    await page.getByText('GRANT SELECT ON private.houses_secret TO demo_user;').waitFor();
  });

  test('can be narrowed to roles and tables', async () => {
    const { page } = await explorer.open(withKey(), {});
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByLabel('Filter tables and functions').fill('borrow');
    await page.getByRole('button', { name: 'demo_user: execute borrow_tool, allowed' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /select on notes/u }).count()).toBe(0);
    await page.getByText(/^Roles: \d+ of \d+$/u).click();
    await page.getByRole('checkbox', { name: 'demo_user' }).uncheck();
    await expect.poll(() => page.getByRole('button', { name: /demo_user: execute/u }).count()).toBe(0);
    await page.getByLabel('Filter tables and functions').fill('nothing like it');
    await page.getByText('No matches.').waitFor();
  });

  test('explains a hidden row step by step', async () => {
    const { page, address } = await explorer.open(withKey(), {});
    await page.getByText(/tables(?: and views)?, \d+ functions/u).waitFor();
    await page.evaluate("location.hash = '#explain/notes?id=eq.500'");
    await page.getByRole('combobox', { name: 'Role' }).selectOption('demo_user');
    await page.getByLabel('Claims of the token').fill('{"resident_id": 1}');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Rejected by the restrictive policy short_only.').waitFor();
    const steps = page.getByRole('list').filter({ hasText: 'Schema api' }).getByRole('listitem');
    await expect
      .poll(async () =>
        (await steps.allInnerTexts()).map((text) =>
          text
            .split('\n')
            .filter((line) => line !== '')
            .slice(0, 3)
            .join(' '),
        ),
      )
      .toEqual([
        'Passed: Schema api demo_user has USAGE.',
        'Passed: Privilege on notes demo_user has SELECT.',
        'Passed: The row The row exists: postgres can read it.',
        'Note: Row-level security It is on: the policies below decide.',
        'Passed: Permissive policy keep_own True for this row.',
        'Note: Permissive policy read_public False for this row.',
        'Failed: Restrictive policy short_only False for this row.',
      ]);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(page);
    await page.getByLabel('id', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('demo_user sees this row.').waitFor();
    expect(address()).toBe('explain/notes?id=eq.1&as=demo_user');
  });

  test('explains rows of tables with odd names, from a result without rows', async () => {
    const { page } = await explorer.open(withKey(), {});
    await page.getByText(/tables(?: and views)?, \d+ functions/u).waitFor();
    await page.evaluate(`location.hash = '#/odd table?my key=eq.7'`);
    await page.getByRole('link', { name: 'Why is a row hidden?' }).click();
    await page.getByText('There is no such row.').waitFor();
    await page.getByLabel('my key').fill('1');
    await page.getByRole('combobox', { name: 'Role' }).selectOption('demo_user');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Row-level security is on, and no permissive policy applies to the role.').waitFor();
    await page.getByText('CREATE POLICY select_for_demo_user ON api."odd table"').waitFor();
  });

  test('P41 explains why a row that is seen cannot be changed', async () => {
    const { page, address } = await explorer.open(withKey(), {});
    await page.getByText(/tables(?: and views)?, \d+ functions/u).waitFor();
    await page.evaluate("location.hash = '#record/guarded?id=eq.1'");
    await page.getByRole('link', { name: "Why can't I change it?" }).click();
    await page.getByRole('heading', { name: 'Can a role change this row?' }).waitFor();
    await page.getByRole('combobox', { name: 'Role' }).selectOption('demo_user');
    await page.getByLabel('Claims of the token').fill('{"sub": "ann"}');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('demo_user sees this row, but cannot change it.').waitFor();
    await page.getByText('None of the permissive policies for UPDATE allows it: change_own.').waitFor();
    const step = page.locator('.access-step-failed').filter({ hasText: 'Permissive policy change_own' });
    await step.getByText('is false, owner is "bob", claim sub is "ann".').waitFor();
    await page.getByText('WITH CHECK of change_own').waitFor();
    expect(address()).toBe('explain/guarded?id=eq.1&as=demo_user&do=update');
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Action' }).selectOption('Delete the row');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('no permissive policy for DELETE applies to the role.').waitFor();
    await page.getByRole('heading', { name: 'Can a role delete this row?' }).waitFor();
    await page.getByLabel('Claims of the token').fill('{"sub": "bob"}');
    await page.getByRole('combobox', { name: 'Action' }).selectOption('Change the row');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('demo_user can change this row.').waitFor();
  });

  test('P41 explains why a row cannot be inserted, with the values of the form', async () => {
    const { page, watch, address } = await explorer.open(withKey(), {});
    await page.getByText(/tables(?: and views)?, \d+ functions/u).waitFor();
    await page.evaluate("location.hash = '#/guarded'");
    await page.getByRole('button', { name: 'Insert', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Insert into guarded' });
    await form.getByRole('textbox', { name: 'id' }).fill('2');
    await form.getByRole('textbox', { name: 'owner' }).fill('bob');
    watch.expectStatus(401);
    await form.getByRole('button', { name: 'Insert', exact: true }).click();
    await form.getByRole('link', { name: "Why can't I insert it?" }).click();
    await page.getByRole('heading', { name: 'Can a role insert this row?' }).waitFor();
    await page.getByText('demo_anon cannot insert this row.').waitFor();
    await page.getByText('no permissive policy for INSERT applies to the role.').waitFor();
    await page.getByRole('combobox', { name: 'Role' }).selectOption('demo_user');
    await page.getByLabel('Claims of the token').fill('{"sub": "ann"}');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('None of the permissive policies for INSERT allows it: insert_own.').waitFor();
    const step = page.locator('.access-step-failed').filter({ hasText: 'Permissive policy insert_own for INSERT' });
    await step.getByText('owner is "bob", claim sub is "ann".').waitFor();
    expect(decodeURIComponent(address()).replaceAll(/\s/gu, '')).toBe(
      'explain/guarded?as=demo_user&do=insert&row={"id":2,"owner":"bob"}',
    );
    await expectAccessible(page);
    await page.getByLabel('Row to insert (JSON)').fill('{"owner": "ann"}');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('demo_user can insert this row.').waitFor();
  });

  test('is hidden from those without the key, and asks for it', async () => {
    const { page, watch } = await explorer.open('#access', {});
    watch.expectStatus(401);
    await page.getByText('Enter the key of rowhouse dev to see the access of roles.').waitFor();
    expect(await page.getByRole('link', { name: 'Access', exact: true }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByLabel('Key', { exact: true }).fill('not the key of this start, but long enough');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('This is not the key of this start of rowhouse dev.').waitFor();
    await page.getByLabel('Key', { exact: true }).fill(explorer.devKey());
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('button', { name: 'demo_user: select on notes, some rows' }).waitFor();
  });

  test('opens with the link in a tab that is open, which stays at its page', async () => {
    const { page, address } = await explorer.open('#access', {});
    await page.getByText('Enter the key of rowhouse dev').waitFor();
    await page.evaluate('window.isFirstLoad = true');
    const schemaRead = page.waitForResponse(`${explorer.origin()}/`);
    await page.goto(`${explorer.origin()}/${withKey()}`);
    await page.getByRole('button', { name: 'demo_user: select on notes, some rows' }).waitFor();
    await schemaRead;
    expect(address()).toBe('access');
    expect(await page.evaluate('window.isFirstLoad')).toBe(true);
    await page.locator('.token-button').click();
    const key = page.getByRole('dialog', { name: 'View as' }).getByLabel('Key');
    expect(await key.inputValue()).toBe(explorer.devKey());
  });

  test('says that a link is of an earlier start, and keeps the key of the tab', async () => {
    const { page, watch } = await explorer.open('#key=the_key-of-an-earlier-start', {});
    watch.expectStatus(401);
    const notice = page.locator('.ui-notice').filter({ hasText: 'from an earlier start of rowhouse dev' });
    await notice.getByText('Open the link that rowhouse dev printed last.').waitFor();
    await page.getByText('no token · enter one').waitFor();
    await expectAccessible(page);
    await page.goto(`${explorer.origin()}/${withKey()}`);
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByRole('button', { name: 'demo_user: select on notes, some rows' }).waitFor();
    await page.goto(`${explorer.origin()}/#key=the_key-of-an-earlier-start`);
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Continue without it' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'demo_user: select on notes, some rows' }).waitFor();
  });

  test('fits a phone', async () => {
    const { page } = await explorer.open(withKey(), { viewport: { width: 390, height: 800 } });
    await page.evaluate("location.hash = '#access'");
    await page.getByRole('button', { name: 'demo_anon: select on notes, some rows' }).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.evaluate("location.hash = '#explain/notes?id=eq.1'");
    await page.getByText('Permissive policy read_public').waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
