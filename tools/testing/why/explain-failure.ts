// Where the statement of a request failed: the context that PostgreSQL reports, and the triggers in it.
import type { Statement } from '../../../src/contract/transaction.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import type { Probe } from './probe.ts';
import type { Report } from './report.ts';
import { listCallers } from './triggers.ts';

export interface FailedRequest {
  readonly role: string;
  readonly report: Report;
  readonly script: TransactionScript;
  /** Undefined: it takes several statements. */
  readonly statement: Statement | undefined;
}

/** Returns indented lines, and sentences about triggers; none if the failure is not within a function. */
export async function describeContext(
  { role, report, statement }: FailedRequest,
  probe: Probe,
): Promise<readonly string[]> {
  if (statement === undefined || report.status < 400) return [];
  const context = await probe.findContext(role, statement, report.code);
  const callers = await listCallers(context, probe);
  return [
    ...context.map((line) => `  in ${line}`),
    ...callers.map(
      ({ name, table, event, routine }) => `${routine} runs as the trigger ${name} on ${table} (${event}).`,
    ),
  ];
}
