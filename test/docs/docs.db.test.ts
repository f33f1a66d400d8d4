// Runs every code block of README.md and docs/*.md, in order, against the embedded database with the demo.
//
//   ```sh      Commands: `curl`, `rowhouse`, `node`, and variables. `localhost:3000` is the page's server, configured as
//              by `npm start`, and `$TOKEN` the token of its banner. No request may fail unless a response follows.
//   ```json ```http ```csv ```xml ```text
//              After commands: the output of the last one. `"…"` matches any value, or any further elements and members;
//              `…` in a text matches any characters. JSON that begins with `[{"` is compared as text.
//              ```http shows the status, some headers, and the body if there is one.
//   ```sql     Run by the owner of the demo, like `rowhouse sql`. The next request sees the changes.
//   ```conf    A configuration of Rowhouse; it must be valid.
//   ```js ```ts
//              Programs, with the connection string of the page's database in DATABASE_URL. A following answer is their
//              output. TypeScript must compile in strict mode.
//   ```html    A page with a script, which the reader saves and opens. A following answer is the text that it shows.
//   ```        A diagram or sample output.
//
// Each page has its own database, which keeps its changes from block to block. Comments above a block give instructions:
//
//   <!-- not run: why -->        The block cannot be run here. NOT_RUN counts these blocks.
//   <!-- file: todo.sql -->      The reader saves the block under this name, in the folder of the page's commands.
//   <!-- server -->              The last command keeps running and is the page's server from here on.
//   <!-- options                 Options of the page's server from here on, one `name = value` per line. The text must
//   …                            tell the reader about them.
//   -->
//
// `ROWHOUSE_FILL_ANSWERS=1 npm run test:docs` fills in answers that are left empty.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FAST_AND_FORGETFUL } from '../support/global-setup.ts';
import { CHINOOK_FILE, readChinook } from './chinook.ts';
import { fillAnswers } from './fill-answers.ts';
import { NOT_RUN } from './not-run.ts';
import { PageStage } from './page-stage.ts';
import { readPage } from './read-page.ts';
import { PAGES, readMarkdown, ROOT } from './read-pages.ts';
import { runPage } from './run-page.ts';
import { startOwnPostgres } from '../support/own-postgres.ts';
import { use } from '../support/use.ts';

// A separate server: roles belong to the whole server, and the pages create some.
const postgres = await use(startOwnPostgres(FAST_AND_FORGETFUL, { binFolder: undefined }));

const CHINOOK_PAGE = 'docs/questions.md';

test.each(PAGES.filter((page) => page !== CHINOOK_PAGE))('the examples of %s work as shown', async (page) => {
  await checkPage(page, (uri) => new PageStage(uri));
});

test.skipIf(!existsSync(CHINOOK_FILE))(
  'the examples of docs/questions.md work as shown, if its database is there',
  async () => {
    await checkPage(CHINOOK_PAGE, (uri) => new PageStage(uri, readChinook()));
  },
);

async function checkPage(page: string, createStage: (uri: string) => PageStage): Promise<void> {
  const text = readMarkdown(page);
  const blocks = readPage(text);
  expect(blocks.filter(({ note }) => note?.kind === 'not run').length).toBe(NOT_RUN[page] ?? 0);
  if (blocks.every(({ note, language }) => note?.kind === 'not run' || language === '')) return;
  const stage = createStage(postgres.uri);
  await stage.open();
  try {
    const { problems, unfilled } = await runPage(blocks, stage);
    if (process.env['ROWHOUSE_FILL_ANSWERS'] === '1') writeFileSync(path.join(ROOT, page), fillAnswers(text, unfilled));
    expect(problems).toEqual([]);
  } finally {
    await stage.close();
  }
}

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

\`\`\`sh
curl 'http://localhost:3000/streets?select=id,lanterns:id&limit=1'
\`\`\`

\`\`\`json
[{"id": 1, "lanterns": 1}]
\`\`\`
`;

test('mistakes on a page are reported with their line', async () => {
  const stage = new PageStage(postgres.uri);
  await stage.open();
  try {
    const { problems } = await runPage(readPage(WRONG), stage);
    expect(problems).toEqual([
      'line 6: $.0.id is 1',
      expect.stringMatching(/^line 10: the request failed: .*SVC205/u),
      expect.stringMatching(/^line 14: .*secret/u),
      expect.stringMatching(/^line 18: .*relation "streetz" does not exist/u),
      expect.stringMatching(/^line 22: [\s\S]*it fails/u),
      expect.stringMatching(/^line 26: .*Type 'number' is not assignable/u),
      'line 30: nothing runs yaml; say why in a comment: <!-- not run: … -->',
      'line 34: an answer without a question: the block before it has no output',
      'line 42: it is [{"id":1,"lanterns":1}]',
    ]);
  } finally {
    await stage.close();
  }
});
