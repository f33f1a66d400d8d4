// Generates docs/configuration.md and docs/command-line.md from the built tables of options and commands.
import { writeFileSync } from 'node:fs';
import { ensureBuilt } from '../build/ensure-built.js';

export async function writeReferences() {
  ensureBuilt();
  const { renderCommandReference } = await import('../../dist/tools/command-line/reference.js');
  const { PROGRAM } = await import('../../dist/tools/commands/index.js');
  const { renderReference } = await import('../../dist/tools/inspect/reference.js');
  const { SVC_DIALECT } = await import('../../dist/src/contract/dialect.js');
  writeFileSync('docs/configuration.md', renderReference(SVC_DIALECT));
  writeFileSync('docs/command-line.md', renderCommandReference(PROGRAM));
}
