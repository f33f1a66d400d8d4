// Removes the findings that an allowance of the files silences, and reports allowances that silence nothing.
import type { Finding, LocatedFinding } from './lints/finding.ts';
import { type Allowance, locate, type SourceIndex } from './source-index.ts';

/**
 * An allowance needs a reason. It silences its lint at its statement, for every role.
 *
 * @param isExamined whether an allowance of the lint is reported if it silences nothing
 * @returns what remains to be reported, in no particular order
 */
export function applyAllowances(
  findings: readonly Finding[],
  sources: SourceIndex,
  isExamined: (lint: string) => boolean,
): readonly LocatedFinding[] {
  const used = new Set<Allowance>();
  const kept = findings
    .map((finding) => locateFinding(finding, sources))
    .filter((finding) => {
      const allowance = sources.allowances.find((one) => isAbout(one, finding));
      if (allowance !== undefined) used.add(allowance);
      return allowance === undefined;
    });
  const unused = sources.allowances.filter((allowance) => isExamined(allowance.lint) && !used.has(allowance));
  return [...kept, ...unused.map(describeUnused)];
}

function locateFinding(finding: Finding, sources: SourceIndex): LocatedFinding {
  const position = locate(finding.place, sources);
  const file = finding.place.kind === 'line' ? finding.place.file : null;
  return { ...finding, file: position?.file ?? file, line: position?.line ?? null };
}

function isAbout({ lint, reason, file, statementLine }: Allowance, finding: LocatedFinding): boolean {
  return lint === finding.lint && reason !== '' && file === finding.file && statementLine === finding.line;
}

function describeUnused(allowance: Allowance): LocatedFinding {
  const { file, line, lint } = allowance;
  return {
    lint: 'unused-allowance',
    level: 'warning',
    object: file,
    role: null,
    place: { kind: 'line', file, line },
    isProved: false,
    message: `The allowance of ${lint} ${explainUnused(allowance)}.`,
    fix: null,
    file,
    line,
  };
}

function explainUnused({ reason, statementLine }: Allowance): string {
  if (reason === '') return 'gives no reason, so it silences nothing';
  return statementLine === undefined
    ? 'silences nothing: it must have lines of its own before a statement'
    : 'silences nothing: the statement below it has no such finding';
}
