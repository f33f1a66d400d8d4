// The recorded counts: a commit that changes what a request costs changes this file, too (`npm run bench -- counts --write`).
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Counts, CountsByCase } from './count-requests.ts';

interface Recorded {
  /** Major and minor version of V8; other versions allocate differently. */
  readonly v8: string;
  readonly counts: CountsByCase;
}

export interface Change {
  readonly name: string;
  readonly kind: keyof Counts;
  readonly recorded: number;
  readonly counted: number;
}

const FILE = path.resolve('test/bench/counts/recorded.json');
/** Counts that differ by less are not replaced, so that the file changes only where the server did. */
const NOISE = 0.01;
const KINDS = ['calls', 'bytes', 'promises'] as const;

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;
}

/** Returns the differences of more than this part of the recorded count. A missing count differs in any case. */
export function findChanges(
  name: string,
  { recorded, counted, tolerance }: { recorded: Counts | undefined; counted: Counts | undefined; tolerance: number },
): readonly Change[] {
  const changes = KINDS.map((kind) => ({
    name,
    kind,
    recorded: recorded?.[kind] ?? 0,
    counted: counted?.[kind] ?? 0,
  }));
  return changes.filter((change) => Math.abs(change.counted - change.recorded) > change.recorded * tolerance);
}

export function writeRecorded(counted: CountsByCase): void {
  const { counts: before } = readRecorded();
  const counts = Object.entries(counted).map(([name, now]) => {
    const recorded = before[name];
    const isSame = findChanges(name, { recorded, counted: now, tolerance: NOISE }).length === 0;
    return `    ${JSON.stringify(name)}: ${renderCounts((isSame ? recorded : undefined) ?? now)}`;
  });
  writeFileSync(FILE, `{\n  "v8": "${v8Version()}",\n  "counts": {\n${counts.join(',\n')}\n  }\n}\n`);
}

export function v8Version(): string {
  return process.versions.v8.split('.').slice(0, 2).join('.');
}

function renderCounts({ calls, bytes, promises }: Counts): string {
  return `{ "calls": ${calls}, "bytes": ${bytes}, "promises": ${promises} }`;
}
