// Builds the documentation site into `dist/docs`: `npm run docs`. Writes generated texts instead: with
// `config`, the pages of options and commands; with `rooms`, the tables of rooms.
import process from 'node:process';
import { buildDocs } from './docs/build-docs.js';
import { writeRooms } from './docs/rooms.js';
import { writeReferences } from './docs/write-references.js';

if (process.argv[2] === 'config') await writeReferences();
else if (process.argv[2] === 'rooms') writeRooms();
else await buildDocs();
