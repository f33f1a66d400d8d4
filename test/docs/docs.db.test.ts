// Every code block of README.md and docs/*.md, run in order against the embedded database with the demo.
//
//   ```sh      Commands: `curl`, `rowhouse`, `node`, and variables. `localhost:3000` is the page's server, which is set up
//              as that of `npm start`, and `$TOKEN` the token of its banner. Without an answer below, no request may fail.
//   ```json ```http ```csv ```xml ```text
//              Below commands: what the last one gives. `"…"` is any value, or any further elements and members; `…`
//              within a text any characters. ```http shows status, headers in question, and the body if there is one.
//   ```sql     Run by the owner of the demo, as `rowhouse sql` would. The next request finds what it made.
//   ```conf    Our configuration; it must be valid.
//   ```js ```ts
//              Programs, with the address of the page's database in DATABASE_URL. An answer below is what they print. TypeScript must compile in strict mode.
//   ```html    A page with a script, which the reader saves and opens. An answer below is the text that it shows then.
//   ```        A drawing, or lines to look at.
//
// Each page has a database of its own, in which what it did before is still done. Comments above a block tell more:
//
//   <!-- not run: why -->        Nothing can run this here. NOT_RUN below counts them.
//   <!-- file: todo.sql -->      The reader saves it; the commands of the page find it in their folder.
//   <!-- server -->              The last command stays and is the page's server from here on.
//   <!-- options                 Options of the page's server from here on, one a line: `name = value`. The text
//   …                            must tell the reader of them.
//   -->
//
// An answer that is left empty is filled in by `ROWHOUSE_FILL_ANSWERS=1 npx vitest run test/docs`.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/cluster/embedded-postgres.ts';
import { FAST_AND_FORGETFUL } from '../support/global-setup.ts';
import { fillAnswers } from './fill-answers.ts';
import { NOT_RUN } from './not-run.ts';
import { PageStage } from './page-stage.ts';
import { readPage } from './read-page.ts';
import { PAGES, readMarkdown, ROOT } from './read-pages.ts';
import { runPage } from './run-page.ts';

let postgres: EmbeddedPostgres;

beforeAll(async () => {
  // One of its own, whose roles are those of the pages.
  const started = await startEmbeddedPostgres({
    dataFolder: path.join(os.tmpdir(), `rowhouse-docs-${process.pid}`),
    settings: FAST_AND_FORGETFUL,
    isTemporary: true,
  });
  if (!started.ok) throw new Error(started.error.kind);
  postgres = started.value;
});

afterAll(() => postgres.stop());

test.each(PAGES)('what %s shows is what happens', async (page) => {
  const text = readMarkdown(page);
  const blocks = readPage(text);
  expect(blocks.filter(({ note }) => note?.kind === 'not run').length).toBe(NOT_RUN[page] ?? 0);
  if (blocks.every(({ note, language }) => note?.kind === 'not run' || language === '')) return;
  const stage = new PageStage(postgres.uri);
  await stage.open();
  try {
    const { problems, unfilled } = await runPage(blocks, stage);
    if (process.env['ROWHOUSE_FILL_ANSWERS'] === '1') writeFileSync(path.join(ROOT, page), fillAnswers(text, unfilled));
    expect(problems).toEqual([]);
  } finally {
    await stage.close();
  }
});

const WRONG = `
\`\`\`sh
curl 'http://localhost:3000/streets?select=id&limit=1'
\`\`\`

\`\`\`json
[{ "id": 2 }]
\`\`\`

\`\`\`sh
curl 'http://localhost:3000/street'
\`\`\`

\`\`\`conf
jwt-secret = "short"
\`\`\`

\`\`\`sql
select * from streetz;
\`\`\`

\`\`\`js
throw new Error('it fails');
\`\`\`

\`\`\`ts
const name: string = 1;
\`\`\`

\`\`\`yaml
a: b
\`\`\`

\`\`\`json
{}
\`\`\`
`;

test('what is wrong on a page is told, by line', async () => {
  const stage = new PageStage(postgres.uri);
  await stage.open();
  try {
    const { problems } = await runPage(readPage(WRONG), stage);
    expect(problems).toEqual([
      'line 6: $.0.id is 1',
      expect.stringMatching(/^line 10: refused: .*SVC205/u),
      expect.stringMatching(/^line 14: .*secret/u),
      expect.stringMatching(/^line 18: .*relation "streetz" does not exist/u),
      expect.stringMatching(/^line 22: [\s\S]*it fails/u),
      expect.stringMatching(/^line 26: .*Type 'number' is not assignable/u),
      'line 30: nothing runs yaml; say why in a comment: <!-- not run: … -->',
      'line 34: an answer to nothing: the block before it gives none',
    ]);
  } finally {
    await stage.close();
  }
});
