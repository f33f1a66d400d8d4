// `rowhouse compare OLD_URL NEW_URL`: prints how the responses of two servers to the same requests differ.
import { escapeLine } from '../../src/observe/escape-text.ts';
import type { CommandOf } from '../command-line/command.ts';
import { compareServers } from './compare-servers.ts';
import { renderComparison, renderComparisonAsJson } from './report/render-comparison.ts';

const EXIT_CODES = { same: 0, different: 1, failed: 2 } as const;

/** @returns the exit code: 0 without differences, 1 with differences, 2 if the comparison could not run */
export async function reportComparison(command: CommandOf<'compare'>): Promise<number> {
  const comparison = await compareServers(command);
  if (!comparison.ok) {
    process.stderr.write(`${escapeLine(comparison.error)}\n`);
    return EXIT_CODES.failed;
  }
  // Names and values may contain terminal control sequences; JSON escapes them.
  const text = renderComparison(comparison.value).split('\n').map(escapeLine).join('\n');
  process.stdout.write(command.isJson ? renderComparisonAsJson(comparison.value) : text);
  const counted = comparison.value.groups.filter(
    ({ departure }) => departure === undefined || !command.areKnownAllowed,
  );
  return counted.length === 0 ? EXIT_CODES.same : EXIT_CODES.different;
}
