// Renders the changes of an API as text for a person, or as JSON (`project.md` §3 item 5).
import { escapeLine } from '../../src/observe/escape-text.ts';
import type { Change, Level } from './change.ts';
import type { Hits } from './count-requests.ts';

/** By change; undefined without a log. */
export type HitsByChange = ReadonlyMap<Change, Hits> | undefined;

const HEADINGS: Readonly<Record<Level, string>> = {
  breaking: 'Breaking: requests that work today fail or get another response',
  risky: 'Risky: check whether your clients can cope',
  compatible: 'Compatible',
};

export function renderChanges(changes: readonly Change[], hits: HitsByChange): string {
  if (changes.length === 0) return 'No change that a client can notice.\n';
  const levels = Object.keys(HEADINGS).filter((level): level is Level => level in HEADINGS);
  const sections = levels.map((level) => {
    const found = changes.filter((change) => change.level === level);
    return found.length === 0
      ? ''
      : `${HEADINGS[level]}\n${found.map((change) => renderChange(change, hits?.get(change))).join('')}\n`;
  });
  const counts = levels.map((level) => `${changes.filter((change) => change.level === level).length} ${level}`);
  return `${sections.join('')}${counts.join(', ')}\n`;
}

function renderChange(change: Change, hits: Hits | undefined): string {
  const { path, signature = '', kind, roles, message } = change;
  const whom = roles.length === 0 ? '' : ` (${roles.join(', ')})`;
  const line = `  ${path}${signature} ${kind}: ${message}${whom}`;
  return [line, ...renderHits(change, hits)].map((text) => `${escapeLine(text)}\n`).join('');
}

function renderHits({ level }: Change, hits: Hits | undefined): readonly string[] {
  if (hits === undefined || level === 'compatible') return [];
  const count = `    ${hits.requests} request${hits.requests === 1 ? '' : 's'} of the log`;
  return [hits.samples.length === 0 ? count : `${count}, such as`, ...hits.samples.map((sample) => `      ${sample}`)];
}

export function renderChangesAsJson(changes: readonly Change[], hits: HitsByChange): string {
  const rendered = changes.map((change) => {
    const { level, kind, schema, path, signature, name, privilege, roles, message } = change;
    const found = hits?.get(change);
    return {
      level,
      kind,
      schema,
      path,
      signature: signature ?? null,
      name: name ?? null,
      privilege: privilege ?? null,
      roles,
      message,
      ...(found && { requests: found.requests, samples: found.samples }),
    };
  });
  return `${JSON.stringify({ changes: rendered }, undefined, 2)}\n`;
}
