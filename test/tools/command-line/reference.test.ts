import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderCommandReference } from '../../../tools/command-line/reference.ts';
import { PROGRAM } from '../../../tools/commands/index.ts';

test('docs/command-line.md matches the output of `npm run docs -- config`', async () => {
  const file = await readFile(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
  expect(file).toBe(renderCommandReference(PROGRAM));
});
