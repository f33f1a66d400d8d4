// The sync packages in a browser, in few rounds.
import { testSync } from './support/test-sync.ts';

testSync({ edits: 20, updates: 120, renewals: 2, offline: { count: 20, milliseconds: 100 }, crashes: 2 });
