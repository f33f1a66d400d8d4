// Writes docs/configuration.md and docs/command-line.md from the tables of the build.
import { writeFileSync } from 'node:fs';
import { renderCommandReference } from '../dist/cli/reference.js';
import { renderReference } from '../dist/config/print/reference.js';
import { SVC_DIALECT } from '../dist/contract/dialect.js';

writeFileSync('docs/configuration.md', renderReference(SVC_DIALECT));
writeFileSync('docs/command-line.md', renderCommandReference());
