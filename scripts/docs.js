// Builds the documentation site into `dist/docs`: `npm run docs`. With `config`, writes the pages that are generated from
// the tables of options and commands instead.
import process from 'node:process';
import { buildDocs } from './docs/build-docs.js';
import { writeReferences } from './docs/write-references.js';

if (process.argv[2] === 'config') await writeReferences();
else await buildDocs();
