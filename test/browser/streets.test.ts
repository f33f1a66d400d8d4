// From the start page to the three streets with the oldest houses and their residents, by clicks alone. The resulting
// URL returns the same rows in any client.
import { expect, test } from 'vitest';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { describeInBrowser } from './support/chromium.ts';
import { useExplorer } from './support/use-explorer.ts';

interface Street {
  readonly name: string;
  readonly houses: readonly { readonly built: number; readonly residents: readonly { readonly name: string }[] }[];
}

describeInBrowser('a new user', () => {
  const explorer = useExplorer({ server: { 'db-aggregates-enabled': false } });

  async function oldestStreets(): Promise<readonly string[]> {
    const sql = `select name from api.streets order by (select min(built) from api.houses where street_id = streets.id) limit 3`;
    return await withConnection(explorer.database().uri, async (client) => {
      const { rows } = await client.query<{ readonly name: string }>(sql);
      return rows.map(({ name }) => name);
    });
  }

  test('the three streets with the oldest houses and their residents can be found by clicks', async () => {
    const { page, address } = await explorer.open('');
    await page
      .getByRole('link', { name: /streets/u })
      .first()
      .click();
    await page.getByRole('button', { name: '3 rows', exact: true }).click();
    await page.getByText('Order', { exact: true }).click();
    await page.getByLabel('Order by another column').selectOption({ label: 'laid_out' });
    await page.getByRole('button', { name: 'Embed houses' }).click();
    const houses = page.getByRole('group', { name: 'Related rows: houses' });
    await houses.getByText('Order', { exact: true }).click();
    await houses.getByLabel('Order by another column').selectOption({ label: 'built' });
    await houses.getByText('Related rows', { exact: true }).click();
    await houses.getByRole('button', { name: 'Embed residents' }).click();
    await expect
      .poll(address)
      .toBe('/streets?select=*,houses(*,residents(*))&order=laid_out.asc&houses.order=built.asc&limit=3');

    const streets = await oldestStreets();
    const answer = (await (await fetch(explorer.origin() + address())).json()) as readonly Street[];
    expect(answer.map(({ name }) => name)).toEqual(streets);
    for (const [index, { name, houses }] of answer.entries()) {
      const row = page.getByRole('row').nth(index + 1);
      await row.getByRole('gridcell', { name, exact: true }).waitFor();
      await row.getByRole('button', { name: `${houses.length} rows` }).waitFor();
    }

    await page.getByRole('row').nth(1).getByRole('button', { name: /rows/u }).click();
    const embedded = page.getByRole('group', { name: 'Embedded rows' });
    await embedded
      .getByRole('button', { name: /rows?$/u })
      .first()
      .click();
    const neighbor = answer[0]?.houses[0]?.residents[0]?.name ?? '';
    await embedded.getByRole('cell', { name: neighbor, exact: true }).waitFor();
    expect(
      await embedded
        .last()
        .boundingBox()
        .then((box) => (box?.width ?? 0) > 500),
    ).toBe(true);
  });
});
