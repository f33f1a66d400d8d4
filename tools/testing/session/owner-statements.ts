// The statements of `as.owner`.
import { splitScript } from '../../console/split-script.ts';
import type { ParameterValue } from '../../../src/contract/transaction.ts';
import { TRANSACTION_STATEMENT } from '../../project/run/refuse-statement.ts';
import { encodeValue } from './owner-values.ts';

export interface OwnerStatement {
  readonly text: string;
  readonly parameters: readonly ParameterValue[];
}

/**
 * Reads the template of a tag, whose values become parameters. Without values, it may have several statements. Throws for
 * what is no statement.
 */
export function readStatements(texts: readonly string[], values: readonly unknown[]): readonly OwnerStatement[] {
  const script = texts.reduce((text, next, index) => `${text}$${index}${next}`);
  const statements = splitScript(script).map((part) => {
    if (part.kind === 'statement') return part.text;
    throw new Error('as.owner runs statements of SQL only, not commands of psql.');
  });
  if (values.length > 0 && statements.length > 1)
    throw new Error('as.owner takes values for a single statement only: split it into several calls.');
  const parameters = values.map(encodeValue);
  return statements.map((text) => ({ text, parameters }));
}

const NOTIFYING = /^(?:notify|listen|unlisten)\b|\bpg_notify\s*\(/iu;

/** Throws for a statement that the transaction of a test cannot run. */
export function checkHeldStatement({ text }: OwnerStatement): void {
  if (TRANSACTION_STATEMENT.test(text))
    throw new Error(`${describeStart(text)} would end the transaction of the test. ${INSTEAD}`);
  if (NOTIFYING.test(text))
    throw new Error(`Nothing is notified before a commit, which the test does not do. ${INSTEAD}`);
}

const INSTEAD = 'Use project.commit(), whose sessions have a database of their own.';

function describeStart(text: string): string {
  return text.split(/\s+/u).slice(0, 2).join(' ').toUpperCase().replace(/;$/u, '');
}
