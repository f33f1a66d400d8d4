// The sync packages in a browser, as long as `beyond.md` §6.5 asks for.
import { testSync } from './support/test-sync.ts';

testSync({ edits: 200, updates: 1000, renewals: 10, offline: { count: 100, milliseconds: 60_000 }, crashes: 100 });
