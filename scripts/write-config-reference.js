// Writes docs/configuration.md from the option table of the build.
import { writeFileSync } from 'node:fs';
import { renderReference } from '../dist/config/reference.js';
import { SVC_DIALECT } from '../dist/contract/dialect.js';

writeFileSync('docs/configuration.md', renderReference(SVC_DIALECT));
